/** Playlists and segments, for any player: no key, no cache, any origin; a playback token where required. */
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { StreamName } from '@trunkline/contract/channels/channel.schema'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendFailure } from './api-failure.ts'
import type { StreamService } from '../stream.service.ts'
import type { PlaybackCheck } from './playback-access.ts'
import { pathOfFile, withQuery } from '../timeline/playlist-text.ts'
import { readPlaylist } from '../timeline/timeline-files.ts'
import { StreamUnknown } from '../definition/stream.refusal.ts'
import { renditionsOf } from '../programs/stream.units.ts'

const NOT_THERE = {
  status: 404,
  code: 'not_found',
  title: 'There is nothing to play here: no such stream, or it is disabled or has not started.',
}

const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'
const READ_PLAIN = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
/** A viewer that takes nothing for so long is gone, or wants to hold our files. */
const SLOWEST_VIEWER_MS = 30_000

export function mountHls(
  app: FastifyInstance,
  streams: StreamService,
  checkPlayback: PlaybackCheck,
  slowestMs = SLOWEST_VIEWER_MS,
): void {
  app.get('/*', async (request, reply) => {
    const asked = askedFile((request.params as { '*': string })['*'])
    if (asked === null) return sendFailure(reply, NOT_THERE)
    const access = checkPlayback(asked.name, request.query)
    if (!access.isAllowed) return sendFailure(anyOrigin(reply), NO_VALID_LINK)
    // Only holders of a link learn whether a stream exists.
    const path = fileOfStream(streams, asked.name, asked.file)
    if (path === null) return sendFailure(reply, NOT_THERE)
    return access.query !== '' && path.endsWith('.m3u8')
      ? sendWithQuery(reply, path, access.query)
      : sendFile(reply, path, slowestMs)
  })
}

const NO_VALID_LINK = {
  status: 403,
  code: 'forbidden',
  title: 'This playback link is not valid, or has expired. Copy a new one from the console.',
}

/** `{name}/{file}`; null for what cannot be one. */
function askedFile(path: string): { name: string; file: string } | null {
  const slash = path.lastIndexOf('/')
  const [name, file] = [path.slice(0, slash), path.slice(slash + 1)]
  return slash < 1 || !StreamName.safeParse(name).success ? null : { name, file }
}

/**
 * The path on disk for `index.m3u8`, `v0.m3u8` and `<input>-v0-….ts`, null for anything else. Only a
 * stream that is known and a file of these kinds: nothing of the path is joined to a folder unread.
 */
function fileOfStream(streams: StreamService, name: string, file: string): string | null {
  try {
    const stream = streams.find(name)
    const parts = stream.disabled ? null : pathOfFile(file, renditionsOf(stream))
    return parts === null ? null : join(streams.folderOf(name), ...parts)
  } catch (error) {
    if (error instanceof StreamUnknown) return null
    throw error
  }
}

/** So that a player needs the token in the first address only. */
function sendWithQuery(reply: FastifyReply, path: string, query: string): FastifyReply {
  const playlist = readPlaylist(path)
  if (playlist === null) return sendFailure(reply, NOT_THERE)
  return anyOrigin(reply)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .type(PLAYLIST_TYPE)
    .send(withQuery(playlist, query))
}

/** Lets a script of any page read the answer, its status too. */
function anyOrigin(reply: FastifyReply): FastifyReply {
  return reply.header('access-control-allow-origin', '*')
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
  return anyOrigin(reply)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('content-length', size)
    .type(path.endsWith('.ts') ? 'video/mp2t' : PLAYLIST_TYPE)
    .send(handle.createReadStream(size === 0 ? {} : { end: size - 1 }))
}

/** Null for a link to somewhere else, and for what is no file: a pipe would be waited for. */
async function openPlain(path: string): Promise<FileHandle | null> {
  const handle = await open(path, READ_PLAIN).catch(() => null)
  if (handle === null || (await handle.stat()).isFile()) return handle
  await handle.close()
  return null
}
