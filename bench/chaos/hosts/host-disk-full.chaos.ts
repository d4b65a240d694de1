/**
 * F7 on a host: the disk of an agent takes nothing more while its links run. No stream notices, neither
 * agent nor supervisord ends, the console names the disk, and a restart is carried out all the same; once
 * there is space the problem is gone. Mounts a small disk for each host, so it needs root. 10 rounds take
 * three minutes.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { listenersAt } from '@trunkline/agent/supervisor/process-identity'
import { atMost, percentile, printFigure, round, spread } from '../../kit/figure.ts'
import { untilProblem } from '../rig/host-problem.ts'
import { commandLink } from '../rig/link-command.ts'
import { MediaRig, NOTHING } from '../rig/media-rig.ts'
import type { MediaHost } from '../rig/media-site.ts'
import { roundsOf } from '../rig/rounds.ts'

const ROUNDS = roundsOf(10)
const DISK_BYTES = 64_000_000
/** The tools and supervisord write lines of log meanwhile. */
const FULL_MS = 5000
const SHOWN_LIMIT_MS = 10_000
const HEARD_DATAGRAMS = 24

await using rig = await MediaRig.open({ hostDisk })
const { client } = rig.site
const figures = { shownMs: [] as number[], goneMs: [] as number[], restartMs: [] as number[] }
const sentences = new Set<string>()
let ended = 0
let notDone = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const target = rig.hostOf(at)
  const own = rig.site.links.find(({ receiver }) => receiver === target)
  if (own === undefined) throw new Error('There are links to each host.')
  const before = processesOf(target)
  await rig.round(NOTHING, async () => {
    const fullMs = performance.now()
    fill(target)
    sentences.add(await untilProblem(client, target, 'disk-full', true))
    figures.shownMs.push(performance.now() - fullMs)
    await pause(FULL_MS)
  })
  await rig.round({ links: [own] }, async () => {
    const startedMs = performance.now()
    const asked = await commandLink(client, { kind: 'input', id: own.inputId }, 'restart')
    if (!asked.isDone) {
      notDone += 1
      sentences.add(asked.sentence)
    }
    await own.sink.until(own.sink.datagrams + HEARD_DATAGRAMS)
    figures.restartMs.push(performance.now() - startedMs)
    const freedMs = performance.now()
    rmSync(fillerOf(target))
    await untilProblem(client, target, 'disk-full', false)
    figures.goneMs.push(performance.now() - freedMs)
  })
  if (processesOf(target) !== before) ended += 1
}
const { figures: common, goals } = await rig.finish()
printFigure({
  bench: 'host-disk-full',
  rounds: ROUNDS,
  ours: {
    ...common,
    shownMs: spread(figures.shownMs),
    restartMs: { ...spread(figures.restartMs), p95: round(percentile(figures.restartMs, 95)) },
    goneMs: spread(figures.goneMs),
    sentences: [...sentences],
  },
  limit: {},
  goals: [
    ...goals,
    atMost('agents and supervisors that ended', ended, 0, 'hosts'),
    atMost('restarts not carried out on a full disk', notDone, 0, 'commands'),
    atMost('shown as a problem of the host', Math.max(...figures.shownMs), SHOWN_LIMIT_MS, 'ms'),
    atMost('gone once there is space', Math.max(...figures.goneMs), SHOWN_LIMIT_MS, 'ms'),
  ],
})

function hostDisk(agentDir: string): Disposable {
  const options = `size=${DISK_BYTES},mode=0700`
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', agentDir])
  return { [Symbol.dispose]: () => void execFileSync('umount', [agentDir]) }
}

function fillerOf({ agentDir }: MediaHost): string {
  return join(agentDir, 'filler')
}

/** To the last byte. */
function fill(host: MediaHost): void {
  for (const bytes of [1_000_000, 1]) {
    try {
      for (;;) appendFileSync(fillerOf(host), Buffer.alloc(bytes))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
}

/** Agent and supervisord, as text that changes when either is another process. */
function processesOf({ host, agentDir }: MediaHost): string {
  const supervisors = listenersAt(openLayout(agentDir).socket)
  return [host.agent.pid, ...supervisors.map(({ pid }) => pid)].join(' ')
}
