/**
 * What it costs to notice within seconds that a host is silent: 5,000 links of the product, idle, to
 * agents that give signs of life and to older ones that are asked, less links on which nothing is said.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DialPace } from '@trunkline/api/hosts/pace/dial-pace'
import { TasksInSlices } from '@trunkline/api/in-slices'
import { HostLink } from '@trunkline/api/hosts/host-link'
import { LINK_TIMING } from '@trunkline/api/hosts/link-timing'
import { dialGuard } from '@trunkline/api/security/host-guard'
import { SIGN_OF_LIFE_MS } from '@trunkline/contract/agent/host-link.messages'
import { pino } from 'pino'
import { closedBySignals } from '../kit/ending.ts'
import { addressOf } from '../kit/fleet/fake-fleet.ts'
import { atMost, printFigure, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'

const HOSTS = settingOf('HOSTS', 5000)
const SECONDS = settingOf('SECONDS', 20)
const BEAT_MS = settingOf('BEAT_MS', LINK_TIMING.beatMs)
const SETTLE_MS = 3000
const NEVER_MS = 600_000

const child = fork(join(import.meta.dirname, '../kit/fleet/bare-fleet.ts'))
const stop = closedBySignals(async () => {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
})
try {
  const [{ port, olderPort }] = (await once(child, 'message')) as [
    { port: number; olderPort: number },
  ]
  const signs = await coreOf(port, BEAT_MS)
  const asked = await coreOf(olderPort, BEAT_MS)
  const nothing = await coreOf(olderPort, NEVER_MS)
  const percent = (signs - nothing) * 100
  const ofOlder = (asked - nothing) * 100
  printFigure({
    bench: 'beats',
    rounds: 1,
    ours: {
      hosts: HOSTS,
      beatMs: BEAT_MS,
      percentOfOneCore: round(percent),
      microsecondsPerSign: round((percent * 10 * SIGN_OF_LIFE_MS) / HOSTS),
      olderAgents: {
        percentOfOneCore: round(ofOlder),
        microsecondsPerBeat: round((ofOlder * 10 * BEAT_MS) / HOSTS),
      },
    },
    limit: {},
    goals: [atMost('CPU to hear that all hosts are there', percent, 2, '% of a core')],
  })
} finally {
  await stop()
}

/** Of this process, with all hosts linked and nothing else to do. */
async function coreOf(port: number, beatMs: number): Promise<number> {
  const [pace, turns] = [new DialPace(), new TasksInSlices()]
  const log = pino({ level: 'silent' })
  const guard = dialGuard({ allowLocalHosts: true, hostPorts: null })
  const links = Array.from({ length: HOSTS }, (_, host) => {
    const address = { host: addressOf(host), port }
    const timing = { ...LINK_TIMING, beatMs }
    const onEvent = () => undefined
    const access = { by: 'key' as const, key: '' }
    return new HostLink({
      address,
      access,
      timing,
      clock: Date.now,
      log,
      guard,
      pace,
      turns,
      onEvent,
    })
  })
  while (links.some(({ status }) => !status.online)) await pause(100)
  await pause(SETTLE_MS)
  const [cpu, startedMs] = [process.cpuUsage(), performance.now()]
  await pause(SECONDS * 1000)
  const { user, system } = process.cpuUsage(cpu)
  const core = (user + system) / 1000 / (performance.now() - startedMs)
  for (const link of links) link.close()
  return core
}
