/**
 * Playlists and segments of a channel, through the API, for browsers that cannot reach its server
 * (decisions.md 21). By channel and name of a file of its stream only: no address of a client's ever gets in.
 */
import { tokenQuery } from '@trunkline/contract/channels/playback-token.rules'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Context } from '../context.ts'
import { AppError, hostUnreachable } from '../errors.ts'
import { faultOfError } from '../hosts/link-fault.ts'
import type { Actor } from '../security/actor.ts'
import { MediaServerDown, type MediaServer } from '../stream-servers/media-server.ts'
import { mediaServerOf, serverFailure } from './channel-server.service.ts'
import { seesChannel } from './channel.policy.ts'
import * as channelService from './channel.service.ts'
import type { ChannelServer } from './channel.store.ts'
import { passFor } from './playback-link.service.ts'
import {
  hlsFile,
  IS_TOO_LARGE,
  liesAmongFiles,
  ownPlaylist,
  PLAYLIST_LIMITS,
  type HlsFile,
} from './hls-file.rules.ts'

/** Times are in milliseconds. */
export interface RelayLimits {
  firstByteMs: number
  wholeFileMs: number
  fileBytes: number
  playlistBytes: number
}

/** A segment of 10 s at 50 Mbit/s is 62 MB. */
export const RELAY_LIMITS: RelayLimits = {
  firstByteMs: 5000,
  wholeFileMs: 60_000,
  fileBytes: 64 * 1024 * 1024,
  playlistBytes: PLAYLIST_LIMITS.bytes,
}

export interface RelayedFile {
  contentType: string
  /** null when the server does not say. */
  lengthBytes: number | null
  body: Readable | string
}

export interface RelayRequest {
  channelId: string
  fileName: string
  /** Aborted when the viewer is gone; also frees what the relay holds after a whole answer. */
  signal: AbortSignal
}

/** Throws NotFound, HostUnreachable and HostTimeout, as long as nothing was sent. */
export async function open(
  ctx: Context,
  actor: Actor,
  request: RelayRequest,
  limits: RelayLimits = RELAY_LIMITS,
): Promise<RelayedFile> {
  const file = hlsFile(request.fileName)
  if (file === null) throw nothingToPlay()
  const { server, name } = await channelService.load(ctx, actor, request.channelId)
  // A folder of this stream may look like the name of another, which is another group's perhaps.
  const { streams } = ctx.board
  const isOther = (folder: string) => streams.find(server.id, `${name}/${folder}`) !== null
  if (file.folders.some(isOther)) throw nothingToPlay()
  // Nor is a channel that somebody called by the name of a folder of another group's stream a way in.
  const foreign = streams
    .channels()
    .filter(({ channel }) => channel.serverId === server.id && !seesChannel(actor, channel))
  if (foreign.some(({ channel }) => liesAmongFiles(name, channel.name))) throw nothingToPlay()
  const at = mediaServerOf(ctx, server)
  const pass = passFor(ctx, server, name)
  const query = pass === null ? '' : tokenQuery(pass.token)
  try {
    const answer = await firstBytes(at, request.signal, limits, async (signal) =>
      ctx.hosts.mediaServers.file(at, name, file.name, query, signal),
    )
    return await relayed(server, { ...file, query }, answer, limits)
  } catch (error) {
    throw serverFailure(actor, server, error) ?? error
  }
}

interface Answer {
  response: Dispatcher.ResponseData
  /** The body from its first chunk on. */
  first: IteratorResult<Buffer>
  rest: AsyncIterator<Buffer>
}

/** Waits for the first chunk, so that a server that goes silent after its headers is still a 504. */
async function firstBytes(
  at: MediaServer,
  viewer: AbortSignal,
  limits: RelayLimits,
  request: (signal: AbortSignal) => Promise<Dispatcher.ResponseData>,
): Promise<Answer> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(tooLate()), limits.firstByteMs)
  const whole = AbortSignal.timeout(limits.wholeFileMs)
  try {
    const response = await request(AbortSignal.any([viewer, late.signal, whole]))
    if (response.statusCode !== 200) {
      late.abort()
      return { response, first: { done: true, value: undefined }, rest: NOTHING }
    }
    const rest = response.body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    return { response, first: await rest.next(), rest }
  } catch (error) {
    if (error instanceof MediaServerDown) throw error
    throw new MediaServerDown(faultOfError(new URL(at.baseUrl).host, error, 'media server'))
  } finally {
    clearTimeout(timer)
  }
}

const NOTHING: AsyncIterator<Buffer> = {
  next: async () => Promise.resolve({ done: true, value: undefined }),
}

function tooLate(): DOMException {
  return new DOMException('No data came in time.', 'TimeoutError')
}

async function relayed(
  server: ChannelServer,
  file: HlsFile & { query: string },
  answer: Answer,
  limits: RelayLimits,
): Promise<RelayedFile> {
  const { statusCode, headers } = answer.response
  if (statusCode === 404 || statusCode === 410) throw nothingToPlay()
  if (statusCode !== 200) {
    throw hostUnreachable(
      `${server.title} answers the player with HTTP status ${statusCode}. Check its settings for playback.`,
    )
  }
  const isPlaylist = file.kind === 'playlist'
  const maxBytes = isPlaylist ? limits.playlistBytes : limits.fileBytes
  const lengthBytes =
    headers['content-length'] === undefined ? null : Number(headers['content-length'])
  const tooLong = isPlaylist ? notRelayed(server, IS_TOO_LARGE) : TOO_LONG
  const isTooLong = (lengthBytes ?? 0) > maxBytes
  if (headers['content-encoding'] !== undefined || isTooLong) {
    await answer.rest.return?.()
    if (isTooLong && isPlaylist) throw hostUnreachable(tooLong)
    throw hostUnreachable(
      `${server.title} answers the player with something that is not a stream file.`,
    )
  }
  const chunks = limited(answer, maxBytes, tooLong)
  const { contentType } = file
  if (!isPlaylist) {
    return { contentType, lengthBytes, body: Readable.from(chunks, { objectMode: false }) }
  }
  return { contentType, lengthBytes: null, body: await readPlaylist(server, chunks, file.query) }
}

const TOO_LONG = 'The file is too large to be relayed.'

function notRelayed(server: ChannelServer, excess: string): string {
  return `The playlist of ${server.title} ${excess}, which is not relayed. Make it shorter on the media server, or play it from there.`
}

/** `query`: with our token, which its addresses carry; viewers of the relay need none. */
async function readPlaylist(
  server: ChannelServer,
  chunks: AsyncIterable<Buffer>,
  query: string,
): Promise<string> {
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(chunk)
  const text = Buffer.concat(parts).toString('utf8')
  const playlist = query === '' ? text : text.replaceAll(query, '')
  const own = ownPlaylist(playlist)
  if ('text' in own) return own.text
  if ('excess' in own) throw hostUnreachable(notRelayed(server, own.excess))
  throw hostUnreachable(
    `The playlist of ${server.title} points outside the stream's own folder, which is not relayed. Play it directly from the server.`,
  )
}

/** Ends in an error when there is more than may be: the viewer gets a broken answer, never a long one. */
async function* limited(
  { first, rest }: Answer,
  maxBytes: number,
  tooLong: string,
): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for (let chunk = first; chunk.done !== true; chunk = await rest.next()) {
      bytes += chunk.value.length
      if (bytes > maxBytes) throw hostUnreachable(tooLong)
      yield chunk.value
    }
  } finally {
    await rest.return?.()
  }
}

function nothingToPlay(): AppError {
  return new AppError(
    'not_found',
    'There is nothing to play here: no such file, or the stream is disabled or has not started.',
    {},
  )
}
