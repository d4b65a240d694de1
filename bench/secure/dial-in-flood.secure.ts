/**
 * T16: the port for hosts that connect by themselves, flooded: 2,000 connections at once, each from an address of its
 * own and begun anew 0.1 s after it was closed. They say nothing, or half of what begins TLS, or begin it and go on no
 * further, or have certificates of another authority, revoked ones, and good ones of a host that was taken over. In the
 * middle of each flood all links of the right hosts are cut; half of them come back from a network where no host was.
 * Each must get in again as its agent tries it, and the API may not stop for longer than a person notices, must not
 * grow, and has to say what goes on. Beside the stops of the API stands for how long it ran on the core without a
 * break, and the longest stop of a process that does nothing: what the machine itself adds. Memory is counted twice:
 * what is in use before the first flood and after the last, once garbage is collected, which is what the API itself
 * keeps; and what is resident, which is also what V8 and malloc keep for more. `BENCH_ATTACKERS`, `BENCH_HOSTS`,
 * `BENCH_OLDER` (hosts whose agents are older, without a goal), `BENCH_SECONDS`: other sizes.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@trunkline/api/testing/process/own-port'
import {
  FIRST_ADMIN,
  startApi,
  WITH_ADMIN,
  type ApiProcess,
} from '@trunkline/api/testing/api-process'
import { makeFolder } from '@trunkline/api/testing/folder'
import { revokeEnrolment } from '@trunkline/contract/enrolment/enrolment.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { signIn } from '@trunkline/testbed/seed'
import { expect, onTestFinished, test } from 'vitest'
import { atLeast, atMost, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import type { AttackCounts, AttackKind, AttackOrder, Shown } from './dial-in-attack.ts'
import { enrolHosts, foreignCertificate, RightHost, type HostKind } from './dial-in-hosts.ts'
import { gaugeOf } from './gauge.ts'
import type { InUse, InUseQuestion } from './in-use.preload.ts'
import { printProof } from './proof.ts'

const ATTACKERS = settingOf('ATTACKERS', 2000)
const HOSTS = settingOf('HOSTS', 50)
const OLDER = settingOf('OLDER', 10)
const FLOOD_MS = settingOf('SECONDS', 15) * 1000
const BLOCKED_AT_MOST_MS = 50
const BACK_WITHIN_MS = 30_000
const KEPT_AT_MOST_MB = 100
const MORE_IN_USE_AT_MOST_MB = 5
const PAGE_BYTES = 4096
const IN_USE = new URL('in-use.preload.ts', import.meta.url)

const FLOODS: Readonly<Record<string, readonly AttackKind[]>> = {
  silent: ['silent'],
  half: ['half'],
  begun: ['begun'],
  wrong: ['wrong'],
  revoked: ['revoked'],
  stuck: ['stuck'],
  copied: ['copied'],
  mixed: ['silent', 'half', 'begun', 'wrong', 'revoked', 'stuck', 'copied'],
}

interface Flood {
  connections: number
  /** Of the slowest host of each kind, from the cut on; null: it was not back in time. */
  backMs: Record<HostKind, number | null>
  hostsBack: number
  blockedMs: number
  ranMs: number
  /** Of the process that does nothing. */
  idleBlockedMs: number
  keptMb: number
}

test('T16 hosts get in while 2,000 connections flood their port, and the API goes on', async () => {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const port = await freePort()
  const api = await startApi({
    ...WITH_ADMIN,
    TRUNKLINE_DATA_DIR: join(folder.path, 'data'),
    TRUNKLINE_SECRET_FILE: join(folder.path, 'secret.key'),
    TRUNKLINE_ALLOW_LOCAL_HOSTS: '1',
    TRUNKLINE_AGENT_LISTEN: `127.0.0.1:${port}`,
    TRUNKLINE_LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--import ${IN_USE.href}`,
  })
  const admin = await signIn(api.url, FIRST_ADMIN.email, FIRST_ADMIN.password)
  const idle = fork(join(import.meta.dirname, 'idle.process.ts'))
  onTestFinished(() => void idle.kill('SIGKILL'))
  // Two more than the right ones: one is taken over, the other is revoked.
  const enrolled = await enrolHosts(admin, HOSTS + OLDER + 2)
  const [copied, revoked, ...right] = enrolled
  if (copied === undefined || revoked === undefined) throw new Error('No host was enrolled.')
  await callApi(admin, revokeEnrolment, { params: { kind: 'server', id: revoked.serverId } })
  const hosts = right.map(
    (identity, number) => new RightHost(port, kindOf(number), number, identity),
  )
  onTestFinished(() => hosts.forEach((host) => host.close()))
  for (const host of hosts) host.connect()
  const quietMs = await untilBack(hosts, performance.now())

  const shown = {
    wrong: foreignCertificate(),
    revoked: revoked.shown,
    stuck: copied.shown,
    copied: copied.shown,
  }
  const before = await inUseOf(api.child, { givesBack: false })
  const floods: Record<string, Flood> = {}
  let strangersLinked = 0
  for (const [name, kinds] of Object.entries(FLOODS)) {
    const { flood, links } = await floodWith({ api, idle, hosts, kinds, port, shown })
    floods[name] = flood
    strangersLinked += (links.wrong ?? 0) + (links.revoked ?? 0)
  }
  const each = Object.entries(floods)
  const keptMb = each.reduce((sum, [, flood]) => sum + flood.keptMb, 0)
  const after = await inUseOf(api.child, { givesBack: true })
  const goals = [
    atMost('strangers linked', strangersLinked, 0, 'links'),
    ...each.flatMap(([name, { hostsBack, blockedMs }]) => [
      atLeast(`hosts back within 30 s, ${name}`, hostsBack, HOSTS, 'hosts'),
      atMost(`event loop blocked, ${name}`, blockedMs, BLOCKED_AT_MOST_MS, 'ms'),
    ]),
    atMost('memory kept after all floods', keptMb, KEPT_AT_MOST_MB, 'MB'),
    atMost(
      'more in use after all floods',
      after.usedMb - before.usedMb,
      MORE_IN_USE_AT_MOST_MB,
      'MB',
    ),
    atLeast('kinds of refusals in the log', refusalsIn(api).length, 2, 'kinds'),
  ]
  const ours = {
    attackers: ATTACKERS,
    hosts: HOSTS,
    older: OLDER,
    quietMs,
    floods,
    memory: { before, after },
    log: refusalsIn(api),
  }
  expect(printProof('dial-in-flood', { ours, faults: [], goals })).toEqual([])
})

async function floodWith(the: {
  api: ApiProcess
  idle: ChildProcess
  hosts: readonly RightHost[]
  kinds: readonly AttackKind[]
  port: number
  shown: Record<'wrong' | 'revoked' | 'stuck' | 'copied', Shown>
}): Promise<{ flood: Flood; links: AttackCounts['links'] }> {
  const { api, idle, hosts, kinds, port, shown } = the
  const residentMb = residentMbOf(api.child)
  await Promise.all([gaugeOf(api.child), gaugeOf(idle)])
  const attack = fork(join(import.meta.dirname, 'dial-in-attack.ts'))
  onTestFinished(() => void attack.kill('SIGKILL'))
  attack.send({ port, atOnce: ATTACKERS, shown, kinds } satisfies AttackOrder)
  await once(attack, 'message')
  const cutMs = performance.now()
  for (const host of hosts) host.cut()
  const backMs = await untilBack(hosts, cutMs)
  await pause(Math.max(0, FLOOD_MS - (performance.now() - cutMs)))
  const isBack = (host: RightHost) => host.backAfterMs(cutMs) < BACK_WITHIN_MS
  const hostsBack = hosts.filter((host) => host.kind !== 'older' && isBack(host)).length
  const [{ blockedMs, ranMs }, machine] = await Promise.all([gaugeOf(api.child), gaugeOf(idle)])
  attack.send('count')
  const [counts] = (await once(attack, 'message')) as [AttackCounts]
  attack.disconnect()
  await once(attack, 'exit')
  // What is closed takes a moment to be forgotten.
  await pause(2000)
  const keptMb = round(residentMbOf(api.child) - residentMb)
  const [connections, idleBlockedMs] = [counts.begun, machine.blockedMs]
  const flood = { connections, backMs, hostsBack, blockedMs, ranMs, idleBlockedMs, keptMb }
  process.stderr.write(`${kinds.join()}: ${JSON.stringify({ ...flood, links: counts.links })}\n`)
  return { flood, links: counts.links }
}

function kindOf(number: number): HostKind {
  if (number >= HOSTS) return 'older'
  return number % 2 === 0 ? 'known' : 'moved'
}

async function untilBack(hosts: readonly RightHost[], sinceMs: number): Promise<Flood['backMs']> {
  const limit = AbortSignal.timeout(BACK_WITHIN_MS)
  const ended = once(limit, 'abort').then(() => null)
  const of = async (kind: HostKind) => {
    const those = hosts.filter((host) => host.kind === kind)
    const all = Promise.all(those.map(async (host) => host.linkedSince(sinceMs)))
    return Promise.race([all.then(() => round(performance.now() - sinceMs)), ended])
  }
  const [known, moved, older] = await Promise.all([of('known'), of('moved'), of('older')])
  return { known, moved, older }
}

function residentMbOf({ pid }: ChildProcess): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return (pages * PAGE_BYTES) / 1e6
}

async function inUseOf(
  child: ChildProcess,
  { givesBack }: Pick<InUseQuestion, 'givesBack'>,
): Promise<Omit<InUse, 'type'>> {
  child.send({ type: 'in use?', givesBack } satisfies InUseQuestion)
  for (;;) {
    const [message] = (await once(child, 'message')) as [InUse | { type: string }]
    if (!('usedMb' in message)) continue
    return { usedMb: round(message.usedMb), residentMb: round(message.residentMb) }
  }
}

/** Their codes, of the port for agents. */
function refusalsIn(api: ApiProcess): string[] {
  const found = api.text().matchAll(/"code":"([A-Z_]+)","refusedSinceLastLine"/g)
  return [...new Set([...found].map(([, code = '']) => code))]
}
