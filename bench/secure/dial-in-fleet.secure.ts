/**
 * T16: all hosts of a large site connect to the port for agents at once, as after the API was upgraded or its network
 * was away: first from networks that are not known yet, so that each is written, then from the same ones, then from new
 * ones. The API may not stop for longer than a person notices, and all must be there soon. On both databases.
 * `BENCH_HOSTS`: other sizes.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '@trunkline/api/hosts/dial-in/dial-in.fixture'
import { startApi } from '@trunkline/api/testing/api-process'
import { createNewDatabase } from '@trunkline/api/testing/databases'
import { makeFolder } from '@trunkline/api/testing/folder'
import { BOTH_DATABASES } from '@trunkline/api/testing/site-on'
import { expect, onTestFinished, test } from 'vitest'
import { atMost, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { RightHost } from './dial-in-hosts.ts'
import { fillEnrolledFleet } from './enrolled-fleet.ts'
import { gaugeOf, type Gauge } from './gauge.ts'
import { printProof } from './proof.ts'

const HOSTS = settingOf('HOSTS', 5000)
const BLOCKED_AT_MOST_MS = 50
const LINKED_AT_MOST_S = 30
/** A line of its own each. */
const PROOFS = { SQLite: 'dial-in-fleet', PostgreSQL: 'dial-in-fleet-postgres' } as const

interface Coming extends Gauge {
  linkedS: number
  idleBlockedMs: number
}

test.each(BOTH_DATABASES)('T16 a whole site connects at once, on %s', async (database) => {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const port = await freePort()
  const url = database === 'SQLite' ? null : await postgresUrl()
  const secretFile = join(folder.path, 'secret.key')
  const target =
    url === null
      ? { kind: 'sqlite' as const, file: join(folder.path, 'trunkline.db') }
      : { kind: 'postgres' as const, url }
  const enrolled = await fillEnrolledFleet(target, secretFile, HOSTS)
  const api = await startApi({
    ...(url === null ? {} : { TRUNKLINE_DATABASE_URL: url }),
    TRUNKLINE_DATA_DIR: folder.path,
    TRUNKLINE_SECRET_FILE: secretFile,
    TRUNKLINE_ALLOW_LOCAL_HOSTS: '1',
    TRUNKLINE_AGENT_LISTEN: `127.0.0.1:${port}`,
    TRUNKLINE_LOG_LEVEL: 'warn',
  })
  const idle = fork(join(import.meta.dirname, 'idle.process.ts'))
  onTestFinished(() => void idle.kill('SIGKILL'))
  const hosts = enrolled.map((each, number) => new RightHost(port, 'known', number, each))
  onTestFinished(() => hosts.forEach((host) => host.close()))

  async function coming(begin: () => void): Promise<Coming> {
    await Promise.all([gaugeOf(api.child), gaugeOf(idle)])
    const startMs = performance.now()
    begin()
    await Promise.all(hosts.map(async (host) => host.linkedSince(startMs)))
    const linkedS = round((performance.now() - startMs) / 1000)
    const [gauge, machine] = await Promise.all([gaugeOf(api.child), gaugeOf(idle)])
    return { linkedS, ...gauge, idleBlockedMs: machine.blockedMs }
  }
  const first = await coming(() => hosts.forEach((host) => host.connect()))
  const cut = () => hosts.forEach((host) => host.cut())
  const again = await coming(cut)
  for (const host of hosts) host.move()
  const moved = await coming(cut)
  const all = { first, again, moved }
  const goals = Object.entries(all).flatMap(([name, { linkedS, blockedMs }]) => [
    atMost(`all linked, ${name}`, linkedS, LINKED_AT_MOST_S, 's'),
    atMost(`event loop blocked, ${name}`, blockedMs, BLOCKED_AT_MOST_MS, 'ms'),
  ])
  const ours = { database, hosts: HOSTS, ...all }
  expect(printProof(PROOFS[database], { ours, faults: [], goals })).toEqual([])
})

async function postgresUrl(): Promise<string> {
  const database = await createNewDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  return database.url
}
