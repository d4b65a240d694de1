/**
 * A link loses its far end among 200 that run: from the line in the tool's own log to the event on
 * a browser's live stream. The line is seen by looking at the file a thousand times a second.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  allConnected,
  openLinkFleet,
  PAIRS,
  type LinkFleet,
  type LinkPair,
} from './kit/link-fleet.ts'
import { atMost, percentile, printFigure, round } from './kit/figure.ts'
import { framesOf, keysOfAll, openLiveStream } from './kit/live-stream.ts'

const ROUNDS = 40
const LOOK_MS = 1
const LOST = /disconnected|timed out after/

interface Loss {
  lineToStreamMs: number
  stopToLineMs: number
}

const load = loadavg()[0] ?? 0
await using fleet = await openLinkFleet()
await using live = await openLive(fleet)
const losses: Record<LinkPair['protocol'], Loss[]> = { SRT: [], RIST: [] }
for (const pair of fleet.pairs.slice(0, ROUNDS)) {
  losses[pair.protocol].push(await lossOf(pair))
  await allConnected(fleet.site, PAIRS * 2)
}
const all = [...losses.SRT, ...losses.RIST].map((loss) => loss.lineToStreamMs)
printFigure({
  bench: 'peer-loss',
  rounds: all.length,
  ours: {
    links: PAIRS * 2,
    lineToStreamMs: shares(all),
    srtLineToStreamMs: shares(losses.SRT.map((loss) => loss.lineToStreamMs)),
    ristLineToStreamMs: shares(losses.RIST.map((loss) => loss.lineToStreamMs)),
    loadBefore: round(load),
  },
  // What comes before is the tool's own: it tells nobody sooner.
  limit: {
    srtStopToLineMs: shares(losses.SRT.map((loss) => loss.stopToLineMs)),
    ristStopToLineMs: shares(losses.RIST.map((loss) => loss.stopToLineMs)),
  },
  goals: [atMost('log line to live stream, slowest', Math.max(...all), 1000, 'ms')],
})

function shares(values: readonly number[]) {
  return {
    p50: round(percentile(values, 50)),
    p95: round(percentile(values, 95)),
    most: round(Math.max(...values)),
  }
}

/** The sender of the pair is stopped, so that it stays away; its receiver says so. It is started again. */
async function lossOf({ inputId, outputId }: LinkPair): Promise<Loss> {
  const log = receiverLog(inputId)
  const from = statSync(log).size
  const inStream = live.until(inputId)
  const stoppedAtMs = performance.now()
  const stopped = fleet.site.stop('output', outputId)
  const [lineAtMs, streamAtMs] = await Promise.all([lineIn(log, from), inStream])
  await stopped
  await fleet.site.start('output', outputId)
  return { lineToStreamMs: streamAtMs - lineAtMs, stopToLineMs: lineAtMs - stoppedAtMs }
}

/** Both tools speak of their peers on stderr. */
function receiverLog(inputId: string): string {
  const folder = join(fleet.site.dataDir, 'agent', 'logs')
  const name = readdirSync(folder).find((file) => file.includes(inputId) && file.endsWith('.err'))
  if (name === undefined) throw new Error(`No log of input ${inputId} in ${folder}.`)
  return join(folder, name)
}

/** When the line stood in the file. */
async function lineIn(log: string, from: number): Promise<number> {
  for (;;) {
    if (statSync(log).size > from && LOST.test(readFileSync(log).subarray(from).toString())) {
      return performance.now()
    }
    await pause(LOOK_MS)
  }
}

/** A browser's end of the live stream: when it hears that an input is without its peer. */
async function openLive({ site }: LinkFleet) {
  const end = new AbortController()
  const keys = await keysOfAll(site.client)
  const response = await openLiveStream(site.client, keys, end.signal)
  const waiting = new Map<string, (atMs: number) => void>()
  const read = readPrograms(response, (text) => {
    for (const [id, resolve] of waiting) {
      if (!text.includes(id) || !text.includes('"peer":"disconnected"')) continue
      resolve(performance.now())
      waiting.delete(id)
    }
  })
  // It ends with the site.
  const ended = read.catch(() => undefined)
  return {
    until: async (inputId: string) => {
      const { promise, resolve } = Promise.withResolvers<number>()
      waiting.set(inputId, resolve)
      return promise
    },
    async [Symbol.asyncDispose]() {
      end.abort()
      await ended
    },
  }
}

/** Each `program` event of the stream, whole. */
async function readPrograms(response: Response, onProgram: (text: string) => void): Promise<void> {
  for await (const frame of framesOf(response.body)) {
    if (frame.startsWith('event: program')) onProgram(frame)
  }
}
