/**
 * Two API processes on one PostgreSQL behind nginx with TLS, as docs/operate/10 has it: one is killed,
 * then both are replaced one after the other, while people read and save through the proxy.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, freeTcpPort, freeUdpPort } from '@trunkline/agent/agent.fixture'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { addGroup, listGroups } from '@trunkline/contract/groups/group.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import { callApi, CallFailed, type Client } from '@trunkline/testbed/api-client'
import { startOwnProcess, type OwnProcess } from '@trunkline/testbed/child'
import { SUPERADMIN_EMAIL } from '@trunkline/testbed/demo-site'
import { openLinkSite, type LinkSite } from '@trunkline/testbed/links/link-site'
import { signIn } from '@trunkline/testbed/seed'
import { apiStart } from '@trunkline/testbed/site-processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres } from '../postgres.mjs'
import { type Nginx, startNginx } from './nginx.ts'

const PASSWORD = 'correct-horse-battery'
/** Reads and saves between two steps, at least. */
const BETWEEN = 15

const life = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'trunkline-several-'))
let site: LinkSite
let second: OwnProcess
let nginx: Nginx
let client: Client
let managerId: string
let startSecond: () => Promise<OwnProcess>

beforeAll(async () => {
  life.defer(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = life.use(await startPostgres())
  const apiEnv = { TRUNKLINE_DATABASE_URL: postgres.url, TRUNKLINE_TRUSTED_PROXIES: '127.0.0.1' }
  const dataDir = join(folder, 'site')
  site = life.use(await openLinkSite({ dataDir, password: PASSWORD, apiEnv }))
  const secret = { TRUNKLINE_SECRET_FILE: `${dataDir}.key` }
  const secondPort = await freeTcpPort()
  startSecond = async () =>
    startOwnProcess(
      apiStart(
        {
          dataDir: join(folder, 'second'),
          apiEnv: { ...apiEnv, ...secret },
          onOutput: () => undefined,
        },
        secondPort,
      ),
    )
  second = await startSecond()
  life.defer(async () => second.stop())
  const ports = [site.api.port, secondPort] as const
  nginx = life.use(await startNginx(join(folder, 'nginx'), await freeTcpPort(), ports))
  client = await signIn(nginx.url, SUPERADMIN_EMAIL, PASSWORD)
  const person = { firstName: 'Night', lastName: 'Shift', email: 'night@trunkline.example' }
  const body = { ...person, password: PASSWORD, mode: 'manager' as const }
  managerId = (await callApi(client, addUser, { body })).id
})
afterAll(async () => life.disposeAsync())

/** What people do all the time, each call after the one before. */
class Work {
  readonly saved: string[] = []
  readonly states = new Set<string>()
  readonly failures: string[] = []
  reads = 0
  #isOver = false
  #saves = 0
  readonly #working = Promise.all([this.#save(), this.#read()])

  async end(): Promise<void> {
    this.#isOver = true
    await this.#working
  }

  /** Until so many more of both were answered. */
  async goesOn(): Promise<void> {
    const [saved, reads] = [this.saved.length + BETWEEN, this.reads + BETWEEN]
    await eventually(() => {
      if (this.failures.length > 0) return
      if (this.saved.length < saved || this.reads < reads) throw new Error('No call is answered.')
    })
  }

  async #save(): Promise<void> {
    while (!this.#isOver) {
      this.#saves += 1
      const title = `Group ${this.#saves}`
      const body = { title, description: 'Of the night', manager: managerId }
      const saved = await callApi(client, addGroup, { body }).then(
        () => true,
        (error: unknown) => {
          // Else cut off with the process that had it: the person reads that it may not be saved.
          if (error instanceof CallFailed) this.failures.push(error.message)
          return false
        },
      )
      if (saved) this.saved.push(title)
    }
  }

  async #read(): Promise<void> {
    while (!this.#isOver) {
      try {
        const program = await programOf(client)
        this.states.add(`${program.state} ${program.pid} ${program.restarts}`)
        this.reads += 1
      } catch (error) {
        this.failures.push(error instanceof Error ? error.message : String(error))
      }
    }
  }
}

async function programOf(of: Client): Promise<ProgramStatus> {
  const { data } = await callApi(of, readLive, {})
  const program = data.programs.find(({ kind }) => kind === 'input')
  if (program === undefined) throw new Error('There is no input.')
  return program
}

test('one of two is killed, then both are replaced in turn: nothing is lost, nothing restarted', async () => {
  const config = { port: await freeUdpPort(), latency: 120 }
  const inputId = await site.addInput({ title: 'In', inputType: 'SRT', config })
  await site.start('input', inputId)
  await eventually(async () => expect((await programOf(client)).state).toBe('running'))
  const { pid } = await programOf(client)
  const work = new Work()
  await work.goesOn()

  process.kill(second.pid, 'SIGKILL')
  await second.ended
  await work.goesOn()
  second = await startSecond()
  await nginx.untilItUses(second.port)
  await work.goesOn()

  await site.restartApi()
  await nginx.untilItUses(site.api.port)
  await work.goesOn()
  await second.stop()
  second = await startSecond()
  await nginx.untilItUses(second.port)
  await work.goesOn()
  await work.end()

  expect(work.failures).toEqual([])
  // A process that has just come says that it has not heard of the host yet.
  const known = [...work.states].filter((state) => state !== 'unknown null 0')
  expect(known).toEqual([`running ${pid} 0`])
  const { data } = await callApi(client, listGroups, { query: {} })
  const titles = data.map(({ title }) => title)
  expect(work.saved.filter((title) => !titles.includes(title))).toEqual([])
  expect(new Set(titles).size).toBe(titles.length)
})
