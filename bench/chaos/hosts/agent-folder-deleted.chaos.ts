/**
 * The data folder of an agent is deleted while it runs: no stream notices, the console names the folder
 * and the repair, and what is asked of the host is refused and harms nothing. Then the agent is restarted,
 * as that sentence says, and every link of the host comes back, each once. 10 rounds take two minutes.
 */
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { listenersAt, processesOf } from '@trunkline/agent/supervisor/process-identity'
import { atMost, percentile, printFigure, round, spread } from '../../kit/figure.ts'
import { untilProblem } from '../rig/host-problem.ts'
import { commandLink } from '../rig/link-command.ts'
import { MediaRig } from '../rig/media-rig.ts'
import { roundsOf } from '../rig/rounds.ts'

const ROUNDS = roundsOf(10)
const WITHOUT_MS = 5000
const SHOWN_LIMIT_MS = 10_000
const HEARD_DATAGRAMS = 24

await using rig = await MediaRig.open()
const { client } = rig.site
const ending = new AbortController()
const backMs: number[] = []
const shownMs: number[] = []
const sentences = new Set<string>()
let ended = 0
let errors = 0
let touched = 0
let leftOver = 0
let vague = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const target = rig.hostOf(at)
  const links = rig.linksOn(target)
  const { socket } = openLayout(target.agentDir)
  const running = () => processesOf(socket).map(({ pid, startTicks }) => `${pid}:${startTicks}`)
  await rig.round({ links }, async () => {
    const before = running()
    const supervisors = listenersAt(socket).map(({ pid }) => pid)
    const deletedMs = performance.now()
    rmSync(target.agentDir, { recursive: true, force: true })
    sentences.add(await untilProblem(client, target, 'disk-unreadable', true))
    shownMs.push(performance.now() - deletedMs)
    const own = links.find(({ receiver }) => receiver === target)
    const asked = await commandLink(client, { kind: 'input', id: own?.inputId ?? '' }, 'restart')
    sentences.add(asked.sentence)
    if (asked.isDone || !asked.sentence.includes('Restart the agent')) vague += 1
    const hasEnded = target.host.agent.ended.then(() => true)
    if (await Promise.race([hasEnded, pause(WITHOUT_MS, false)])) ended += 1
    const after = new Set(running())
    touched += before.filter((process) => !after.has(process)).length
    for (const { sink } of links) errors += sink.continuityErrors
    const startedMs = performance.now()
    await target.host.restartAgent(ending.signal)
    await Promise.all(links.map(async ({ sink }) => sink.until(sink.datagrams + HEARD_DATAGRAMS)))
    backMs.push(performance.now() - startedMs)
    const now = listenersAt(socket).map(({ pid }) => pid)
    leftOver += now.filter((pid) => supervisors.includes(pid)).length
    leftOver += running().filter((process) => after.has(process)).length
  })
}
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'agent-folder-deleted',
  rounds: ROUNDS,
  ours: {
    ...figures,
    shownMs: spread(shownMs),
    backMs: { ...spread(backMs), p95: round(percentile(backMs, 95)) },
    sentences: [...sentences],
  },
  limit: {},
  goals: [
    ...goals,
    atMost('agents that ended', ended, 0, 'agents'),
    atMost(
      'processes of the host that ended while its folder was missing',
      touched,
      0,
      'processes',
    ),
    atMost('continuity errors of its links until the repair', errors, 0, 'errors'),
    atMost('restarts not refused with the repair', vague, 0, 'commands'),
    atMost('shown as a problem of the host', Math.max(...shownMs), SHOWN_LIMIT_MS, 'ms'),
    atMost('processes left over after the repair', leftOver, 0, 'processes'),
    atMost('all links back with an empty folder', Math.max(...backMs), 30_000, 'ms'),
  ],
})
