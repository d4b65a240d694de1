/**
 * F10: one of three host agents hangs, so that it keeps its connection and answers nothing, and only its own host
 * waits: logs of the other hosts are read as fast as before. 200 hosts: `npm run bench -- slow-hosts`.
 */
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { atMost, percentile, printFigure, round, spread } from '../../kit/figure.ts'
import { MediaRig, NOTHING } from '../rig/media-rig.ts'
import type { MediaHost } from '../rig/media-site.ts'
import { roundsOf } from '../rig/rounds.ts'

const ROUNDS = roundsOf(20)
const READS = 40

await using rig = await MediaRig.open()
const { client } = rig.site
const beforeMs: number[] = []
const duringMs: number[] = []
const awayMs: number[] = []
const backMs: number[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  const target = rig.hostOf(at)
  const { host, serverId } = target
  await rig.round(NOTHING, async () => {
    beforeMs.push(...(await readLogs(target)))
    process.kill(host.agent.pid, 'SIGSTOP')
    const hungMs = performance.now()
    duringMs.push(...(await readLogs(target)))
    await rig.shown.until(() => rig.shown.host(serverId)?.online === false, 'the host is away')
    awayMs.push(performance.now() - hungMs)
    duringMs.push(...(await readLogs(target)))
    process.kill(host.agent.pid, 'SIGCONT')
    const healedMs = performance.now()
    await rig.shown.until(() => rig.shown.host(serverId)?.online === true, 'the host is back')
    backMs.push(performance.now() - healedMs)
  })
}
const { figures, goals } = await rig.finish()
const ratio = percentile(duringMs, 95) / percentile(beforeMs, 95)
printFigure({
  bench: 'agent-hung',
  rounds: ROUNDS,
  ours: {
    ...figures,
    logBeforeMs: { ...spread(beforeMs), p95: round(percentile(beforeMs, 95)) },
    logDuringMs: { ...spread(duringMs), p95: round(percentile(duringMs, 95)) },
    shownAsAwayMs: spread(awayMs),
    backMs: spread(backMs),
  },
  limit: {},
  goals: [
    ...goals,
    atMost('logs of other hosts, p95 to before', ratio, 1.1, 'x'),
    atMost('shown as away', Math.max(...awayMs), 10_000, 'ms'),
    atMost('true again after the repair', Math.max(...backMs), 3000, 'ms'),
  ],
})

/** Of links on hosts that do not hang, one after the other. */
async function readLogs(hung: MediaHost): Promise<number[]> {
  const inputs = rig.site.links.filter(({ receiver }) => receiver !== hung)
  const tookMs: number[] = []
  for (let at = 0; at < READS; at += 1) {
    const id = inputs[at % inputs.length]?.inputId ?? ''
    const startedMs = performance.now()
    const body = { id, type: ACTION_TYPE.input, actionType: 'tail' as const }
    await callApi(client, contributionAction, { body })
    tookMs.push(performance.now() - startedMs)
  }
  return tookMs
}
