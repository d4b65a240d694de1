/**
 * Two hundred links on one host for the benches: every output calls an input of the same host, so
 * each pair is a whole link with both its ends, half of them SRT and half RIST. One input more
 * brings the stream in.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CallFailed } from '@trunkline/testbed/api-client'
import { freeUdpPort } from '@trunkline/testbed/free-port'
import { openLinkSite, type LinkSite } from '@trunkline/testbed/links/link-site'
import { startStream } from '@trunkline/testbed/encoder-streams/steady-stream'
import { endedWithBench, PASSWORD } from './site.ts'

export const PAIRS = 100
/** decisions.md 29. */
export const RATE_KBPS = 250
const LATENCY_MS = 300
/** Pairs that are made at the same time. */
const AT_ONCE = 5

export interface LinkFleet extends AsyncDisposable {
  readonly site: LinkSite
  readonly pairs: readonly LinkPair[]
  /** Where the stream is that all outputs read. */
  readonly groupPort: number
}

export interface LinkPair {
  protocol: 'SRT' | 'RIST'
  inputId: string
  outputId: string
}

/** Answers once all of them run and are connected. A busy machine takes minutes to start them. */
export async function openLinkFleet(): Promise<LinkFleet> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-fleet-'))
  const opening = openLinkSite({ dataDir, password: PASSWORD, run: 'bundle' })
  const site = await endedWithBench(opening, dataDir)
  try {
    const { stream, ...links } = await fill(site)
    return {
      site,
      ...links,
      async [Symbol.asyncDispose]() {
        await site[Symbol.asyncDispose]()
        stream[Symbol.dispose]()
      },
    }
  } catch (error) {
    await site[Symbol.asyncDispose]()
    throw error
  }
}

async function fill(site: LinkSite) {
  const ports = portsFrom(20_000)
  // A Local input runs nothing: its outputs read a group that is on the host already.
  const groupPort = await ports()
  const stream = await startStream(RATE_KBPS, groupPort)
  const sourceId = await site.addInput({
    title: 'Source',
    inputType: 'Local',
    config: { port: groupPort, multicast: stream.ip },
  })
  const pairs: LinkPair[] = []
  while (pairs.length < PAIRS) {
    const next: number[] = []
    while (next.length < AT_ONCE) next.push(await ports())
    pairs.push(...(await Promise.all(next.map(async (port) => addPair(site, sourceId, port)))))
  }
  await allConnected(site, pairs.length * 2)
  return { stream, pairs, groupPort }
}

function portsFrom(first: number): () => Promise<number> {
  const taken = new Set<number>()
  return async () => {
    const port = await freeUdpPort(first + 2 * taken.size, taken)
    taken.add(port)
    return port
  }
}

async function addPair(site: LinkSite, contributionId: string, port: number): Promise<LinkPair> {
  const inputType = port % 4 === 0 ? 'SRT' : 'RIST'
  const inputId = await site.addInput({
    title: `In ${port}`,
    inputType,
    config: { port, latency: LATENCY_MS, bufferMin: LATENCY_MS },
  })
  await start(site, 'input', inputId)
  const outputId = await site.addOutput({
    title: `Out ${port}`,
    inputType,
    contributionId,
    config: { host: '127.0.0.1', port, latency: LATENCY_MS, bufferMin: LATENCY_MS },
  })
  await start(site, 'output', outputId)
  return { protocol: inputType, inputId, outputId }
}

/** A machine that starts two hundred programs at once answers late, and starts them all the same. */
async function start(site: LinkSite, kind: 'input' | 'output', id: string): Promise<void> {
  try {
    await site.start(kind, id)
  } catch (error) {
    if (!(error instanceof CallFailed) || error.httpStatus !== 504) throw error
  }
}

export async function allConnected(site: LinkSite, count: number): Promise<void> {
  for (;;) {
    const links = await site.links()
    const well = links.filter((link) => link.state === 'running' && link.peer === 'connected')
    if (well.length === count) return
    await pause(500)
  }
}
