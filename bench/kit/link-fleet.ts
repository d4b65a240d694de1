/**
 * Links on one host for the benches, two hundred where nothing else is asked for: every output calls an
 * input of the same host, so each pair is a whole link with both its ends, half of them SRT and half
 * RIST. One input more brings the stream in.
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
const TRIES = 10

export interface FleetSize {
  pairs: number
  kbps: number
  protocols: readonly LinkPair['protocol'][]
}

const USUAL: FleetSize = { pairs: PAIRS, kbps: RATE_KBPS, protocols: ['SRT', 'RIST'] }

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
export async function openLinkFleet(size: FleetSize = USUAL): Promise<LinkFleet> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-fleet-'))
  const opening = openLinkSite({ dataDir, password: PASSWORD })
  const site = await endedWithBench(opening, dataDir)
  try {
    const { stream, ...links } = await fill(site, size)
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

async function fill(site: LinkSite, size: FleetSize) {
  const ports = portsFrom(20_000)
  // A Local input runs nothing: its outputs read a group that is on the host already.
  const groupPort = await ports()
  const stream = await startStream(size.kbps, groupPort)
  const sourceId = await site.addInput({
    title: 'Source',
    inputType: 'Local',
    config: { port: groupPort, multicast: stream.ip },
  })
  const pairs: LinkPair[] = []
  while (pairs.length < size.pairs) {
    const next: number[] = []
    while (next.length < Math.min(AT_ONCE, size.pairs - pairs.length)) next.push(await ports())
    const added = next.map(async (port, at) => {
      const protocol = size.protocols[(pairs.length + at) % size.protocols.length] ?? 'SRT'
      return addPair(site, { sourceId, port, protocol })
    })
    pairs.push(...(await Promise.all(added)))
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

interface Pair {
  sourceId: string
  port: number
  protocol: LinkPair['protocol']
}

async function addPair(site: LinkSite, { sourceId, port, protocol }: Pair): Promise<LinkPair> {
  const inputType = protocol
  const inputId = await site.addInput({
    title: `In ${port}`,
    inputType,
    config: { port, latency: LATENCY_MS, bufferMin: LATENCY_MS },
  })
  await start(site, 'input', inputId)
  const outputId = await site.addOutput({
    title: `Out ${port}`,
    inputType,
    contributionId: sourceId,
    config: { host: '127.0.0.1', port, latency: LATENCY_MS, bufferMin: LATENCY_MS },
  })
  await start(site, 'output', outputId)
  return { protocol, inputId, outputId }
}

/**
 * A machine that starts two hundred programs at once answers late, and starts them all the same. Where
 * its host was not linked yet, it is asked again.
 */
async function start(site: LinkSite, kind: 'input' | 'output', id: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await site.start(kind, id)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.httpStatus === 504) return
      if (error.httpStatus !== 502 || tried === TRIES) throw error
      await pause(1000)
    }
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
