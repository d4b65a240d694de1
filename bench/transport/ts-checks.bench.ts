/**
 * What the checks of transport streams cost: 40 links of 4.5 Mbit/s, each sampled for two seconds in
 * thirty, and twelve of them read without gaps. `cores`: CPU seconds a second, of the thread that reads,
 * of what decides when, and of the programs that decode picture and audio. The limit: sockets that only read.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createSocket } from 'node:dgram'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { TransportChecks, type LinkTransport } from '@trunkline/agent/transport/transport-checks'
import { transportFaults } from '@trunkline/contract/fleet/transport.rules'
import { pino } from 'pino'
import { atLeast, atMost, median, printFigure, residentMegabytesOf, round } from '../kit/figure.ts'
import { recordStream } from './recorded-stream.ts'

const LINKS = 40
const FOLLOWED = 12
const KBPS = 4500
const PORT = 28_600
/** Two rounds of samples, after two in which each bus is looked at for the first time. */
const SETTLE_S = 75
const SAMPLED_S = 60
const FOLLOWED_S = 30
const BARE_S = 15
const GOAL_SAMPLED_CORES = 0.003
const GOAL_FOLLOWED_CORES = 0.025

const groups = Array.from({ length: LINKS }, (_, index) => `239.255.93.${index + 1}`)
const folder = mkdtempSync(join(tmpdir(), 'trunkline-ts-checks-'))
try {
  const file = join(folder, 'stream.ts')
  await recordStream(file, KBPS)
  const sampled = await withSender(file, groups, async () => measureChecks(groups, 0))
  const few = groups.slice(0, FOLLOWED)
  const { followed, bare } = await withSender(file, few, async () => ({
    followed: await measureChecks(few, FOLLOWED_S),
    bare: await measureBare(few),
  }))
  const perSampled = (sampled.cores / LINKS) * (KBPS / sampled.measuredKbps)
  // A busy machine sends less than it should: what is measured counts.
  const perFollowed = (followed.cores / FOLLOWED) * (KBPS / followed.measuredKbps)
  printFigure({
    bench: 'ts-checks',
    rounds: 1,
    ours: {
      links: LINKS,
      kbps: KBPS,
      sampled: { ...sampled, coresALink: round5(perSampled) },
      continuous: {
        ...followed,
        links: FOLLOWED,
        coresALink: round5(perFollowed),
        coresAMbps: round5(perFollowed / (followed.measuredKbps / 1000)),
      },
    },
    limit: { bareReadingCoresALink: round5(bare / FOLLOWED) },
    goals: [
      atMost('percent of a core, sampled link', perSampled * 100, GOAL_SAMPLED_CORES * 100, '%'),
      atMost('percent of a core, continuous', perFollowed * 100, GOAL_FOLLOWED_CORES * 100, '%'),
      atLeast('links measured', sampled.measuredLinks, LINKS, 'links'),
      atMost('false continuity errors', sampled.falseErrors + followed.falseErrors, 0, 'errors'),
    ],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function withSender<T>(
  file: string,
  to: readonly string[],
  measure: () => Promise<T>,
): Promise<T> {
  const path = join(import.meta.dirname, 'bare-sender.ts')
  const child = fork(path, [file, String(KBPS), String(PORT), ...to])
  try {
    await once(child, 'message')
    return await measure()
  } finally {
    child.disconnect()
    await once(child, 'exit')
  }
}

/** `followS` 0: sampled only. */
async function measureChecks(of: readonly string[], followS: number) {
  const reports: LinkTransport[] = []
  const links = of.map((ip, index) => ({
    programId: `input-${index}`,
    owner: 'acants-0',
    leg: { ip, port: PORT },
  }))
  await using checks = new TransportChecks({
    log: pino({ level: 'warn' }, pino.destination(2)),
    clock: Date.now,
    links: () => links,
    onReports: (_owner, all) => reports.push(...all),
  })
  checks.begin()
  const ids = links.map(({ programId }) => programId)
  const follow = () => checks.follow('acants-0', followS > 0 ? ids : [], 60_000)
  const isFollowed = follow()
  await wait((followS > 0 ? 4 : SETTLE_S) * 1000)
  reports.length = 0
  const cores = await coresDuring(followS > 0 ? followS : SAMPLED_S)
  const measured = reports.flatMap(({ report }) => (report?.state === 'measured' ? [report] : []))
  const wrong = measured.flatMap(transportFaults).filter(({ kind }) => kind === 'continuity')
  return {
    cores: round5(cores),
    followed: isFollowed,
    reports: measured.length,
    overloaded: reports.length - measured.length,
    measuredLinks: new Set(reports.map(({ programId }) => programId)).size,
    falseErrors: wrong.length,
    measuredKbps: Math.round(median(measured.map(({ bitrateKbps }) => bitrateKbps))),
    longestEveryS: round(Math.max(0, ...measured.map(({ everyMs }) => (everyMs ?? 0) / 1000))),
    residentMB: Math.round(residentMegabytesOf(process.pid)),
  }
}

/** The same datagrams, read and thrown away. */
async function measureBare(of: readonly string[]): Promise<number> {
  const sockets = of.map((ip) => {
    const socket = createSocket({ type: 'udp4', reuseAddr: true, recvBufferSize: 2_000_000 })
    socket.bind(PORT, ip, () => socket.addMembership(ip, '127.0.0.1'))
    socket.on('message', () => undefined)
    return socket
  })
  const cores = await coresDuring(BARE_S)
  for (const socket of sockets) socket.close()
  return cores
}

/** Of this process, which does nothing else meanwhile, and of those that it has started and that ended. */
async function coresDuring(seconds: number): Promise<number> {
  const [before, childrenBeforeMs, beginMs] = [process.cpuUsage(), childrenMs(), performance.now()]
  await wait(seconds * 1000)
  const { user, system } = process.cpuUsage(before)
  const usedMs = (user + system) / 1000 + childrenMs() - childrenBeforeMs
  return usedMs / (performance.now() - beginMs)
}

/** Linux counts in hundredths of a second. */
function childrenMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

function round5(value: number): number {
  return Math.round(value * 100_000) / 100_000
}
