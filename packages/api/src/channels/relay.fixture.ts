/** A channel that plays, and a browser that takes its files through the API. */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PersonName } from '../testing/people.ts'
import { openChannelSite, type ChannelSite } from './channel.fixture.ts'

export const PLAYLIST = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nseg00001.ts\n'

export interface Played {
  status: number
  type: string | undefined
  headers: IncomingMessage['headers']
  body: Buffer
}

/** A listening site whose channel live/north plays: a playlist and one segment. */
export async function openPlayingSite() {
  const site = await openChannelSite()
  site.media.files.set('/live/north/index.m3u8', { status: 200, body: PLAYLIST })
  site.media.files.set('/live/north/seg00001.ts', { status: 200, body: 'media' })
  site.media.files.set('/south/index.m3u8', { status: 200, body: PLAYLIST })
  site.media.files.set('/live/north/hls/index.m3u8', { status: 200, body: PLAYLIST })
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = site.app.server.address() as AddressInfo
  const token = (who: PersonName) => `Bearer ${site.people[who].token}`
  /** `path` goes out as it is: fetch() would tidy it up. */
  const get = async (path: string, authorization: string, method = 'GET'): Promise<Played> => {
    const options = { host: '127.0.0.1', port, method, path, headers: { authorization } }
    const asked = httpRequest(options)
    asked.end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    const { statusCode: status = 0, headers } = response
    return { status, type: headers['content-type'], headers, body: Buffer.concat(parts) }
  }
  const play = async (who: PersonName, file: string, channelId = site.north1.id) =>
    get(`/api/channel/${channelId}/hls/${file}`, token(who))
  return { site, port, token, get, play, [Symbol.asyncDispose]: site[Symbol.asyncDispose] }
}

/** What the media server was asked for beside its API. */
export function filesAsked(site: ChannelSite): string[] {
  return site.media.requests
    .map(({ line }) => line)
    .filter((line) => !line.includes('/streamer/api/'))
}
