/** A real encoder, real links, a real packager: what a stream does when its feed comes and goes. */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { RistLeg, SrtLeg } from '@trunkline/contract/agent/program.messages'
import { afterEach, expect, test } from 'vitest'
import { srtLeg, ristLeg } from '../commands/leg.fixture.ts'
import {
  eventually,
  freeUdpPort,
  nextEvent,
  untilReport,
  LIFE_LIMIT_MS,
  shared,
} from '../agent.fixture.ts'
import * as programService from '../programs/program.service.ts'
import {
  callStreamApi,
  mediaSequence,
  newSegments,
  openStreamSite,
  readStream,
  segmentsOf,
  startEncoder,
  startFeed,
  whenDecodes,
} from './stream-site.fixture.ts'
import { belongsTo, hlsId, ingestId, pushId } from './programs/stream.units.ts'

const site = shared(async () => openStreamSite())
afterEach(() => {
  site.skewMs = 0
})

const KEY = { passphrase: 'a-secret.of~the_link', bits: 128 } as const

function srtTo(port: number): SrtLeg {
  return srtLeg('call', port, { key: KEY })
}

function ristTo(port: number): RistLeg {
  return ristLeg('call', port, { statIntervalMs: 1000 })
}

async function putStream(name: string, inputs: readonly string[], pushes: readonly string[]) {
  const urls = (list: readonly string[]) => list.map((url) => ({ url }))
  const body = { inputs: urls(inputs), pushes: urls(pushes) }
  expect((await callStreamApi(site, 'PUT', `/streams/${name}`, body)).status).toBe(200)
  return site.streams.find(name)
}

function pidOf(programId: string): number | null {
  return programService.report(site.ctx, programId)?.pid ?? null
}

async function get(path: string) {
  return site.app.inject({ method: 'GET', url: path })
}

function numberOf(file: string | undefined): number {
  return Number(/(\d+)\.ts$/.exec(file ?? '')?.[1])
}

function highest(files: readonly string[]): number {
  return Math.max(...files.map(numberOf))
}

/** Sends nonsense as an attacker would: random, an empty datagram, a playlist that names a file. */
async function sendNonsense(port: number): Promise<void> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const playlist = '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'
  const send = async (bytes: Buffer) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.send(bytes, port, '127.0.0.1', () => resolve())
    return promise
  }
  for (let count = 0; count < 200; count++) await send(randomBytes(1 + ((count * 7) % 1400)))
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(1316, 0x47), Buffer.from(playlist)]) {
    await send(bytes)
  }
  socket.close()
}

test(
  'an SRT feed plays; it stops, returns, and the agent and the packager die in between',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const [port, localPort] = [await freeUdpPort(), await freeUdpPort()]
    const url = `srt://:${port}?passphrase=${KEY.passphrase}&latency=120`
    const stream = await putStream('demo/live', [url], [])
    const feed = startFeed(site, srtTo(port), localPort)
    const segments = await newSegments(site, 'demo/live', 2, [])
    const playlist = await get('/demo/live/index.m3u8')
    expect(playlist.headers).toMatchObject({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'content-type': 'application/vnd.apple.mpegurl',
    })
    expect(playlist.body).toContain(`\n${segments[0]}\n`)
    const segment = await get(`/demo/live/${segments[0]}`)
    expect(segment.headers['content-type']).toBe('video/mp2t')
    expect(segment.rawPayload.length).toBe(Number(segment.headers['content-length']))
    await whenDecodes(site, 'demo/live')
    await eventually(async () => {
      await site.streams.probeNow()
      const { stats, inputs } = await readStream(site, 'demo/live')
      expect(inputs[0]?.stats?.active).toBe(true)
      expect(stats).toMatchObject({ alive: true, status: 'running' })
      expect(stats.inputs_bandwidth).toBeGreaterThan(0)
      expect(stats.media_info?.tracks).toHaveLength(2)
    })
    const { stats } = await readStream(site, 'demo/live')
    expect(stats.media_info?.tracks).toMatchObject([
      { content: 'video', codec: 'h264', width: 720, height: 576, fps: 25, track_id: 'v1' },
      { content: 'audio', codec: 'aac', language: 'eng', track_id: 'a1' },
    ])

    // The feed stops: what is shown grows old, the packager waits.
    await feed[Symbol.asyncDispose]()
    site.skewMs = 13_000
    expect((await readStream(site, 'demo/live')).stats).toMatchObject({
      alive: false,
      status: 'waiting',
      inputs_bandwidth: 0,
    })
    // By this clock new segments would be old ones, and the packager stuck.
    site.skewMs = 0
    const pids = [hlsId(stream, stream.currentUrl), ingestId(stream, url)].map(pidOf)
    // The agent ends and comes back: no program notices.
    await site.restart()
    expect([hlsId(stream, stream.currentUrl), ingestId(stream, url)].map(pidOf)).toEqual(pids)

    // The feed returns: the same packager goes on, and its numbers only grow.
    const [sequence, before] = [mediaSequence(site, 'demo/live'), segmentsOf(site, 'demo/live')]
    await using again = startFeed(site, srtTo(port), localPort)
    await newSegments(site, 'demo/live', 2, before)
    await eventually(async () =>
      expect((await readStream(site, 'demo/live')).stats).toMatchObject({ alive: true }),
    )
    expect(pidOf(hlsId(stream, stream.currentUrl))).toBe(pids[0])
    expect(mediaSequence(site, 'demo/live')).toBeGreaterThanOrEqual(sequence)

    // The packager is killed: another takes its place and counts on.
    const last = segmentsOf(site, 'demo/live')
    const isRestart = (event: { type: string; programId?: string }) =>
      event.type === 'restart' && event.programId === hlsId(stream, stream.currentUrl)
    const restarted = nextEvent(site.ctx, isRestart)
    process.kill(pids[0] ?? 0, 'SIGKILL')
    await restarted
    const fresh = await newSegments(site, 'demo/live', 1, last)
    expect(numberOf(fresh[0])).toBeGreaterThan(highest(last))
    expect(again.processes.map(({ exitCode }) => exitCode)).toEqual([null, null])
    await callStreamApi(site, 'DELETE', '/streams/demo/live')
  },
)

test(
  'restart, a push switched on and off beside the picture, disabled and back',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const [port, localPort] = [await freeUdpPort(), await freeUdpPort()]
    const receiver = createSocket('udp4').bind(0, '127.0.0.1')
    await once(receiver, 'listening')
    const input = `srt://:${port}?passphrase=${KEY.passphrase}&latency=120`
    const push = `udp://127.0.0.1:${receiver.address().port}`
    const stream = await putStream('switched', [input], [])
    await using feed = startFeed(site, srtTo(port), localPort)
    const first = await newSegments(site, 'switched', 1, [])

    const packager = pidOf(hlsId(stream, stream.currentUrl))
    const arrived = once(receiver, 'message')
    await callStreamApi(site, 'PUT', '/streams/switched', {
      pushes: [{ url: push, disabled: false }],
    })
    const [datagram] = (await arrived) as [Buffer]
    expect(datagram[0]).toBe(0x47)
    expect((await readStream(site, 'switched')).pushes).toMatchObject([
      {
        url: push,
        disabled: false,
        stats: { status: expect.stringMatching(/starting|running/) as string },
      },
    ])
    await callStreamApi(site, 'PUT', '/streams/switched', {
      pushes: [{ url: push, disabled: true }],
    })
    await untilReport(site.ctx, pushId(stream, push), ({ state }) => state === 'stopped')
    expect(pidOf(hlsId(stream, stream.currentUrl))).toBe(packager)
    receiver.close()

    expect((await callStreamApi(site, 'POST', '/streams/switched/stop')).status).toBe(204)
    await untilReport(
      site.ctx,
      hlsId(stream, stream.currentUrl),
      ({ state, pid }) => state === 'running' && pid !== packager,
    )
    await newSegments(site, 'switched', 1, [...first, ...segmentsOf(site, 'switched')])

    await callStreamApi(site, 'PUT', '/streams/switched', { disabled: true })
    expect((await get('/switched/index.m3u8')).statusCode).toBe(404)
    for (const id of [hlsId(stream, stream.currentUrl), ingestId(stream, input)])
      await untilReport(site.ctx, id, ({ pid }) => pid === null)
    await eventually(() => expect(segmentsOf(site, 'switched')).toEqual([]))
    expect(await readStream(site, 'switched')).toMatchObject({
      disabled: true,
      stats: { alive: false },
    })
    await callStreamApi(site, 'PUT', '/streams/switched', { disabled: false })
    await newSegments(site, 'switched', 1, [])
    expect(feed.processes.map(({ exitCode }) => exitCode)).toEqual([null, null])
    await callStreamApi(site, 'DELETE', '/streams/switched')
  },
)

test(
  'a RIST feed plays, with the SRT input standing by; garbage on either port stops nothing',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const [rist, srt, localPort] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
    const inputs = [`rist://@:${rist}?buffer=120`, `srt://:${srt}?latency=120`]
    const stream = await putStream('far', inputs, [])
    const programs = [
      hlsId(stream, stream.currentUrl),
      ...inputs.map((url) => ingestId(stream, url)),
    ]
    for (const id of programs)
      await untilReport(site.ctx, id, (report) => report.state === 'running')
    const pids = programs.map(pidOf)
    await sendNonsense(rist)
    await sendNonsense(srt)
    await using feed = startFeed(site, ristTo(rist), localPort)
    const segments = await newSegments(site, 'far', 2, [])
    await whenDecodes(site, 'far')
    await sendNonsense(rist)
    await sendNonsense(srt)
    await newSegments(site, 'far', 1, segments)
    expect(programs.map(pidOf)).toEqual(pids)
    await eventually(async () => {
      const answer = await readStream(site, 'far')
      expect(answer.stats).toMatchObject({ alive: true })
      expect(answer.inputs.map((input) => input.stats?.active)).toEqual([true, false])
    })
    expect(feed.processes.map(({ exitCode }) => exitCode)).toEqual([null, null])
    await callStreamApi(site, 'DELETE', '/streams/far')
    expect(site.ctx.board.all().filter(({ id }) => belongsTo(id, 'far'))).toEqual([])
  },
)

test('a UDP feed plays after garbage came first', { timeout: LIFE_LIMIT_MS }, async () => {
  const port = await freeUdpPort()
  const stream = await putStream('raw', [`udp://127.0.0.1:${port}`], [])
  await untilReport(
    site.ctx,
    hlsId(stream, stream.currentUrl),
    (report) => report.state === 'running',
  )
  const packager = pidOf(hlsId(stream, stream.currentUrl))
  await sendNonsense(port)
  await using encoder = startEncoder(site, port)
  await newSegments(site, 'raw', 2, [])
  await whenDecodes(site, 'raw')
  expect(pidOf(hlsId(stream, stream.currentUrl))).toBe(packager)
  expect(encoder.processes.map(({ exitCode }) => exitCode)).toEqual([null])
  await callStreamApi(site, 'DELETE', '/streams/raw')
})
