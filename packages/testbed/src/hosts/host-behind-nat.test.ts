/** T11 A host that cannot be dialled: a real agent, enrolled by its command, and the API as a process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  eventually,
  freeTcpPort,
  freeUdpPort,
  openTestAgent,
  type TestAgent,
} from '@trunkline/agent/agent.fixture'
import { doctor } from '@trunkline/agent/doctor/doctor-command'
import { enrol } from '@trunkline/agent/identity/enrol-command'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import {
  addEnrolmentCode,
  readEnrolment,
  revokeEnrolment,
} from '@trunkline/contract/enrolment/enrolment.calls'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { addGroup } from '@trunkline/contract/groups/group.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, type Client } from '../api-client.ts'
import { startOwnProcess, type OwnProcess } from '../child.ts'
import { SUPERADMIN_EMAIL } from '../demo-site.ts'
import { signIn } from '../seed.ts'
import { apiStart, baseUrl } from '../site-processes.ts'

const PASSWORD = 'correct-horse-battery'
/** No name server knows it: whoever dialled it would fail. */
const NAME = 'gateway-behind-nat.invalid'
const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-nat-'))

let agent: TestAgent
let api: OwnProcess
let client: Client
let serverId = ''
let groupId = ''
let apiPort = 0
let agentPort = 0

beforeAll(async () => {
  apiPort = await freeTcpPort()
  agentPort = await freeTcpPort()
  agent = await openTestAgent(['acants'])
  api = await startApi()
  client = await signIn(baseUrl({}, apiPort), SUPERADMIN_EMAIL, PASSWORD)
  const person = { firstName: 'Link', lastName: 'Manager', email: 'links@trunkline.example' }
  const manager = await callApi(client, addUser, {
    body: { ...person, password: PASSWORD, mode: 'manager' },
  })
  const group = await callApi(client, addGroup, {
    body: { title: 'Links', description: 'Contributions', manager: manager.id },
  })
  groupId = group.data.id
  const server = await callApi(client, addServer, {
    body: {
      title: 'Gateway',
      host: NAME,
      port: agent.config.seats[0]?.port ?? 0,
      serverType: 'acants',
      apiKey: 'a-key-that-nobody-uses',
      groupIds: [groupId],
      adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
    },
  })
  serverId = server.data.id
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(`${dataDir}.key`, { force: true })
})

async function startApi(): Promise<OwnProcess> {
  const apiEnv = {
    TRUNKLINE_ADMIN_EMAIL: SUPERADMIN_EMAIL,
    TRUNKLINE_ADMIN_PASSWORD: PASSWORD,
    TRUNKLINE_SECRET_FILE: `${dataDir}.key`,
    TRUNKLINE_AGENT_LISTEN: `127.0.0.1:${agentPort}`,
  }
  const options = { dataDir, apiEnv, onOutput: () => undefined }
  return startOwnProcess(apiStart(options, apiPort))
}

/** As an operator does: the code in the console, the command on the host. */
async function enrolByCommand(...more: string[]): Promise<string> {
  const params = { kind: 'server' as const, id: serverId }
  const { code } = await callApi(client, addEnrolmentCode, { params })
  const asked = ['--console', baseUrl({}, apiPort), '--code', code, '--config', configFile()]
  return enrol([...asked, ...more])
}

function configFile(): string {
  const file = join(agent.config.dataDir, 'agent.json')
  writeFileSync(file, JSON.stringify(agent.config))
  return file
}

async function hostStatus() {
  const { data } = await callApi(client, readLive, {})
  return data.hosts.find(({ id }) => id === serverId)
}

async function untilOnline(online: boolean): Promise<void> {
  await eventually(async () => expect(await hostStatus()).toMatchObject({ online }))
}

async function doctorText(): Promise<string> {
  return (await doctor(['--config', configFile()])).text
}

test('T11 a host that cannot be dialled is enrolled, linked and commanded', async () => {
  expect(await enrolByCommand('--dial-out')).toContain(`connects to 127.0.0.1:${agentPort}`)
  await untilOnline(true)
  const params = { kind: 'server' as const, id: serverId }
  await eventually(async () => {
    const { data } = await callApi(client, readEnrolment, { params })
    expect(data).toMatchObject({ security: 'enrolled', openedBy: 'host', takesHosts: true })
  })
  const config = { port: await freeUdpPort() }
  const input = { title: 'In', inputType: 'SRT' as const, config, serverId, groupId }
  const { id } = await callApi(client, addInput, { body: input })
  const body = { id, type: ACTION_TYPE.input, actionType: 'start' as const }
  await eventually(async () => void (await callApi(client, contributionAction, { body })))
  await eventually(async () => {
    const { data } = await callApi(client, readLive, {})
    const running = data.programs.find((program) => program.id === id)
    expect(running).toMatchObject({ state: 'running', pid: expect.any(Number) as number })
  })
  expect(await doctorText()).toContain(`connects to its console at 127.0.0.1:${agentPort}`)
})

test('T11 it is back after the API was killed and started again, and its programs ran on', async () => {
  const [before] = agent.ctx.board.all()
  expect(before).toMatchObject({ state: 'running' })
  const pid = before?.pid
  process.kill(api.pid, 'SIGKILL')
  await api.ended
  expect(await doctorText()).toContain('cannot be reached (')
  api = await startApi()
  await untilOnline(true)
  expect(agent.ctx.board.all()[0]).toMatchObject({ state: 'running', pid })
})

test('T11 it is back after its own agent was started again', async () => {
  await agent.restart(async () => untilOnline(false))
  await untilOnline(true)
  expect(agent.ctx.identities.of('acants-0')?.dialTo).toEqual([`127.0.0.1:${agentPort}`])
})

test('T11 a revoked host is cut off and not let in, and says so; enrolled again it is back', async () => {
  const params = { kind: 'server' as const, id: serverId }
  await callApi(client, revokeEnrolment, { params })
  const status = await hostStatus()
  expect(status).toMatchObject({ online: false, fault: 'certificate' })
  expect(status?.cause).toContain('was revoked')
  expect(await doctorText()).toContain('was revoked in the console')
  expect((await hostStatus())?.online).toBe(false)
  await enrolByCommand('--dial-out')
  await untilOnline(true)
})

test('T11 without the option the console dials it again, and it connects no more', async () => {
  await enrolByCommand()
  await eventually(async () => {
    const status = await hostStatus()
    expect(status).toMatchObject({ online: false })
    expect(status?.cause).toContain('cannot be resolved')
  })
  await eventually(() => expect(agent.ctx.identities.of('acants-0')?.dialTo).toBeNull())
})
