/**
 * F3: a host agent is killed with kill -9 and started again, and no link may notice; meanwhile its programs
 * are shown as unreachable, never as stopped. At least 20 kills take about three minutes.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, percentile, printFigure, round, spread } from '../../kit/figure.ts'
import { MediaRig, NOTHING } from '../rig/media-rig.ts'
import { roundsOf } from '../rig/rounds.ts'

const ROUNDS = roundsOf(60)
/** After the host is shown as away. */
const AWAY_MS = 1000

await using rig = await MediaRig.open()
const ending = new AbortController()
const staleMs: number[] = []
const backMs: number[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  const { host, serverId } = rig.hostOf(at)
  await rig.round(NOTHING, async () => {
    const killedMs = performance.now()
    process.kill(host.agent.pid, 'SIGKILL')
    await rig.shown.until(() => rig.shown.host(serverId)?.online === false, 'the host is away')
    staleMs.push(performance.now() - killedMs)
    await pause(AWAY_MS)
    const startedMs = performance.now()
    await host.restartAgent(ending.signal)
    await rig.shown.until(() => rig.shown.host(serverId)?.online === true, 'the host is back')
    backMs.push(performance.now() - startedMs)
  })
}
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'agent-killed',
  rounds: ROUNDS,
  ours: {
    ...figures,
    shownAsAwayMs: spread(staleMs),
    backAfterStartMs: { ...spread(backMs), p95: round(percentile(backMs, 95)) },
  },
  limit: {},
  goals: [
    ...goals,
    atMost('shown as away', Math.max(...staleMs), 5000, 'ms'),
    atMost('true again after its start, p95', percentile(backMs, 95), 3000, 'ms'),
  ],
})
