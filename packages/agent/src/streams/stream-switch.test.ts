/** Two real feeds into one stream: what viewers are given when one of them dies, returns, or is chosen. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually, freeUdpPort, LIFE_LIMIT_MS, shared } from '../agent.fixture.ts'
import * as programService from '../programs/program.service.ts'
import {
  callStreamApi,
  newSegments,
  openStreamSite,
  playlistOf,
  readStream,
  segmentsOf,
  startEncoder,
} from './stream-site.fixture.ts'
import { breaksIn, expectShown, recordPlaylist } from './playlist-record.fixture.ts'
import { hlsId, linkKey, pushId } from './programs/stream.units.ts'

const site = shared(async () => openStreamSite())

/** A machine that does other things too lets a living feed pause; no switch shall come of that here. */
const BUSY_S = 8

async function putStream(name: string, body: object): Promise<void> {
  expect((await callStreamApi(site, 'PUT', `/streams/${name}`, body)).status).toBe(200)
}

async function untilShown(name: string, url: string): Promise<void> {
  await eventually(() =>
    expect(
      segmentsOf(site, name)
        .at(-1)
        ?.startsWith(`${linkKey(url)}-`),
    ).toBe(true),
  )
}

async function activeInput(name: string): Promise<number> {
  const { inputs } = await readStream(site, name)
  return inputs.findIndex((input) => input.stats?.active === true)
}

/** A player from outside: all of the window and what comes, until it has seen so many seconds. */
async function play(name: string, seconds: number): Promise<string> {
  if (!site.app.server.listening) await site.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = site.app.server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}/${name}/index.m3u8`
  const args = ['-v', 'fatal', '-live_start_index', '0', '-i', address, '-t', `${seconds}`]
  const player = spawn('ffmpeg', [...args, '-f', 'null', '-progress', 'pipe:1', '-'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const out: Buffer[] = []
  player.stdout.on('data', (bytes: Buffer) => out.push(bytes))
  const [code] = (await once(player, 'close')) as [number]
  return code === 0 ? Buffer.concat(out).toString() : `ended with ${code}`
}

function pidOf(programId: string): number | null {
  return programService.report(site.ctx, programId)?.pid ?? null
}

test(
  'CHAN-37 the shown feed dies: the standby goes on in the same playlist, and the first comes back',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const urls = [await freeUdpPort(), await freeUdpPort()].map((port) => `udp://127.0.0.1:${port}`)
    const [first = '', second = ''] = urls
    const push = `udp://127.0.0.1:${await freeUdpPort()}`
    await putStream('pair', {
      inputs: urls.map((url) => ({ url })),
      pushes: [{ url: push }],
      source_timeout: BUSY_S,
    })
    const portOf = (url: string) => Number(url.split(':').at(-1))
    const feed = startEncoder(site, portOf(first))
    await using standby = startEncoder(site, portOf(second))
    using record = recordPlaylist(site, 'pair')
    await untilShown('pair', first)
    // The standby is known to be ready before it is needed.
    await eventually(async () => {
      await site.streams.probeNow()
      const { inputs, stats } = await readStream(site, 'pair')
      expect(inputs.map((input) => input.stats?.active)).toEqual([true, false])
      for (const input of inputs) expect(input.stats?.media_info?.tracks).toHaveLength(2)
      expect(inputs[1]?.stats?.bitrate).toBeGreaterThan(0)
      expect(stats.media_info?.tracks[0]).toMatchObject({ fps: 25, last_gop: 24 })
    })
    const stream = site.streams.find('pair')
    const pushed = pidOf(pushId(stream, push))
    const packagers = urls.map((url) => pidOf(hlsId(stream, url)))
    const breaks = breaksIn(record)

    await feed[Symbol.asyncDispose]()
    await untilShown('pair', second)
    expect(await activeInput('pair')).toBe(1)
    await eventually(async () => {
      const { inputs, stats } = await readStream(site, 'pair')
      expect(inputs[0]?.stats?.error).toContain('No picture arrives')
      expect(inputs[1]?.stats?.error).toBeUndefined()
      expect(stats).toMatchObject({ alive: true, status: 'running' })
    })
    // The push follows; the packagers stay.
    await eventually(() => {
      const now = pidOf(pushId(stream, push))
      expect(now !== null && now !== pushed).toBe(true)
    })
    expect(urls.map((url) => pidOf(hlsId(stream, url)))).toEqual(packagers)
    expectShown(record, [linkKey(first), linkKey(second)])
    expect(breaksIn(record)).toBe(breaks + 1)
    expect(await play('pair', 10)).toContain('progress=end')

    await using again = startEncoder(site, portOf(first))
    await untilShown('pair', first)
    expectShown(record, [linkKey(first), linkKey(second), linkKey(first)])
    expect(record.faults()).toEqual([])
    expect(breaksIn(record)).toBe(breaks + 2)
    expect(site.streams.find('pair').currentUrl).toBe(first)
    for (const source of [standby, again]) {
      expect(source.processes.map(({ exitCode }) => exitCode)).toEqual([null])
    }
    await callStreamApi(site, 'DELETE', '/streams/pair')
  },
)

test(
  'CHAN-37 an input chosen by hand, a restart of the agent, its packager killed, files spoilt by hand',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const urls = [await freeUdpPort(), await freeUdpPort()].map((port) => `udp://127.0.0.1:${port}`)
    const [first = '', second = ''] = urls
    await putStream('chosen', {
      inputs: [
        { url: second, priority: 2 },
        { url: first, priority: 1 },
      ],
      segment_duration: 1000,
      // A busy machine restarts the agent more slowly than six segments last; its viewers would then
      // be given a window that has nothing of the one before.
      segment_count: 60,
      source_timeout: BUSY_S,
    })
    const portOf = (url: string) => Number(url.split(':').at(-1))
    await using feed = startEncoder(site, portOf(first))
    await using standby = startEncoder(site, portOf(second))
    await untilShown('chosen', first)
    using record = recordPlaylist(site, 'chosen')
    const select = async (index: number) =>
      callStreamApi(site, 'POST', `/streams/chosen/inputs/${index}/select`)
    expect(await select(2)).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'input_not_found' }] },
      title: 'Input 2 does not exist; use 0 or 1.',
    })
    expect((await callStreamApi(site, 'POST', '/streams/none/inputs/0/select')).status).toBe(404)
    expect((await select(0)).status).toBe(204)
    await untilShown('chosen', second)
    expect((await readStream(site, 'chosen')).inputs.map(({ stats }) => stats)).toMatchObject([
      { active: true, selected: true },
      { active: false, selected: false },
    ])

    // The agent is away for a while: the playlist and the choice are as they were.
    const before = playlistOf(site, 'chosen')
    const breaks = breaksIn(record)
    await site.restart()
    await newSegments(site, 'chosen', 2, segmentsOf(site, 'chosen'))
    expect(before).toContain('#EXT-X-DISCONTINUITY\n')
    expect(record.faults()).toEqual([])
    expectShown(record, [linkKey(first), linkKey(second)])
    expect(breaksIn(record)).toBe(breaks)

    // Spoilt by hand, and gone: written anew, and the numbers only rise.
    for (const spoil of [
      () => writeFileSync(join(site.streams.folderOf('chosen'), 'v0.m3u8'), 'nonsense'),
      () => rmSync(join(site.streams.folderOf('chosen'), 'v0.m3u8')),
    ]) {
      const known = segmentsOf(site, 'chosen')
      spoil()
      await newSegments(site, 'chosen', 1, known)
    }
    record.look()

    // The packager is killed: the window stays, and goes on from the other input or its next life.
    const shown = record.all().length
    process.kill(pidOf(hlsId(site.streams.find('chosen'), second)) ?? 0, 'SIGKILL')
    await eventually(() => {
      const since = record.all().slice(shown)
      expect(since.some(({ isBreak }) => isBreak)).toBe(true)
    })
    expect(record.faults().filter((fault) => !fault.startsWith('not whole: nonsense'))).toEqual([])

    // A restart forgets the choice.
    expect((await callStreamApi(site, 'POST', '/streams/chosen/stop')).status).toBe(204)
    await untilShown('chosen', first)
    expect(site.streams.find('chosen')).toMatchObject({ selectedUrl: '', currentUrl: first })
    await newSegments(site, 'chosen', 1, segmentsOf(site, 'chosen'))
    expect(record.faults().filter((fault) => !fault.startsWith('not whole: nonsense'))).toEqual([])
    for (const source of [feed, standby]) {
      expect(source.processes.map(({ exitCode }) => exitCode)).toEqual([null])
    }
    await callStreamApi(site, 'DELETE', '/streams/chosen')
  },
)

test(
  'CHAN-32 a folder removed by hand is made again, and the stream plays on',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const port = await freeUdpPort()
    const url = `udp://127.0.0.1:${port}`
    await putStream('removed', { inputs: [{ url }] })
    await using feed = startEncoder(site, port)
    await newSegments(site, 'removed', 2, [])
    const sequence = Number(/SEQUENCE:(\d+)/.exec(playlistOf(site, 'removed'))?.[1])
    rmSync(site.streams.folderOf('removed'), { recursive: true })
    await eventually(() => expect(segmentsOf(site, 'removed').length).toBeGreaterThan(1))
    const again = Number(/SEQUENCE:(\d+)/.exec(playlistOf(site, 'removed'))?.[1])
    expect(again).toBeGreaterThan(sequence)
    expect(feed.processes.map(({ exitCode }) => exitCode)).toEqual([null])
    await callStreamApi(site, 'DELETE', '/streams/removed')
  },
)

test(
  'CHAN-32 a template with two renditions: a multivariant playlist, each with the same segments',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const port = await freeUdpPort()
    const url = `udp://127.0.0.1:${port}`
    await putStream('ladder', { inputs: [{ url }], template: 'abr-2' })
    await using feed = startEncoder(site, port)
    await newSegments(site, 'ladder', 2, [])
    const get = async (file: string) => site.app.inject({ method: 'GET', url: `/ladder/${file}` })
    await eventually(async () => {
      await site.streams.probeNow()
      const master = (await get('index.m3u8')).body
      expect(master).toMatch(/BANDWIDTH=\d+,RESOLUTION=\d+x576\nv0\.m3u8\n/)
      expect(master).toMatch(/BANDWIDTH=\d+,RESOLUTION=\d+x360\nv1\.m3u8\n/)
    })
    const [high = '', low = ''] = await Promise.all(
      ['v0.m3u8', 'v1.m3u8'].map(async (file) => (await get(file)).body),
    )
    const names = (text: string) => text.match(/\S+\.ts/g) ?? []
    expect(names(low).map((name) => name.replace('-v1-', '-v0-'))).toEqual(names(high))
    for (const name of [...names(high), ...names(low)].slice(-1)) {
      expect((await get(name)).statusCode).toBe(200)
    }
    const { template, stats } = await readStream(site, 'ladder')
    expect(template).toBe('abr-2')
    expect(stats.running_transcoder).toBe(true)
    expect(stats.media_info?.tracks).toMatchObject([
      { content: 'video', track_id: 'v1', height: 576 },
      { content: 'video', track_id: 'v2', height: 360 },
      { content: 'audio', track_id: 'a1' },
    ])
    expect(await play('ladder', 4)).toContain('progress=end')

    // Back to the picture as it came: one playlist, whose numbers go on.
    const sequence = Number(/SEQUENCE:(\d+)/.exec(high)?.[1])
    const known = segmentsOf(site, 'ladder')
    await putStream('ladder', { template: null })
    await newSegments(site, 'ladder', 1, known)
    const plain = (await get('index.m3u8')).body
    expect(Number(/SEQUENCE:(\d+)/.exec(plain)?.[1])).toBeGreaterThan(sequence)
    expect(feed.processes.map(({ exitCode }) => exitCode)).toEqual([null])
    await callStreamApi(site, 'DELETE', '/streams/ladder')
  },
)
