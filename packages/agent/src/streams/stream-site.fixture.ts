/** For tests: the channel server of a real agent behind its API, and real feeds into it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { Seat } from '@trunkline/contract/agent/agent-config.schema'
import type { Leg } from '@trunkline/contract/agent/program.messages'
import { fastify, type FastifyInstance } from 'fastify'
import { openTestAgent, type TestAgent } from '../agent.fixture.ts'
import { configOf } from '../commands/encoder-config.fixture.ts'
import { unitOf } from '../commands/program.command.ts'
import type { Unit } from '../commands/unit.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../host/host.ts'
import { mountStreamApi } from './api/stream.routes.ts'
import { StreamService } from './stream.service.ts'

export const KEY = 'key-of-the-channel-seat'
const API = '/streamer/api/v3'

type Playback = NonNullable<Seat['playback']>

export interface StreamSite extends AsyncDisposable {
  readonly agent: TestAgent
  ctx: Context
  streams: StreamService
  app: FastifyInstance
  /** Added to the clock that decides what is alive. */
  skewMs: number
  /** The agent, and with it the channel server, ends and comes back; programs run on. */
  restart(): Promise<void>
}

/** `answerLimitMs`: so long a call waits for the programs that it changes; otherwise until they are. */
export async function openStreamSite(
  playback: Playback = 'open',
  answerLimitMs = SEGMENT_LIMIT_MS,
): Promise<StreamSite> {
  const agent = await openTestAgent()
  const site = { agent, skewMs: 0 } as StreamSite & {
    -readonly [K in keyof StreamSite]: StreamSite[K]
  }
  const open = async () => {
    site.ctx = { ...agent.ctx, clock: () => Date.now() + site.skewMs }
    site.streams = await StreamService.open(site.ctx)
    site.app = fastify()
    const { clock } = site.ctx
    mountStreamApi(site.app, site.streams, { key: KEY, playback }, { clock, answerLimitMs })
    await site.app.ready()
  }
  const close = async () => {
    await site.app.close()
    await site.streams[Symbol.asyncDispose]()
  }
  site.restart = async () => {
    await close()
    await agent.restart()
    await open()
  }
  site[Symbol.asyncDispose] = async () => {
    await close()
    await agent[Symbol.asyncDispose]()
  }
  await open()
  return site
}

interface Answer {
  status: number
  body: unknown
  /** The sentence of a failure, '' otherwise. */
  title: string
}

/** `path` after the API's own; `key` null sends none. */
export async function callStreamApi(
  site: StreamSite,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  authorization: string | null = `Bearer ${KEY}`,
): Promise<Answer> {
  const response = await site.app.inject({
    method,
    url: API + path,
    headers: authorization === null ? {} : { authorization },
    ...(body === undefined ? {} : { payload: body }),
  })
  const answer: unknown = response.body === '' ? null : JSON.parse(response.body)
  const errors = (answer as { errors?: { title: string }[] } | null)?.errors
  return { status: response.statusCode, body: answer, title: errors?.[0]?.title ?? '' }
}

export async function readStream(site: StreamSite, name: string): Promise<StreamDetail> {
  return StreamDetail.parse((await callStreamApi(site, 'GET', `/streams/${name}`)).body)
}

/** A tool of ours as a process of the test's own. */
export interface Feed extends AsyncDisposable {
  readonly processes: readonly ChildProcess[]
}

/** The real encoder, and a link that carries it to the stream's input. */
export function startFeed(site: StreamSite, outer: Leg, localPort: number): Feed {
  const local = { ip: '127.0.0.1', port: localPort, ttl: 1 }
  const link = run(unitOf({ kind: 'sender', local, outer }, factsOf(site.ctx.host)).unit)
  return feedOf([link, ...startEncoder(site, localPort).processes])
}

/** pal with the test pattern, as UDP to a port of this host. */
export function startEncoder(site: StreamSite, port: number): Feed {
  const facts = {
    ...factsOf(site.ctx.host),
    sources: [{ cardIdx: 0, kind: 'test-pattern' as const, device: '' }],
  }
  const config = configOf('pal', [`udp://127.0.0.1:${port}?ttl=1`])
  return feedOf([run(unitOf({ kind: 'encoder', config, feederLegs: [] }, facts).unit)])
}

function feedOf(processes: readonly ChildProcess[]): Feed {
  return {
    processes,
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map(endProcess))
    },
  }
}

/** As its script runs it: a caller calls again after a clean end. In a group of its own. */
function run({ argv, repeat }: Unit): ChildProcess {
  const loop = 'while "$@"; do sleep 0.3; done'
  const [tool = '', ...args] = repeat === 'never' ? argv : ['/bin/sh', '-c', loop, 'sh', ...argv]
  return spawn(tool, args, { stdio: 'ignore', detached: true })
}

/** Gently: a link that is closed properly is free for the next at once. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await ended
}

/** Only ends what hangs, below the limit of a test: a busy machine encodes slowly. */
const SEGMENT_LIMIT_MS = 120_000

/** What viewers are given now, oldest first. */
export function segmentsOf(site: StreamSite, name: string): string[] {
  return playlistOf(site, name)
    .split('\n')
    .filter((line) => line.endsWith('.ts'))
}

/** The first rendition's; '' while there is none. */
export function playlistOf(site: StreamSite, name: string): string {
  const file = join(site.streams.folderOf(name), 'v0.m3u8')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** `<input>-v0-<n>.ts` lies as `v0-<n>.ts` in the folder of its input. */
function segmentPath(site: StreamSite, name: string, segment: string): string {
  const dash = segment.indexOf('-')
  return join(site.streams.folderOf(name), segment.slice(0, dash), segment.slice(dash + 1))
}

/** Resolves once so many segments are listed that `before` does not name; rejects when they do not come. */
export async function newSegments(
  site: StreamSite,
  name: string,
  count: number,
  before: readonly string[],
): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  const look = () => {
    const found = segmentsOf(site, name).filter((file) => !before.includes(file))
    if (found.length >= count) resolve(found)
  }
  const watcher = watch(site.streams.folderOf(name), look)
  const timer = setTimeout(() => reject(new Error('No new segments came.')), SEGMENT_LIMIT_MS)
  look()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    watcher.close()
  }
}

/**
 * Resolves once ffmpeg decodes every picture of a segment without a word. A busy machine loses
 * packets now and then, and with them pictures; a packager at fault spoils every segment.
 */
export async function whenDecodes(site: StreamSite, name: string): Promise<void> {
  let seen: string[] = []
  for (;;) {
    const [file = ''] = (await newSegments(site, name, 1, seen)).slice(-1)
    const path = segmentPath(site, name, file)
    const args = ['-v', 'error', '-f', 'mpegts', '-i', path, '-f', 'null', '-']
    if (spawnSync('ffmpeg', args, { encoding: 'utf8' }).stderr === '') return
    seen = segmentsOf(site, name)
  }
}

/** The number of the first segment in the playlist. */
export function mediaSequence(site: StreamSite, name: string): number {
  return Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlistOf(site, name))?.[1])
}
