/**
 * F5: the tool of a link is killed and comes back by itself, and every second time somebody stops the link
 * while it comes back: stopped it stays. Other links do not notice.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { programIdOf } from '@trunkline/api/programs/wanted-program'
import { atMost, percentile, printFigure, round, spread } from '../../kit/figure.ts'
import { commandLink } from '../rig/link-command.ts'
import { MediaRig } from '../rig/media-rig.ts'
import type { MediaLink } from '../rig/media-site.ts'
import { roundsOf } from '../rig/rounds.ts'
import { processesOn } from '../rig/truth.ts'

const ROUNDS = roundsOf(40)
/** supervisord has started it again by then, were it not stopped. */
const STOPPED_MS = 4000
/** From the kill to the stop: spread over the time in which it comes back. */
const STEP_MS = 170
const LONGEST_MS = 1500
const HEARD_DATAGRAMS = 24

await using rig = await MediaRig.open()
const { client } = rig.site
const shownMs: number[] = []
const outageMs: number[] = []
const commandMs: number[] = []
let ranAgain = 0
let refused = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const link = rig.linkOf(at)
  // Both ends in turn, with and without a stop.
  const end = endOf(link, at % 4 < 2 ? 'input' : 'output')
  await rig.round({ links: [link] }, async () => {
    const before = rig.shown.program(end.kind, end.id)
    const killedMs = performance.now()
    for (const pid of pidsOf(end)) process.kill(pid, 'SIGKILL')
    const isNoticed = () => rig.shown.program(end.kind, end.id) !== before
    if (at % 2 === 0) {
      await rig.shown.until(isNoticed, `${end.kind} has ended`)
      shownMs.push(performance.now() - killedMs)
      await link.sink.until(link.sink.datagrams + HEARD_DATAGRAMS)
      outageMs.push(link.sink.longestPauseMs)
    } else {
      await pause((at * STEP_MS) % LONGEST_MS)
      await stopAndStart(end)
      // Its far end has called again by then: no later round is to see that.
      await link.sink.until(link.sink.datagrams + HEARD_DATAGRAMS)
    }
  })
}
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'program-killed',
  rounds: ROUNDS,
  ours: {
    ...figures,
    shownMs: { ...spread(shownMs), p95: round(percentile(shownMs, 95)) },
    outageMs: spread(outageMs),
    stopMs: spread(commandMs),
  },
  limit: {},
  goals: [
    ...goals,
    atMost('end shown, p95', percentile(shownMs, 95), 1000, 'ms'),
    atMost('stopped links that ran again', ranAgain, 0, 'links'),
    atMost('stops and starts that were not done', refused, 0, 'commands'),
  ],
})

interface LinkEnd {
  kind: 'input' | 'output'
  id: string
  host: MediaLink['sender']
}

function endOf({ inputId, outputId, sender, receiver }: MediaLink, kind: LinkEnd['kind']): LinkEnd {
  if (kind === 'input') return { kind, id: inputId, host: receiver }
  return { kind, id: outputId, host: sender }
}

/** Of the tool, and not of the script around it where there is one. */
function pidsOf({ kind, id, host }: LinkEnd): number[] {
  const keys = [...(processesOn(host).get(programIdOf(kind, id)) ?? [])]
  const own = rig.shown.program(kind, id)?.pid
  const pids = keys.map((key) => Number(key.slice(0, key.indexOf(':'))))
  return pids.length === 1 ? pids : pids.filter((pid) => pid !== own)
}

async function stopAndStart(end: LinkEnd): Promise<void> {
  const stopped = await commandLink(client, end, 'stop')
  commandMs.push(stopped.tookMs)
  const program = programIdOf(end.kind, end.id)
  const endMs = performance.now() + STOPPED_MS
  let isRunning = false
  while (performance.now() < endMs) {
    // What was on its way to an end when the stop was answered has ended after a second.
    const isLate = performance.now() > endMs - STOPPED_MS + 1000
    isRunning ||= isLate && (processesOn(end.host).get(program)?.size ?? 0) > 0
    await pause(200)
  }
  if (isRunning) ranAgain += 1
  const started = await commandLink(client, end, 'start')
  if (!started.isDone) refused += 1
  const isUp = () => rig.shown.program(end.kind, end.id)?.state === 'running'
  await rig.shown.until(isUp, `${end.kind} runs again`)
}
