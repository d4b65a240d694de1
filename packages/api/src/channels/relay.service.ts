/**
 * Playlists and segments of a channel, through the API, for browsers that cannot reach its server
 * (decisions.md 21). By channel and name of a file of its stream only: no address of a client's ever gets in.
 */
import { tokenQuery } from '@trunkline/contract/channels/playback-token.rules'
import { once } from 'node:events'
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
  namesAround,
  ownPlaylist,
  PLAYLIST_LIMITS,
  type HlsFile,
} from './hls-file.rules.ts'

/** Times are in milliseconds; that of the whole file counts from its first bytes. */
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
  if (isAnothers(ctx, actor, server.id, { name, file })) throw nothingToPlay()
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

/** By names alone: which streams stand where this one's files are, or have it among theirs. */
function isAnothers(
  { board: { streams } }: Context,
  actor: Actor,
  serverId: string,
  { name, file }: { name: string; file: HlsFile },
): boolean {
  const known = (streamName: string) => streams.known({ serverId, streamName })
  // A folder of this stream may look like the name of another, which is another group's perhaps.
  if (file.folders.some((folder) => known(`${name}/${folder}`) !== null)) return true
  // Nor is a channel that somebody called by the name of a folder of another group's stream a way in.
  const around = namesAround(name).flatMap((other) => known(other) ?? [])
  return around.some(({ channel }) => !seesChannel(actor, channel))
}

interface Answer {
  response: Dispatcher.ResponseData
  /** Ends the request; nothing more of its body comes. */
  end: () => void
}

/**
 * Waits for the first bytes, so that a server that goes silent after its headers is still a 504. By a
 * single signal: joined ones, and a time limit that outlives its file, were a third of what a file costs.
 */
async function firstBytes(
  at: MediaServer,
  viewer: AbortSignal,
  limits: RelayLimits,
  request: (signal: AbortSignal) => Promise<Dispatcher.ResponseData>,
): Promise<Answer> {
  const ours = new AbortController()
  const end = () => ours.abort(OVER)
  if (viewer.aborted) end()
  else viewer.addEventListener('abort', end, { once: true })
  const endLate = () => ours.abort(tooLate())
  const timer = setTimeout(endLate, limits.firstByteMs)
  try {
    const response = await request(ours.signal)
    const { body } = response
    if (response.statusCode === 200) await begun(body)
    // Whoever reads it hears of its failure; a body that nobody reads may fail in silence.
    body.on('error', () => undefined)
    if (!body.closed) {
      const whole = setTimeout(endLate, limits.wholeFileMs)
      body.once('close', () => clearTimeout(whole))
    }
    return { response, end }
  } catch (error) {
    if (error instanceof MediaServerDown) throw error
    throw new MediaServerDown(faultOfError(new URL(at.baseUrl).host, error, 'media server'))
  } finally {
    clearTimeout(timer)
  }
}

/** Made once: an error with its stack for each file costs more than ending it. */
export const OVER = new DOMException('over', 'AbortError')

/** An empty body may end without ever being readable. */
async function begun(body: Readable): Promise<void> {
  if (body.readableLength > 0 || body.readableEnded) return
  await Promise.race([once(body, 'readable'), once(body, 'end')])
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
  try {
    return await takenFrom(server, file, answer.response, limits)
  } catch (error) {
    answer.end()
    throw error
  }
}

async function takenFrom(
  server: ChannelServer,
  { kind, contentType, query }: HlsFile & { query: string },
  { statusCode, headers, body }: Dispatcher.ResponseData,
  limits: RelayLimits,
): Promise<RelayedFile> {
  if (statusCode === 404 || statusCode === 410) throw nothingToPlay()
  if (statusCode !== 200) {
    throw hostUnreachable(
      `${server.title} answers the player with HTTP status ${statusCode}. Check its settings for playback.`,
    )
  }
  const isPlaylist = kind === 'playlist'
  const maxBytes = isPlaylist ? limits.playlistBytes : limits.fileBytes
  const lengthBytes =
    headers['content-length'] === undefined ? null : Number(headers['content-length'])
  const tooLong = isPlaylist ? notRelayed(server, IS_TOO_LARGE) : TOO_LONG
  const isTooLong = (lengthBytes ?? 0) > maxBytes
  if (isTooLong && isPlaylist) throw hostUnreachable(tooLong)
  if (headers['content-encoding'] !== undefined || isTooLong) {
    throw hostUnreachable(
      `${server.title} answers the player with something that is not a stream file.`,
    )
  }
  if (isPlaylist) {
    const text = await readPlaylist(server, limited(body, maxBytes, tooLong), query)
    return { contentType, lengthBytes: null, body: text }
  }
  // As many bytes as it says, or the request fails: they need no count of ours.
  if (lengthBytes !== null) return { contentType, lengthBytes, body }
  const counted = Readable.from(limited(body, maxBytes, tooLong), { objectMode: false })
  return { contentType, lengthBytes, body: counted }
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
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLong: string,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw hostUnreachable(tooLong)
    yield chunk
  }
}

function nothingToPlay(): AppError {
  return new AppError(
    'not_found',
    'There is nothing to play here: no such file, or the stream is disabled or has not started.',
    {},
  )
}
