import { decodeJson } from '../../db/codecs.ts'
import type { Db } from '../../db/open.ts'
import { StoredConfig } from '../encoder.store.ts'

/** PIDs in the streams of that host's encoders, of all groups; without those of `exceptId`. */
export async function usedPids(
  db: Db,
  host: string,
  port: number,
  exceptId: string,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('encoders')
    .select('config')
    .where('ip', '=', host)
    .where('port', '=', port)
    .where('id', '!=', exceptId)
    .where('config', 'is not', null)
    .execute()
  const configs = rows.flatMap(({ config }) =>
    config === null ? [] : [decodeJson(StoredConfig, config)],
  )
  return new Set(
    configs.flatMap(({ 'video-stream': video, 'audio-stream': audio, muxer }) => [
      video.pid,
      audio.pid,
      muxer['pmt-pid'],
    ]),
  )
}
