/**
 * Twenty links of a whole site while API and agent are killed and come back, and while a save is
 * refused: no packet is missing at the far ends, and every process is the one that it was.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, freeUdpPort } from '@trunkline/agent/agent.fixture'
import { readInput, updateInput } from '@trunkline/contract/contributions/input.calls'
import type { InputEdit } from '@trunkline/contract/contributions/input.schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { callApi, CallFailed } from '../api-client.ts'
import { farTool, startTool, type FarEnd, type LinkKind } from './link-matrix.fixture.ts'
import { openLinkSite, type LinkSite } from './link-site.ts'
import {
  openSink,
  startStream,
  type Sink,
  type SteadyStream,
} from '../encoder-streams/steady-stream.ts'

const PAIRS = 10
const RATE_KBPS = 500
/**
 * The product's own. What a link makes good within it is not lost: so long may a busy machine leave
 * a tool of a link without its turn, and what is missing then was lost by a restart.
 */
const LATENCY_MS = 3000
/** One second of it, at each far end. */
const ENOUGH_DATAGRAMS = 50
const FAR = { key: { passphrase: '', bits: 0 }, latencyMs: LATENCY_MS } as const
const INPUT: LinkKind = { protocol: 'SRT', place: 'input', mode: 'Listen', bits: 0 }
const OUTPUT: LinkKind = { protocol: 'SRT', place: 'output', mode: 'Push', bits: 0 }

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-links-'))
let site: LinkSite
let stream: SteadyStream
const sinks: Sink[] = []
const farEnds: FarEnd[] = []
const inputIds: string[] = []

beforeAll(async () => {
  site = await openLinkSite({ dataDir, password: 'correct-horse-battery' })
  stream = await startStream(RATE_KBPS, await freeUdpPort())
  for (let pair = 0; pair < PAIRS; pair += 1) await openPair(pair)
  await pids()
  await everywhere(ENOUGH_DATAGRAMS)
})
afterAll(async () => {
  await Promise.all(farEnds.map(async (end) => end.kill()))
  await site[Symbol.asyncDispose]()
  stream[Symbol.dispose]()
  await Promise.all(sinks.map(async (sink) => sink[Symbol.asyncDispose]()))
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(`${dataDir}.key`, { force: true })
})

/** A caller from outside, our input, our output, a listener outside. */
async function openPair(pair: number): Promise<void> {
  const [port, farPort] = [await freeUdpPort(), await freeUdpPort()]
  const sink = await openSink()
  sinks.push(sink)
  const away = { ip: '127.0.0.1', port: sink.port }
  farEnds.push(startTool(farTool(OUTPUT, { outerPort: farPort, local: away, ...FAR })))
  const inputId = await site.addInput({
    title: `In ${pair}`,
    inputType: 'SRT',
    config: { port, latency: LATENCY_MS },
  })
  inputIds.push(inputId)
  const config = { mode: 'Push' as const, host: '127.0.0.1', port: farPort, latency: LATENCY_MS }
  const title = `Out ${pair}`
  const outputId = await site.addOutput({
    title,
    inputType: 'SRT',
    contributionId: inputId,
    config,
  })
  await Promise.all([site.start('input', inputId), site.start('output', outputId)])
  farEnds.push(startTool(farTool(INPUT, { outerPort: port, local: stream, ...FAR })))
}

async function everywhere(more: number): Promise<void> {
  await Promise.all(sinks.map(async (sink) => sink.until(sink.datagrams + more)))
}

/** By id; also once the API has its agent again and knows each of them running. */
async function pids(): Promise<Record<string, number | null>> {
  let found: Record<string, number | null> = {}
  await eventually(async () => {
    const links = await site.links()
    expect(links.filter(isWell)).toHaveLength(2 * PAIRS)
    found = Object.fromEntries(links.map(({ id, pid }) => [id, pid]))
  })
  return found
}

function isWell({ state, peer, pid }: Awaited<ReturnType<LinkSite['links']>>[number]): boolean {
  return state === 'running' && peer === 'connected' && pid !== null
}

function continuityErrors(): number {
  return sinks.reduce((sum, sink) => sum + sink.continuityErrors, 0)
}

function startCounting(): void {
  for (const sink of sinks) sink.empty()
}

function fieldOf(error: unknown): string | undefined {
  return error instanceof CallFailed ? error.failure.field : String(error)
}

test('the API is killed and comes back: no packet is missing on twenty links, each process is the same', async () => {
  const before = await pids()
  startCounting()
  process.kill(site.api.pid, 'SIGKILL')
  await everywhere(ENOUGH_DATAGRAMS)
  await site.restartApi()
  expect(await pids()).toEqual(before)
  await everywhere(ENOUGH_DATAGRAMS)
  process.stdout.write(`API killed: ${continuityErrors()} continuity errors on ${PAIRS} streams\n`)
  expect(continuityErrors()).toBe(0)
})

test('the agent is killed and comes back: no packet is missing on twenty links, each process is the same', async () => {
  const before = await pids()
  startCounting()
  process.kill(site.agent.pid, 'SIGKILL')
  await everywhere(ENOUGH_DATAGRAMS)
  await site.restartAgent()
  expect(await pids()).toEqual(before)
  await everywhere(ENOUGH_DATAGRAMS)
  process.stdout.write(
    `Agent killed: ${continuityErrors()} continuity errors on ${PAIRS} streams\n`,
  )
  expect(continuityErrors()).toBe(0)
})

test('API-52 a refused save leaves a running link alone: the same process, no packet missing, nothing stored', async () => {
  const [inputId = '', otherId = ''] = inputIds
  const read = async (id: string) =>
    (await callApi(site.client, readInput, { params: { id } })).data
  const [stored, other] = [await read(inputId), await read(otherId)]
  const before = await pids()
  startCounting()
  const port = Number(stored.config.port)
  const { config } = stored
  const wrong: [field: string, Partial<z.input<typeof InputEdit>>][] = [
    ['config.port', { config: { ...config, port: Number(other.config.port) } }],
    ['config.host', { config: { ...config, port, mode: 'Push', host: '' } }],
    ['encryption.passphrase', { encryption: { selection: 'yes', passphrase: 'one&two=three&4' } }],
    ['advanced.0.value', { advanced: [{ key: 'streamid', value: 'a&mode=listener' }] }],
    ['advanced.0.key', { advanced: [{ key: 'mode' as 'streamid', value: 'rendezvous' }] }],
  ]
  const common = { ...stored, config: { ...config, port } }
  for (const [field, part] of wrong) {
    const body = { ...common, ...part } as z.input<typeof InputEdit>
    const refused = callApi(site.client, updateInput, { params: { id: inputId }, body })
    await expect(refused.catch(fieldOf)).resolves.toBe(field)
  }
  await everywhere(ENOUGH_DATAGRAMS)
  expect(await pids()).toEqual(before)
  expect(continuityErrors()).toBe(0)
  expect(await read(inputId)).toEqual(stored)
})
