/**
 * F1 and Rule 0: the API is killed with kill -9 while links run on three hosts, and no link may notice; two
 * browsers show the truth again once it is back.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, percentile, printFigure, round, spread } from '../kit/figure.ts'
import { MediaRig, NOTHING } from './rig/media-rig.ts'
import { roundsOf } from './rig/rounds.ts'

const ROUNDS = roundsOf(60)
const AWAY_MS = 500
/** Between the last save and the kill, so that kills fall into saves. */
const STEP_MS = 37

await using rig = await MediaRig.open()
const { api, hosts } = rig.site
const backMs: number[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  await rig.round(NOTHING, async () => {
    await pause((at * STEP_MS) % 200)
    await api.kill()
    await pause(AWAY_MS)
    const startedMs = performance.now()
    const isShownAgain = () =>
      hosts.every(({ serverId }) => {
        const shown = rig.shown.host(serverId)
        return shown?.online === true && shown.atMs > startedMs
      })
    await api.start()
    await rig.shown.until(isShownAgain, 'all hosts are shown again')
    backMs.push(performance.now() - startedMs)
  })
}
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'api-killed-with-links',
  rounds: ROUNDS,
  ours: {
    ...figures,
    shownAfterStartMs: { ...spread(backMs), p95: round(percentile(backMs, 95)) },
  },
  limit: {},
  goals: [...goals, atMost('true again after its start, p95', percentile(backMs, 95), 3000, 'ms')],
})
