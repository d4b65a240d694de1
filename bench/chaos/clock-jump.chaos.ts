/**
 * F11: the clock of the API jumps an hour ahead, an hour back and ten years ahead, and back again: no link is
 * shown wrongly, uptimes stay right, and who is signed in stays so or is asked to sign in, never for good.
 * Needs Debian's package faketime.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { CallFailed } from '@trunkline/testbed/api-client'
import { atMost, printFigure, spread } from '../kit/figure.ts'
import { FalseClock, JUMPED_MS } from './rig/false-clock.ts'
import { MediaRig, NOTHING } from './rig/media-rig.ts'
import { roundsOf } from './rig/rounds.ts'
import { readUptimes, UPTIME_MS, uptimeErrors } from './rig/uptimes.ts'

const JUMPS_S = [3600, -3600, 315_360_000]
const ROUNDS = roundsOf(30)

using clock = new FalseClock()
await using rig = await MediaRig.open({ apiEnv: clock.env })
const { client } = rig.site
const refusedBy = new Map<number, number>()
const uptimeErrorMs: number[] = []
let lostSessions = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const seconds = JUMPS_S[at % JUMPS_S.length] ?? 0
  await rig.round(NOTHING, async () => {
    const before = await readUptimes(client)
    const beganMs = performance.now()
    clock.jump(seconds)
    await pause(JUMPED_MS)
    const during = await readUptimes(client).catch((error: unknown) => {
      if (!(error instanceof CallFailed) || error.httpStatus !== 401) throw error
      refusedBy.set(seconds, (refusedBy.get(seconds) ?? 0) + 1)
      return null
    })
    if (during !== null) {
      uptimeErrorMs.push(...uptimeErrors(before, during, performance.now() - beganMs))
    }
    clock.jump(0)
    await pause(JUMPED_MS)
    const after = await readUptimes(client).catch(() => null)
    if (after === null) lostSessions += 1
    else uptimeErrorMs.push(...uptimeErrors(before, after, performance.now() - beganMs))
  })
}
const { figures, goals } = await rig.finish()
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
