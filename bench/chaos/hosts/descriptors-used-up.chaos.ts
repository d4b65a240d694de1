/**
 * An agent may open nothing more, neither a file nor a connection, as with a leak or a low limit: no stream
 * notices, the agent does not end, and a restart is refused with the cause before anything is stopped. As
 * soon as it may open files again it carries commands out. 20 rounds take four minutes.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, percentile, printFigure, round, spread } from '../../kit/figure.ts'
import { commandLink } from '../rig/link-command.ts'
import { MediaRig, NOTHING } from '../rig/media-rig.ts'
import type { MediaLink } from '../rig/media-site.ts'
import { roundsOf } from '../rig/rounds.ts'

const ROUNDS = roundsOf(20)
const WITHOUT_MS = 6000
const HEARD_DATAGRAMS = 24

await using rig = await MediaRig.open()
const backMs: number[] = []
const sentences = new Set<string>()
let ended = 0
let vague = 0
let notDone = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const link = rig.linkOf(at)
  const { pid } = link.receiver.host.agent
  const usual = limitOf(pid)
  await rig.round(NOTHING, async () => {
    limit(pid, { soft: readdirSync(`/proc/${pid}/fd`).length, hard: usual.hard })
    await pause(WITHOUT_MS / 2)
    const asked = await restart(link)
    sentences.add(asked.sentence)
    if (asked.isDone || !asked.sentence.includes('open files')) vague += 1
    await pause(WITHOUT_MS / 2)
    limit(pid, usual)
    if (!existsSync(`/proc/${pid}`)) ended += 1
  })
  await rig.round({ links: [link] }, async () => {
    const startedMs = performance.now()
    if (!(await restart(link)).isDone) notDone += 1
    await link.sink.until(link.sink.datagrams + HEARD_DATAGRAMS)
    backMs.push(performance.now() - startedMs)
  })
}
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'descriptors-used-up',
  rounds: ROUNDS,
  ours: {
    ...figures,
    backMs: { ...spread(backMs), p95: round(percentile(backMs, 95)) },
    sentences: [...sentences],
  },
  limit: {},
  goals: [
    ...goals,
    atMost('agents that ended', ended, 0, 'agents'),
    atMost('restarts not refused with the cause', vague, 0, 'commands'),
    atMost('commands not done once it may open files again', notDone, 0, 'commands'),
    atMost('carried out again after', Math.max(...backMs), 10_000, 'ms'),
  ],
})

interface Limit {
  soft: number
  hard: number
}

async function restart(link: MediaLink) {
  return commandLink(rig.site.client, { kind: 'input', id: link.inputId }, 'restart')
}

function limitOf(pid: number): Limit {
  const line = readFileSync(`/proc/${pid}/limits`, 'utf8')
  const [, soft = '', hard = ''] = /^Max open files +(\d+) +(\d+)/m.exec(line) ?? []
  return { soft: Number(soft), hard: Number(hard) }
}

/** Descriptors that are open stay so. */
function limit(pid: number, { soft, hard }: Limit): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${soft}:${hard}`])
}
