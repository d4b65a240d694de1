/**
 * F11: the clock of the API jumps an hour ahead, an hour back and ten years ahead, and back again: no link is
 * shown wrongly, uptimes stay right, and who is signed in stays so or is asked to sign in, never for good.
 * Needs Debian's package faketime.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { callApi, CallFailed } from '@trunkline/testbed/api-client'
import { atMost, printFigure, round, spread } from '../kit/figure.ts'
import { MediaRig, NOTHING } from './rig/media-rig.ts'
import { roundsOf } from './rig/rounds.ts'

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
if (!existsSync(LIBRARY)) {
  throw new Error(`There is no ${LIBRARY}. Install it: apt-get install faketime.`)
}
const JUMPS_S = [3600, -3600, 315_360_000]
const ROUNDS = roundsOf(30)
/** faketime reads its file once a second; readings come every five. */
const JUMPED_MS = 8000
/** An uptime is shown in seconds. */
const UPTIME_MS = 2000

const folder = mkdtempSync(join(tmpdir(), 'trunkline-clock-'))
const clockFile = join(folder, 'clock')
jump(0)
await using rig = await MediaRig.open({
  LD_PRELOAD: LIBRARY,
  FAKETIME_TIMESTAMP_FILE: clockFile,
  FAKETIME_CACHE_DURATION: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
})
const { client } = rig.site
const refusedBy = new Map<number, number>()
const uptimeErrorMs: number[] = []
let lostSessions = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const seconds = JUMPS_S[at % JUMPS_S.length] ?? 0
  await rig.round(NOTHING, async () => {
    const before = await uptimes()
    const beganMs = performance.now()
    jump(seconds)
    await pause(JUMPED_MS)
    const during = await uptimes().catch((error: unknown) => {
      if (!(error instanceof CallFailed) || error.httpStatus !== 401) throw error
      refusedBy.set(seconds, (refusedBy.get(seconds) ?? 0) + 1)
      return null
    })
    if (during !== null) compare(before, during, performance.now() - beganMs)
    jump(0)
    await pause(JUMPED_MS)
    const after = await uptimes().catch(() => null)
    if (after === null) lostSessions += 1
    else compare(before, after, performance.now() - beganMs)
  })
}
const { figures, goals } = await rig.finish()
rmSync(folder, { recursive: true, force: true })
const wrongUptimes = uptimeErrorMs.filter((error) => error > UPTIME_MS).length
printFigure({
  bench: 'clock-jump',
  rounds: ROUNDS,
  ours: {
    ...figures,
    uptimeErrorMs: spread(uptimeErrorMs),
    askedToSignInByJumpS: Object.fromEntries(refusedBy),
  },
  limit: {},
  goals: [
    ...goals,
    atMost('wrong uptimes', wrongUptimes, 0, 'programs'),
    atMost('sessions lost for good', lostSessions, 0, 'sessions'),
    atMost('asked to sign in by an hour ahead', refusedBy.get(3600) ?? 0, 0, 'people'),
  ],
})

/** Of the API's process, from its true clock. */
function jump(seconds: number): void {
  writeFileSync(clockFile, `${seconds < 0 ? '' : '+'}${seconds}\n`)
}

/** As a browser works them out: by the API's clock. */
async function uptimes(): Promise<Map<string, number>> {
  const { data } = await callApi(client, readLive, {})
  return new Map(
    data.programs.flatMap(({ id, startedAtMs }) =>
      startedAtMs === null ? [] : [[id, data.atMs - startedAtMs] as const],
    ),
  )
}

function compare(
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
  passedMs: number,
): void {
  for (const [id, uptimeMs] of now) {
    const expectedMs = (before.get(id) ?? uptimeMs - passedMs) + passedMs
    uptimeErrorMs.push(round(Math.abs(uptimeMs - expectedMs)))
  }
}
