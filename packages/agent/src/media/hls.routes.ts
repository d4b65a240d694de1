/** Playlists and segments, for any player: no key, no cache, any origin. */
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { StreamName } from '@trunkline/contract/channels/channel.schema'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendFailure } from './media-failure.ts'
import type { Media } from './media.service.ts'
import { pathOfFile } from './playlist-text.ts'
import { StreamUnknown } from './stream.refusal.ts'
import { renditionsOf } from './stream.units.ts'

const NOT_THERE = {
  status: 404,
  code: 'not_found',
  title: 'There is nothing to play here: no such stream, or it is disabled or has not begun.',
}

const READ_PLAIN = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
/** A viewer that takes nothing for so long is gone, or wants to hold our files. */
const SLOWEST_VIEWER_MS = 30_000

export function mountHls(app: FastifyInstance, media: Media, slowestMs = SLOWEST_VIEWER_MS): void {
  app.get('/*', async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    const file = fileOf(media, path)
    return file === null ? sendFailure(reply, NOT_THERE) : sendFile(reply, file, slowestMs)
  })
}

/**
 * The path on disk for `{name}/index.m3u8`, `{name}/v0.m3u8` and `{name}/<input>-v0-….ts`, null for
 * anything else. Only a stream that is known and a file of these kinds: nothing of the path is
 * joined to a folder unread.
 */
function fileOf(media: Media, path: string): string | null {
  const slash = path.lastIndexOf('/')
  const [name, file] = [path.slice(0, slash), path.slice(slash + 1)]
  if (slash < 1 || !StreamName.safeParse(name).success) return null
  return fileOfStream(media, name, file)
}

function fileOfStream(media: Media, name: string, file: string): string | null {
  try {
    const stream = media.find(name)
    const parts = stream.disabled ? null : pathOfFile(file, renditionsOf(stream))
    return parts === null ? null : join(media.folderOf(name), ...parts)
  } catch (error) {
    if (error instanceof StreamUnknown) return null
    throw error
  }
}

async function sendFile(
  reply: FastifyReply,
  path: string,
  slowestMs: number,
): Promise<FastifyReply> {
  const handle = await openPlain(path)
  if (handle === null) return sendFailure(reply, NOT_THERE)
  const { size } = await handle.stat()
  // The file is held open until its last byte is taken.
  reply.raw.setTimeout(slowestMs, () => reply.raw.destroy())
  return reply
    .header('cache-control', 'no-store')
    .header('access-control-allow-origin', '*')
    .header('x-content-type-options', 'nosniff')
    .header('content-length', size)
    .type(path.endsWith('.ts') ? 'video/mp2t' : 'application/vnd.apple.mpegurl')
    .send(handle.createReadStream(size === 0 ? {} : { end: size - 1 }))
}

/** Null for a link to somewhere else, and for what is no file: a pipe would be waited for. */
async function openPlain(path: string): Promise<FileHandle | null> {
  const handle = await open(path, READ_PLAIN).catch(() => null)
  if (handle === null || (await handle.stat()).isFile()) return handle
  await handle.close()
  return null
}
