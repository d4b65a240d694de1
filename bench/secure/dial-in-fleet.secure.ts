/**
 * T16: all hosts of a site connect to the port for agents at once: first from networks that are not known yet, so that
 * each is written; then after the API was killed and has started again; then from new networks, as after the network of
 * the site was away. All must be there soon, the API may not stop for longer than a person notices, and somebody who
 * uses the console meanwhile is answered. Beside it stands the floor: the same hosts set up TLS with a process that
 * does nothing else. On both databases. `BENCH_HOSTS`: another size in place of all.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@trunkline/api/testing/process/own-port'
import {
  FIRST_ADMIN,
  startApi,
  WITH_ADMIN,
  type ApiProcess,
} from '@trunkline/api/testing/api-process'
import { createNewDatabase } from '@trunkline/api/testing/databases'
import { makeFolder } from '@trunkline/api/testing/folder'
import { BOTH_DATABASES } from '@trunkline/api/testing/site-on'
import { signIn } from '@trunkline/testbed/seed'
import { expect, onTestFinished, test } from 'vitest'
import { atMost, cpuSecondsOf, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { fillEnrolledFleet } from './enrolled-fleet.ts'
import { askMeanwhile, bareHandshakes, HostProcesses } from './fleet/fleet.ts'
import type { HostsOrder } from './fleet/hosts.process.ts'
import { gaugeOf } from './gauge.ts'
import { printProof } from './proof.ts'

type Database = (typeof BOTH_DATABASES)[number]

const ASKED = settingOf('HOSTS', 0)
const SIZES = ASKED === 0 ? [500, 2000, 5000] : [ASKED]
const BLOCKED_AT_MOST_MS = 50
const LINKED_AT_MOST_S = 30
const ANSWERED_AT_MOST_MS = 500
/** A line of its own each. */
const PROOFS = { SQLite: 'dial-in-fleet', PostgreSQL: 'dial-in-fleet-postgres' } as const

test.each(BOTH_DATABASES)('T16 a whole site connects at once, on %s', async (database) => {
  const idle = fork(join(import.meta.dirname, 'idle.process.ts'))
  onTestFinished(() => void idle.kill('SIGKILL'))
  const [ours, limit]: [Record<string, Site['comings']>, Record<string, Site['bare']>] = [{}, {}]
  for (const count of SIZES) {
    const { comings, bare } = await siteOf(database, count, idle)
    ours[count] = comings
    limit[count] = bare
    process.stderr.write(`${count} hosts: ${JSON.stringify({ comings, bare })}\n`)
  }
  const goals = Object.entries(ours).flatMap(([count, comings]) =>
    Object.entries(comings).flatMap(([name, { linkedS, missing, blockedMs, person }]) => [
      atMost(`${count} hosts without a link, ${name}`, missing, 0, 'hosts'),
      atMost(`${count} hosts linked, ${name}`, linkedS, LINKED_AT_MOST_S, 's'),
      atMost(`event loop blocked, ${count} ${name}`, blockedMs, BLOCKED_AT_MOST_MS, 'ms'),
      atMost(`a person waits, ${count} ${name}`, person.slowestMs, ANSWERED_AT_MOST_MS, 'ms'),
    ]),
  )
  expect(
    printProof(PROOFS[database], { ours: { database, ...ours }, limit, faults: [], goals }),
  ).toEqual([])
})

type Site = Awaited<ReturnType<typeof siteOf>>

async function siteOf(database: Database, count: number, idle: ChildProcess) {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const port = await freePort()
  const url = database === 'SQLite' ? null : await postgresUrl()
  const secretFile = join(folder.path, 'secret.key')
  const target =
    url === null
      ? { kind: 'sqlite' as const, file: join(folder.path, 'trunkline.db') }
      : { kind: 'postgres' as const, url }
  const enrolled = await fillEnrolledFleet(target, secretFile, count)
  const start = async () =>
    startApi({
      ...WITH_ADMIN,
      ...(url === null ? {} : { TRUNKLINE_DATABASE_URL: url }),
      TRUNKLINE_DATA_DIR: folder.path,
      TRUNKLINE_SECRET_FILE: secretFile,
      TRUNKLINE_ALLOW_LOCAL_HOSTS: '1',
      TRUNKLINE_AGENT_LISTEN: `127.0.0.1:${port}`,
      TRUNKLINE_LOG_LEVEL: 'warn',
    })
  const hosts = new HostProcesses()
  await hosts.open(port, enrolled.hosts)
  const bare = await bareHandshakes(hosts, enrolled.console, count)
  const meter = { hosts, idle }
  let api = await start()
  const { token } = await signIn(api.url, FIRST_ADMIN.email, FIRST_ADMIN.password)
  const first = await coming(api, token, meter, { do: 'connect' })
  const linked = hosts.order({ do: 'await' })
  api.child.kill('SIGKILL')
  await once(api.child, 'exit')
  const startMs = performance.now()
  api = await start()
  const startS = round((performance.now() - startMs) / 1000)
  const restarted = { startS, ...(await coming(api, token, meter, linked)) }
  const moved = await coming(api, token, meter, { do: 'cut', moves: true })
  hosts.close()
  api.child.kill('SIGKILL')
  await api.ended
  return { bare, comings: { first, restarted, moved } }
}

/** Until all are linked; `order`: what makes them come, or those that come by themselves. */
async function coming(
  { child, url }: ApiProcess,
  token: string,
  { hosts, idle }: { hosts: HostProcesses; idle: ChildProcess },
  order: HostsOrder | ReturnType<HostProcesses['order']>,
) {
  await Promise.all([gaugeOf(child), gaugeOf(idle)])
  const [startMs, startCpuS] = [performance.now(), cpuSecondsOf(child.pid ?? 0)]
  const stopAsking = askMeanwhile({ baseUrl: url, token })
  const { dials, missing, cpuMs } = await ('do' in order ? hosts.order(order) : order)
  const linkedS = round((performance.now() - startMs) / 1000)
  const cpuS = round(cpuSecondsOf(child.pid ?? 0) - startCpuS)
  const person = await stopAsking()
  const [gauge, machine] = await Promise.all([gaugeOf(child), gaugeOf(idle)])
  const hostsCpuS = round(cpuMs / 1000)
  return {
    linkedS,
    missing,
    cpuS,
    dials,
    ...gauge,
    idleBlockedMs: machine.blockedMs,
    person,
    hostsCpuS,
  }
}

async function postgresUrl(): Promise<string> {
  const database = await createNewDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  return database.url
}
