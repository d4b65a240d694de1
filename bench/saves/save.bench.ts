/**
 * What a save costs on a large site: 10,000 encoders on 2,500 hosts that are all connected, each with
 * a feeder whose passphrase is sealed. Encoders are saved one after the other, first with nobody on
 * the live stream, then while ten people watch everything. The cost follows what changed, so the same
 * is measured on a small site.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { WATCHED_AT_MOST } from '@trunkline/contract/fleet/watch-key.rules'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import type { OwnProcess } from '@trunkline/testbed/child'
import { signIn } from '@trunkline/testbed/seed'
import { watchLoop } from '../kit/event-loop.ts'
import { atMost, cpuSecondsOf, printFigure, round, spread, type Goal } from '../kit/figure.ts'
import { EMAIL, ENCODERS_PER_HOST, fillSite, PASSWORD, startApi } from '../kit/large-site.ts'
import { FakeFleet } from '../kit/fleet/fake-fleet.ts'
import { keysOfAll, openLiveStream } from '../kit/live-stream.ts'

const [SMALL, LARGE] = [400, 10_000]
const VIEWERS = 10
const SAVE_FOR_MS = 10_000
const WARM_UP_MS = 3000
const IDLE_FOR_MS = 5000

interface Cost {
  /** Of the API's process, without what it uses when nobody saves. */
  cpuMsPerSave: number
  savesPerSecond: number
  answerMs: ReturnType<typeof spread>
}

await using fleet = await FakeFleet.open()
const { loopGoal: smallLoop, ...small } = await measure(SMALL)
const { loopGoal: largeLoop, ...large } = await measure(LARGE)
printFigure({
  bench: 'save',
  rounds: 1,
  ours: { small, large },
  limit: {},
  goals: [
    atMost('CPU of a save, nobody watches', large.unwatched.cpuMsPerSave, 10, 'ms'),
    atMost('CPU of a save, ten people watch', large.watched.cpuMsPerSave, 20, 'ms'),
    atMost(
      `CPU of a save, ${LARGE} encoders to ${SMALL}`,
      large.unwatched.cpuMsPerSave / small.unwatched.cpuMsPerSave,
      1.5,
      'x',
    ),
    smallLoop,
    largeLoop,
  ],
})

async function measure(
  encoders: number,
): Promise<{ unwatched: Cost; watched: Cost; loopGoal: Goal }> {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-save-'))
  try {
    await fillSite(join(folder, 'data'), { encoders, port: fleet.port })
    await using api = await startApi(join(folder, 'data'))
    const url = `http://127.0.0.1:${api.port}`
    const client = await signIn(url, EMAIL, PASSWORD)
    await fleet.linked(encoders / ENCODERS_PER_HOST)
    await saveFor(WARM_UP_MS, client, encoders, 'warm')
    const loop = await watchLoop(api)
    const unwatched = await costOfSaves(api, client, encoders, 'first')
    using viewing = new DisposableStack()
    for (let at = 0; at < VIEWERS; at += 1) viewing.use(await watch(client))
    const watched = await costOfSaves(api, client, encoders, 'second')
    return { unwatched, watched, loopGoal: await loop.goal(`${encoders} encoders`) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function costOfSaves(
  api: OwnProcess,
  client: Client,
  encoders: number,
  title: string,
): Promise<Cost> {
  const idle = await spend(api, async () => pause(IDLE_FOR_MS))
  let answersMs: number[] = []
  const busy = await spend(api, async () => {
    answersMs = await saveFor(SAVE_FOR_MS, client, encoders, title)
  })
  const cpuMs = busy.cpuMs - (idle.cpuMs / idle.wallMs) * busy.wallMs
  return {
    cpuMsPerSave: round(cpuMs / answersMs.length),
    savesPerSecond: round((answersMs.length / busy.wallMs) * 1000),
    answerMs: spread(answersMs),
  }
}

/** One encoder of each host in turn. Answers how long each save took. */
async function saveFor(
  durationMs: number,
  client: Client,
  encoders: number,
  title: string,
): Promise<number[]> {
  const answersMs: number[] = []
  const endsAt = performance.now() + durationMs
  while (performance.now() < endsAt) {
    const number = 1 + ((answersMs.length * ENCODERS_PER_HOST) % encoders)
    const startedAt = performance.now()
    const body = { _id: `e-${number}`, title: `${title} ${answersMs.length}` }
    await callApi(client, updateEncoder, { body })
    answersMs.push(performance.now() - startedAt)
  }
  return answersMs
}

async function spend(api: OwnProcess, work: () => Promise<unknown>) {
  const [startedAt, before] = [performance.now(), cpuSecondsOf(api.pid)]
  await work()
  const cpuMs = (cpuSecondsOf(api.pid) - before) * 1000
  return { cpuMs, wallMs: performance.now() - startedAt }
}

/** A browser on the live stream, until it is disposed. */
async function watch(client: Client): Promise<Disposable> {
  const ended = new AbortController()
  const keys = (await keysOfAll(client)).slice(0, WATCHED_AT_MOST)
  const { body } = await openLiveStream(client, keys, ended.signal)
  const drain = new WritableStream<Uint8Array>()
  void body?.pipeTo(drain).catch(() => undefined)
  return { [Symbol.dispose]: () => ended.abort() }
}
