/** The console's client for media servers against our own channel server: a real agent, over HTTP. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  eventually,
  freeUdpPort,
  openTestAgent,
  type TestAgent,
} from '@trunkline/agent/agent.fixture'
import { FlussonicClient } from '@trunkline/api/stream-servers/flussonic.client'
import type { MediaServer } from '@trunkline/api/stream-servers/media-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPEN_GUARD } from '@trunkline/api/testing/open-guard'

let agent: TestAgent
let client: FlussonicClient
let server: MediaServer
beforeAll(async () => {
  agent = await openTestAgent(['channel'])
  client = new FlussonicClient(OPEN_GUARD)
  const [seat] = agent.config.seats
  server = { baseUrl: `http://127.0.0.1:${seat?.port}`, apiKey: seat?.key ?? '' }
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await agent[Symbol.asyncDispose]()
})

/** As an operator of the media server puts it; the client itself only changes streams. */
async function putStream(name: string, body: object): Promise<void> {
  const response = await fetch(`${server.baseUrl}/streamer/api/v3/streams/${name}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status, await response.text()).toBe(200)
}

/** A busy host is answered for before its programs run; the next change waits for them. */
async function untilAllRun(): Promise<void> {
  await eventually(() => {
    const wanted = agent.ctx.board.all().filter((program) => program.wanted === 'running')
    expect(wanted.length).toBeGreaterThan(0)
    expect(wanted.map(({ state }) => state)).toEqual(wanted.map(() => 'running'))
  })
}

const unknown = { kind: 'unknown stream' }

test('a stream is listed, read, switched, restarted and switched to another source', async () => {
  const [firstPort, secondPort] = [await freeUdpPort(), await freeUdpPort()]
  const inputs = [
    { url: `srt://:${firstPort}?passphrase=a-secret-of-ours`, priority: 1 },
    { url: `udp://127.0.0.1:${secondPort}`, priority: 2 },
  ]
  const pushes = [
    { url: 'srt://127.0.0.1:1999?passphrase=another-secret', disabled: true },
    { url: 'udp://127.0.0.1:1999', disabled: true },
  ]
  const name = 'live/evening.news'
  await putStream(name, { title: 'News', disabled: true, inputs, pushes })
  expect(await client.probe(server)).toBeGreaterThan(0)
  const { streams, leftOut } = await client.list(server)
  expect([streams.map((stream) => stream.name), leftOut]).toEqual([[name], 0])

  const { stream, places } = await client.sources(server, name)
  expect(stream).toMatchObject({ name, title: 'News', disabled: true, stats: { alive: false } })
  expect(places).toEqual([
    { url: `srt://:${firstPort}?passphrase=***`, place: 0 },
    { url: `udp://127.0.0.1:${secondPort}`, place: 1 },
  ])
  expect(stream.pushes.map(({ url }) => url)).toEqual([
    'srt://127.0.0.1:1999?passphrase=***',
    'udp://127.0.0.1:1999',
  ])

  const [first, ...rest] = await client.pushes(server, name)
  // Our own server keeps its secrets to itself, and takes a masked address for the one it has.
  expect(first?.url).toBe('srt://127.0.0.1:1999?passphrase=***')
  const put = await client.put(server, name, {
    pushes: [{ ...first, url: first?.url ?? '', disabled: false }, ...rest],
  })
  expect(put.pushes.map((push) => push.disabled ?? false)).toEqual([false, true])
  const kept = await readFile(join(agent.config.dataDir, 'streams', 'streams.json'), 'utf8')
  expect(kept).toContain('another-secret')

  expect(await client.put(server, name, { disabled: false })).toMatchObject({ name })
  await untilAllRun()
  await client.select(server, name, 1)
  await expect(client.select(server, name, 7)).rejects.toMatchObject({ kind: 'refused' })
  await client.stop(server, name)
  await untilAllRun()
  expect((await client.put(server, name, { disabled: true })).disabled).toBe(true)
})

test('a missing stream, and a wrong key, are reported as such', async () => {
  await expect(client.readStream(server, 'nowhere/at.all')).rejects.toMatchObject(unknown)
  await expect(client.stop(server, 'nowhere')).rejects.toMatchObject(unknown)
  await expect(client.select(server, 'nowhere', 0)).rejects.toMatchObject(unknown)
  await expect(client.list({ ...server, apiKey: 'another-key' })).rejects.toMatchObject({
    fault: { kind: 'wrong-key' },
  })
  const climbing = client.put(server, 'climbs/../up', { disabled: true })
  await expect(climbing).rejects.toMatchObject({ kind: 'refused' })
})

test('a list of several pages is read completely', async () => {
  const names = Array.from({ length: 103 }, (_, at) => `many/${String(at).padStart(3, '0')}`)
  for (const name of names) await putStream(name, { title: name, disabled: true })
  const listed = (await client.list(server)).streams.map((stream) => stream.name)
  expect(listed.filter((name) => name.startsWith('many/')).toSorted()).toEqual(names)
})
