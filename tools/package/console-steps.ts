/**
 * What an operator does in the console, by the API's calls; run by the test of the packages on the
 * network of its machine. `node console-steps.ts set-up <password> <key>` adds a group, a host and an
 * input that is started; `adapters <key>` prints what the agent of the host says; `back-up <password>`
 * has the service begin a backup, `last-backup <password>` prints the newest. One JSON line.
 */
import { once } from 'node:events'
import { LINK_PATH, HostMessage } from '@trunkline/contract/agent/host-link.messages'
import { makeBackup, readBackups } from '@trunkline/contract/backups/backup.calls'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addGroup } from '@trunkline/contract/groups/group.calls'
import { addServer, readServerStatus } from '@trunkline/contract/servers/server.calls'
import { login } from '@trunkline/contract/session/session.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { insist } from '@trunkline/testbed/seed'
import { WebSocket } from 'ws'

const CONSOLE = 'http://127.0.0.1:8080'
const HOST = '127.0.0.1'
const HOST_PORT = 8010
const INPUT_PORT = 5040

const [step = '', ...args] = process.argv.slice(2)
const steps: Record<string, (...args: string[]) => Promise<unknown>> = {
  'set-up': setUp,
  adapters,
  'back-up': backUp,
  'last-backup': lastBackup,
}
process.stdout.write(`${JSON.stringify(await steps[step]?.(...args))}\n`)

/** Begins it. */
async function backUp(password: string) {
  const client = await signIn('admin@trunkline.example', password)
  return (await callApi(client, makeBackup, {})).data
}

async function lastBackup(password: string) {
  const client = await signIn('admin@trunkline.example', password)
  return (await callApi(client, readBackups, {})).data.backups[0]
}

/** Answers what the console says of the host. */
async function setUp(password: string, apiKey: string) {
  const client = await signIn('admin@trunkline.example', password)
  const groupId = await addNorth(client, password)
  const server = await callApi(client, addServer, {
    body: {
      title: 'Gateway 1',
      host: HOST,
      port: HOST_PORT,
      serverType: 'acants',
      apiKey,
      description: '',
      location: '',
      groupIds: [groupId],
      adapterIps: [{ adapterName: 'lo', adapterIp: HOST }],
    },
  })
  const host = await callApi(client, readServerStatus, { params: { id: server.data.id } })
  const input = await callApi(client, addInput, {
    body: {
      title: 'from OB van',
      inputType: 'SRT',
      serverId: server.data.id,
      groupId,
      config: { mode: 'Listen', port: INPUT_PORT },
    },
  })
  await insist(async () =>
    callApi(client, contributionAction, {
      body: { id: input.id, type: 1, actionType: 'start' },
    }),
  )
  return { host: host.results }
}

async function signIn(email: string, password: string): Promise<Client> {
  const anybody = { baseUrl: CONSOLE, token: '' }
  const { token } = await callApi(anybody, login, { body: { email, password } })
  return { baseUrl: CONSOLE, token }
}

/** A group needs its manager. */
async function addNorth(client: Client, password: string): Promise<string> {
  const manager = await callApi(client, addUser, {
    body: {
      firstName: 'Mia',
      lastName: 'North',
      email: 'manager@trunkline.example',
      password,
      mode: 'manager',
    },
  })
  const group = await callApi(client, addGroup, {
    body: { title: 'North', description: 'Links from the north', manager: manager.id },
  })
  return group.data.id
}

/** As the API is told at each link. */
async function adapters(apiKey: string) {
  const headers = { authorization: `Bearer ${apiKey}` }
  const link = new WebSocket(`ws://${HOST}:${HOST_PORT}${LINK_PATH}`, { headers })
  const [data] = (await once(link, 'message')) as [Buffer]
  link.terminate()
  const message = HostMessage.parse(JSON.parse(data.toString()))
  return message.type === 'hello' ? message.capabilities : null
}
