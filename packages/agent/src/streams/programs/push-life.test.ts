/** Pushes of every kind to real receivers that are away, come, die and come again. */
import { once } from 'node:events'
import type { LocalLeg } from '@trunkline/contract/agent/program.messages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, freeTcpPort, freeUdpPort, LIFE_LIMIT_MS, shared } from '../../agent.fixture.ts'
import { pushUnit } from '../../commands/channel.command.ts'
import { pushAnswer } from '../answers/push-answer.ts'
import { parsePushUrl } from '../definition/stream-url.rules.ts'
import {
  goodStream,
  newLeg,
  openSocket,
  openUnitSite,
  play,
  runPackager,
  startTool,
  untilDecodes,
  type Tool,
} from '../unit-site.fixture.ts'

const site = shared(openUnitSite)
let leg: LocalLeg
let feed: Tool
beforeAll(async () => {
  leg = await newLeg()
  feed = play(goodStream(site), leg)
})
afterAll(async () => {
  await feed[Symbol.asyncDispose]()
})

function unitTo(url: string) {
  return pushUnit(parsePushUrl(url), leg, site.facts)
}

function answerOf(programId: string, url: string) {
  return statsOf({ url, disabled: false }, programId)
}

function statsOf(push: { url: string; disabled: boolean }, programId: string) {
  const report = site.report(programId)
  return pushAnswer(push, { isStreamOff: false, report, refusal: '', nowMs: Date.now() }).stats
}

async function untilAnswer(programId: string, url: string, expected: object) {
  await eventually(() => expect(answerOf(programId, url)).toMatchObject(expected))
}

/** Away, there, gone, there again: what the push says each time. */
async function lifeOf(programId: string, url: string, receive: () => Promise<Tool>) {
  const some = expect.stringMatching(/\w{3}/) as string
  await site.run(programId, unitTo(url))
  await untilAnswer(programId, url, { status: 'retry', last_error: some })
  const first = await receive()
  await untilAnswer(programId, url, { status: 'running', retries: 0 })
  await first[Symbol.asyncDispose]()
  await untilAnswer(programId, url, { status: 'retry', last_error: some })
  expect(answerOf(programId, url)?.retries).toBeGreaterThan(0)
  await using _second = await receive()
  await untilAnswer(programId, url, { status: 'running', retries: 0 })
  expect(answerOf(programId, url)).not.toHaveProperty('last_error')
  await untilSends(programId, url)
}

/**
 * The rate is reported; the sum, where the tool counts it, continues over the far end's absences.
 */
async function untilSends(programId: string, url: string) {
  const before = answerOf(programId, url)?.bytes ?? 0
  await eventually(() => {
    const { bitrate = 0, bytes } = answerOf(programId, url) ?? {}
    expect(bitrate).toBeGreaterThan(0)
    if (url.startsWith('rist:')) expect(bytes).toBeUndefined()
    else expect(bytes).toBeGreaterThan(before)
  })
}

test(
  'CHAN: an RTMP push survives its server, and is Running only while it sends',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const url = `rtmp://127.0.0.1:${await freeTcpPort()}/app/the-key`
    const listen = [
      '-listen',
      '1',
      '-i',
      url,
      '-c',
      'copy',
      '-f',
      'null',
      '-progress',
      'pipe:1',
      '-',
    ]
    await lifeOf('ch-push-rtmp', url, async () => {
      return startTool(['ffmpeg', '-nostdin', '-v', 'quiet', ...listen])
    })
    const answer = JSON.stringify(answerOf('ch-push-rtmp', url))
    expect(answer).not.toContain('the-key')
    await site.stop('ch-push-rtmp', unitTo(url))
  },
)

test('CHAN: an SRT push survives its receiver', { timeout: LIFE_LIMIT_MS }, async () => {
  const [port, sink] = [await freeUdpPort(), await openSocket()]
  const url = `srt://127.0.0.1:${port}?latency=120`
  await lifeOf('ch-push-srt', url, async () => {
    const from = `srt://:${port}?mode=listener&latency=120`
    const tool = startTool(['srt-live-transmit', from, `udp://127.0.0.1:${sink.address().port}`])
    const [datagram] = (await once(sink, 'message')) as [Buffer]
    expect(datagram[0]).toBe(0x47)
    return tool
  })
  sink.close()
  await site.stop('ch-push-srt', unitTo(url))
})

test('CHAN: a RIST push survives its receiver', { timeout: LIFE_LIMIT_MS }, async () => {
  const [port, sink] = [await freeUdpPort(), await openSocket()]
  const url = `rist://127.0.0.1:${port}?buffer=120`
  await lifeOf('ch-push-rist', url, async () => {
    const to = `udp://127.0.0.1:${sink.address().port}`
    const tool = startTool([
      'ristreceiver',
      '-p',
      '1',
      '-i',
      `rist://@:${port}?buffer=120`,
      '-o',
      to,
    ])
    const [datagram] = (await once(sink, 'message')) as [Buffer]
    expect(datagram[0]).toBe(0x47)
    return tool
  })
  sink.close()
  await site.stop('ch-push-rist', unitTo(url))
})

test(
  'CHAN: switching a push off and on affects neither the others nor the packager',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const [sinkA, sinkB] = [await openSocket(), await openSocket()]
    const sinks = [sinkA, sinkB]
    const urls = sinks.map((sink) => `udp://127.0.0.1:${sink.address().port}`)
    const [urlA = '', urlB = ''] = urls
    const { folder } = await runPackager(site, 'ch-push-hls', leg)
    await site.run('ch-push-a', unitTo(urlA))
    await site.run('ch-push-b', unitTo(urlB))
    await Promise.all(sinks.map(async (sink) => once(sink, 'message')))
    await untilAnswer('ch-push-a', urlA, { status: 'running', retries: 0 })
    await untilAnswer('ch-push-b', urlB, { status: 'running', retries: 0 })
    await untilDecodes(folder)
    const pids = () => ['ch-push-a', 'ch-push-hls'].map((id) => site.report(id).pid)
    const before = pids()
    await site.stop('ch-push-b', unitTo(urlB))
    await eventually(() => expect(site.report('ch-push-b').pid).toBeNull())
    expect(statsOf({ url: urlB, disabled: true }, 'ch-push-b')).toEqual({
      status: 'pending',
      retries: 0,
    })
    await once(sinkA, 'message')
    await untilDecodes(folder)
    await site.run('ch-push-b', unitTo(urlB))
    await once(sinkB, 'message')
    expect(pids()).toEqual(before)
    for (const sink of sinks) sink.close()
    await site.stop('ch-push-a', unitTo(urlA))
    await site.stop('ch-push-b', unitTo(urlB))
  },
)
