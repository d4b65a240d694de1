/** For tests: single programs of the channel server under a real supervisord, and what they are fed with. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalLeg, ProgramReport } from '@trunkline/contract/agent/program.messages'
import { expect } from 'vitest'
import { eventually, freeUdpPort, openTestAgent, type TestAgent } from '../agent.fixture.ts'
import { hlsUnit, type Packaging } from '../commands/channel.command.ts'
import type { HostFacts } from '../commands/host-facts.ts'
import type { BuiltUnit } from '../commands/unit.ts'
import { factsOf } from '../host/host.ts'
import * as programService from '../programs/program.service.ts'

export interface UnitSite extends AsyncDisposable {
  readonly agent: TestAgent
  readonly facts: HostFacts
  /** For whatever a test writes; gone with the site. */
  readonly folder: string
  run(programId: string, built: BuiltUnit): Promise<void>
  stop(programId: string, built: BuiltUnit): Promise<void>
  report(programId: string): ProgramReport
}

export async function openUnitSite(): Promise<UnitSite> {
  const agent = await openTestAgent()
  const apply = async (programId: string, { unit }: BuiltUnit, wanted: 'running' | 'stopped') => {
    await programService.applyUnit(agent.ctx, { programId, unit, wanted, revision: 'r' })
  }
  return {
    agent,
    facts: factsOf(agent.ctx.host),
    folder: agent.config.dataDir,
    run: async (programId, built) => apply(programId, built, 'running'),
    stop: async (programId, built) => apply(programId, built, 'stopped'),
    report(programId) {
      const found = programService.report(agent.ctx, programId)
      if (!found) throw new Error(`No program ${programId}.`)
      return found
    },
    [Symbol.asyncDispose]: async () => agent[Symbol.asyncDispose](),
  }
}

/** A leg with as many readers as the host lets it have. */
export async function newLeg(): Promise<LocalLeg> {
  const port = await freeUdpPort()
  return { ip: `239.79.${port % 250}.${(port >> 8) + 1}`, port, ttl: 1 }
}

export const SECONDS: Packaging = { segmentMs: 1000, playlistSegments: 6, rungs: [] }

/** A packager of its own folder. */
export async function runPackager(
  site: UnitSite,
  programId: string,
  leg: LocalLeg,
  packaging = SECONDS,
) {
  const folder = join(site.folder, programId)
  mkdirSync(folder, { recursive: true })
  await site.run(programId, hlsUnit(leg, folder, packaging, site.facts))
  await eventually(() => expect(site.report(programId).state).toBe('running'))
  return { folder, programId }
}

/** Names of finished segments of a rendition, oldest first. */
export function segmentsIn(folder: string, rendition = 0): string[] {
  const mine = new RegExp(`^v${rendition}-\\d+\\.ts$`)
  return readdirSync(folder)
    .filter((name) => mine.test(name))
    .toSorted()
}

/**
 * Resolves with a segment that was not there before and that ffmpeg decodes without a word; it is a
 * second name of the file, beside the folder, since the packager soon removes the first. A busy
 * machine loses packets now and then, so one of many is enough.
 */
export async function untilDecodes(folder: string, rendition = 0): Promise<string> {
  const seen = new Set(segmentsIn(folder, rendition))
  let good = ''
  await eventually(() => {
    for (const file of segmentsIn(folder, rendition)) {
      if (good !== '' || seen.has(file)) continue
      seen.add(file)
      const kept = `${folder}-${file}`
      linkSync(join(folder, file), kept)
      if (decodes(kept)) good = kept
    }
    expect(good).not.toBe('')
  })
  return good
}

function decodes(path: string): boolean {
  const args = ['-v', 'error', '-f', 'mpegts', '-i', path, '-f', 'null', '-']
  const { stderr, status } = spawnSync('ffmpeg', args, { encoding: 'utf8' })
  return status === 0 && stderr === ''
}

export interface Tool extends AsyncDisposable {
  readonly process: ChildProcess
}

/** A tool of the test's own, in a group of its own. */
export function startTool(argv: readonly string[]): Tool {
  const [tool = '', ...args] = argv
  const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  child.stdout.resume()
  return {
    process: child,
    async [Symbol.asyncDispose]() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      process.kill(-child.pid, 'SIGKILL')
      await ended
    },
  }
}

/** ffmpeg's arguments for one kind of stream; small pictures, a key frame a second. */
export const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=25']
export const SOUND = ['-f', 'lavfi', '-i', 'sine=440']
export const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p']
export const AAC = ['-c:a', 'aac']

/** Makes a transport stream of some seconds; `args` are inputs and codecs. */
export function makeStream(
  site: Pick<UnitSite, 'folder'>,
  name: string,
  args: readonly string[],
  seconds = 4,
): string {
  const file = join(site.folder, `${name}.ts`)
  const all = ['-v', 'error', '-y', ...args, '-t', `${seconds}`, '-f', 'mpegts', file]
  const { stderr, status } = spawnSync('ffmpeg', all, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return file
}

export function goodStream(site: Pick<UnitSite, 'folder'>): string {
  return makeStream(site, 'good', [...PICTURE, ...SOUND, ...H264, ...AAC], 10)
}

/** Plays a file round and round, at its own speed, into a leg. */
export function play(file: string, { ip, port }: LocalLeg): Tool {
  const url = `udp://${ip}:${port}?localaddr=127.0.0.1&ttl=1&pkt_size=1316`
  const input = ['-re', '-stream_loop', '-1', '-i', file, '-map', '0', '-c', 'copy']
  return startTool(['ffmpeg', '-nostdin', '-v', 'quiet', ...input, '-f', 'mpegts', url])
}

const DATAGRAM_BYTES = 1316

/** Sends bytes into a leg as datagrams, faster than life. */
export async function send(bytes: Buffer, leg: LocalLeg, datagramBytes = DATAGRAM_BYTES) {
  const socket = await openSocket()
  socket.setMulticastInterface('127.0.0.1')
  for (let at = 0; at < Math.max(1, bytes.length); at += datagramBytes) {
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.send(bytes.subarray(at, at + datagramBytes), leg.port, leg.ip, () => resolve())
    await promise
  }
  socket.close()
}

/** Hears what arrives at a leg. */
export async function hear(leg: LocalLeg): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  socket.bind(leg.port, leg.ip)
  await once(socket, 'listening')
  socket.addMembership(leg.ip, '127.0.0.1')
  return socket
}

export async function openSocket(): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

/** How many processes of this host name this text in their command. */
export function processesNaming(text: string): number {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(text))
    .length
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
