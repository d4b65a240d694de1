/**
 * F8: the network between the API and a host loses every packet, both ways or one way, for a second or for a
 * minute: nothing old is shown as fresh, a command fails in time and is not carried out later. 30 short
 * cuts and 3 long ones take about six minutes; `CHAOS_CUT_SECONDS=15`: shorter long ones.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Cut } from '@trunkline/testbed/tcp-door'
import { numberOf } from '../kit/settings.ts'
import { atMost, percentile, printFigure, round, spread } from '../kit/figure.ts'
import { commandLink } from './rig/link-command.ts'
import { MediaRig, NOTHING } from './rig/media-rig.ts'
import { roundsOf } from './rig/rounds.ts'

const ROUNDS = roundsOf(30)
const CUTS: readonly Exclude<Cut, 'none'>[] = ['both', 'to-server', 'to-caller']
const SHORT_MS = 1000
const LONG_MS = numberOf('CHAOS_CUT_SECONDS', 60) * 1000
/** After the last cut, for what is carried out late. */
const LATE_MS = 5000

await using rig = await MediaRig.open()
const staleMs: number[] = []
const reportedMs: number[] = []
const backMs: number[] = []
const commands: { cut: Cut; isDone: boolean; tookMs: number; sentence: string }[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  const { door } = rig.hostOf(at)
  await rig.round(NOTHING, async () => {
    door.cut(CUTS[at % CUTS.length] ?? 'both')
    await pause(SHORT_MS)
    door.cut('none')
  })
}
for (const [at, how] of CUTS.entries()) {
  const target = rig.hostOf(at)
  await rig.round(NOTHING, async () => {
    const cutMs = performance.now()
    target.door.cut(how)
    const away = rig.shown.until(
      () => rig.shown.host(target.serverId)?.online === false,
      'the host is away',
    )
    // One way to the API the command arrives, and is right to be carried out.
    if (how !== 'to-caller') await stopInput(at, how)
    await away
    const awayMs = (rig.shown.host(target.serverId)?.atMs ?? Number.NaN) - cutMs
    // One way to the host its reports still come: what is shown is fresh until it gives up.
    if (how === 'to-server') reportedMs.push(awayMs)
    else staleMs.push(awayMs)
    await pause(Math.max(0, LONG_MS - (performance.now() - cutMs)))
    const healedMs = performance.now()
    target.door.cut('none')
    await rig.shown.until(
      () => rig.shown.host(target.serverId)?.online === true,
      'the host is back',
    )
    backMs.push(performance.now() - healedMs)
    await pause(LATE_MS)
  })
}
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'network-cut',
  rounds: ROUNDS,
  ours: {
    ...figures,
    longCutSeconds: LONG_MS / 1000,
    shownAsAwayMs: spread(staleMs),
    shownAsAwayWhileReportsComeMs: reportedMs.map(round),
    backMs: { ...spread(backMs), p95: round(percentile(backMs, 95)) },
    commands,
  },
  limit: {},
  goals: [
    // A command that is carried out late has touched its link.
    ...goals,
    atMost('shown as fresh while cut', Math.max(...staleMs), 10_000, 'ms'),
    atMost(
      'commands done over a cut network',
      commands.filter((c) => c.isDone).length,
      0,
      'commands',
    ),
    atMost('command answered', Math.max(...commands.map((c) => c.tookMs)), 5500, 'ms'),
    atMost('true again after the repair', Math.max(...backMs), 3000, 'ms'),
  ],
})

async function stopInput(at: number, cut: Cut): Promise<void> {
  const target = rig.hostOf(at)
  const link = rig.site.links.find(({ receiver }) => receiver === target)
  if (link === undefined) throw new Error(`${target.title} has no input.`)
  const answer = await commandLink(rig.site.client, { kind: 'input', id: link.inputId }, 'stop')
  commands.push({ cut, ...answer, tookMs: round(answer.tookMs) })
}
