/**
 * F4: the supervisord of a host is killed with kill -9, and its agent starts it and every link of that host
 * again: no process is left over, none runs twice, and links of other hosts do not notice.
 */
import { instanceOf } from '@trunkline/agent/supervisor/supervisor.process'
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { identityOf } from '@trunkline/agent/supervisor/process-identity'
import { atMost, percentile, printFigure, round, spread } from '../../kit/figure.ts'
import { MediaRig } from '../rig/media-rig.ts'
import type { MediaHost } from '../rig/media-site.ts'
import { roundsOf } from '../rig/rounds.ts'
import { processesOn } from '../rig/truth.ts'

const ROUNDS = roundsOf(30)
/** Datagrams of a second: a link that is back has brought so many. */
const HEARD_DATAGRAMS = 24

await using rig = await MediaRig.open()
const outageMs: number[] = []
let leftOver = 0
let doubled = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const target = rig.hostOf(at)
  const links = rig.linksOn(target)
  const before = pidsOf(target)
  const sizes = sizesOf(target)
  await rig.round({ links }, async () => {
    const { pid } = instanceOf(openLayout(target.agentDir)) ?? { pid: 0 }
    if (pid === 0) throw new Error(`${target.title} has no supervisord.`)
    process.kill(pid, 'SIGKILL')
    await rig.shown.until(() => links.every((link) => isAnew(link, before)), 'all links run anew')
    await Promise.all(links.map(async ({ sink }) => sink.until(sink.datagrams + HEARD_DATAGRAMS)))
    outageMs.push(...links.map(({ sink }) => sink.longestPauseMs))
  })
  leftOver += before.filter((known) => identityOf(known) !== null).length
  doubled += [...sizesOf(target)].filter(([name, size]) => size > (sizes.get(name) ?? 0)).length
}
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'supervisor-killed',
  rounds: ROUNDS,
  ours: {
    ...figures,
    outageMs: { ...spread(outageMs), p95: round(percentile(outageMs, 95)) },
  },
  limit: {},
  goals: [
    ...goals,
    atMost('processes of the killed supervisord left over', leftOver, 0, 'processes'),
    atMost('programs that run twice', doubled, 0, 'programs'),
    atMost('link without a stream, p95', percentile(outageMs, 95), 5000, 'ms'),
  ],
})

function isAnew(link: (typeof rig.site.links)[number], before: readonly number[]): boolean {
  const ends = [
    rig.shown.program('input', link.inputId),
    rig.shown.program('output', link.outputId),
  ]
  return ends.every(
    (shown) => shown?.state === 'running' && shown.pid !== null && !before.includes(shown.pid),
  )
}

/** Of all its programs and the tools below them. */
function pidsOf(host: MediaHost): number[] {
  return [...processesOn(host).values()].flatMap((keys) =>
    [...keys].map((key) => Number(key.slice(0, key.indexOf(':')))),
  )
}

function sizesOf(host: MediaHost): Map<string, number> {
  return new Map([...processesOn(host)].map(([name, keys]) => [name, keys.size]))
}
