/** Loads the demo site through the API's own calls, as an operator would set it up by hand. */
import { setTimeout as pause } from 'node:timers/promises'
import { saveChannels } from '@trunkline/contract/channels/channel.calls'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import {
  addEncoder,
  controlEncoder,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { addGroup } from '@trunkline/contract/groups/group.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { login } from '@trunkline/contract/session/session.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import { callApi, CallFailed, type Client } from './api-client.ts'
import {
  DEMO_GROUPS,
  DEMO_IP,
  DEMO_LATENCY_MS,
  DEMO_PEOPLE,
  DEMO_STREAM,
  demoEncoderConfig,
  type EncoderRate,
  demoStreamInputs,
  EDITOR_EMAIL,
} from './demo-site.ts'
import { putStream } from './media-server.ts'
import type { SitePlan } from './site-plan.ts'

export async function signIn(baseUrl: string, email: string, password: string): Promise<Client> {
  const session = await callApi({ baseUrl, token: '' }, login, { body: { email, password } })
  return { baseUrl, token: session.token }
}

export interface DemoIds {
  groupIds: Record<string, string>
  encoderId: string
  feederName: string
  inputId: string
  outputIds: string[]
  channelId: string
  acantsId: string
  channelServerId: string
}

export interface Seeding {
  plan: SitePlan
  /** Of all demo people. */
  password: string
  /** That of the encoder's preset unless given. */
  encoderRate?: EncoderRate | undefined
  /** Called with each step. */
  say: (step: string) => void
}

/** Everything is started; the picture follows within seconds. */
export async function seedDemo(
  client: Client,
  { plan, password, encoderRate, say }: Seeding,
): Promise<DemoIds> {
  say('people and groups')
  const people = await addPeople(client, password)
  say('servers')
  const servers = await addServers(client, plan, people.groupIds)
  say('encoder and feeder')
  const encoder = await addDemoEncoder(client, {
    plan,
    people,
    encoderRate,
    serverId: servers.acantsId,
  })
  say('input and outputs')
  const links = await addLinks(client, plan, people.groupIds, servers.acantsId)
  say('channel')
  const channelId = await addChannel(client, plan, people.groupIds, servers.channelServerId)
  say('starting the chain')
  await startChain(client, encoder, links)
  return { groupIds: people.groupIds, ...servers, ...encoder, ...links, channelId }
}

interface People {
  groupIds: Record<string, string>
  userIds: Record<string, string>
}

async function addPeople(client: Client, password: string): Promise<People> {
  const people: People = { groupIds: {}, userIds: {} }
  const add = async (item: (typeof DEMO_PEOPLE)[number], groupId?: string) => {
    const { firstName, lastName, email, role } = item
    const answer = await callApi(client, addUser, {
      body: { firstName, lastName, email, password, mode: role, ...(groupId ? { groupId } : {}) },
    })
    people.userIds[email] = answer.id
  }
  // A group needs its manager, and the others need their group.
  for (const person of DEMO_PEOPLE.filter((each) => ['admin', 'manager'].includes(each.role))) {
    await add(person)
  }
  for (const group of DEMO_GROUPS) {
    const answer = await callApi(client, addGroup, {
      body: {
        title: group.title,
        description: group.description,
        manager: people.userIds[group.managerEmail] ?? '',
      },
    })
    people.groupIds[group.title] = answer.data.id
  }
  for (const person of DEMO_PEOPLE.filter((each) => ['editor', 'monitor'].includes(each.role))) {
    await add(person, people.groupIds[person.group ?? ''])
  }
  return people
}

async function addServers(client: Client, plan: SitePlan, groupIds: People['groupIds']) {
  const add = async (title: string, serverType: 'acants' | 'channel') => {
    const answer = await callApi(client, addServer, {
      body: {
        title,
        host: DEMO_IP,
        port: plan.seats[serverType].port,
        serverType,
        apiKey: plan.seats[serverType].key,
        description: 'This machine',
        location: '',
        groupIds: [groupIds['North'] ?? ''],
        adapterIps: [{ adapterName: 'lo', adapterIp: DEMO_IP }],
      },
    })
    return answer.data.id
  }
  return {
    acantsId: await add('Demo gateway', 'acants'),
    channelServerId: await add('Demo streams', 'channel'),
  }
}

async function addDemoEncoder(
  client: Client,
  {
    plan,
    people,
    encoderRate,
    serverId,
  }: Pick<Seeding, 'plan' | 'encoderRate'> & { people: People; serverId: string },
) {
  const { data } = await callApi(client, addEncoder, {
    body: {
      title: 'Demo camera',
      description: 'Test pattern with a running clock',
      apiKey: plan.seats.encoder.key,
      ip: DEMO_IP,
      port: plan.seats.encoder.port,
      groupId: people.groupIds['North'] ?? '',
    },
  })
  await callApi(client, updateEncoder, {
    body: {
      _id: data.id,
      version: data.version,
      users: [people.userIds[EDITOR_EMAIL] ?? ''],
      config: demoEncoderConfig(plan, encoderRate),
    },
  })
  const { feeder } = await callApi(client, saveFeeder, {
    params: { product: 'acan' },
    body: { _id: data.id, feederPost: demoFeeder(plan, serverId) },
  })
  return { encoderId: data.id, feederName: feeder.name }
}

function demoFeeder(plan: SitePlan, serverId: string) {
  const { encoderOutput, feederToInput } = plan.ports
  return {
    serverId,
    input: {
      title: 'to Demo gateway',
      type: 'udp' as const,
      addr: `${DEMO_IP}:${encoderOutput}`,
      port: encoderOutput,
    },
    output: [
      {
        type: 'srt' as const,
        addr: `${DEMO_IP}:${feederToInput}`,
        port: feederToInput,
        latency: DEMO_LATENCY_MS,
        passphrase: plan.feederPassphrase,
      },
    ],
  }
}

async function addLinks(
  client: Client,
  plan: SitePlan,
  groupIds: People['groupIds'],
  serverId: string,
) {
  const latency = DEMO_LATENCY_MS
  const input = await callApi(client, addInput, {
    body: {
      title: 'Demo feed',
      inputType: 'aCANFeeder',
      serverId,
      groupId: groupIds['North'] ?? '',
      config: { port: plan.ports.feederToInput, adapterIp: DEMO_IP, latency },
      encryption: { selection: 'yes', passphrase: plan.feederPassphrase },
    },
  })
  const outputIds: string[] = []
  for (const [title, inputType, port] of [
    ['to Demo streams', 'SRT', plan.ports.srtToChannel],
    ['to far end', 'RIST', plan.ports.ristToChannel],
  ] as const) {
    const output = await callApi(client, addOutput, {
      body: {
        title,
        inputType,
        contributionId: input.id,
        config: { mode: 'Push', host: DEMO_IP, port, latency, bufferMin: latency },
      },
    })
    outputIds.push(output.id)
  }
  return { inputId: input.id, outputIds }
}

async function addChannel(
  client: Client,
  plan: SitePlan,
  groupIds: People['groupIds'],
  serverId: string,
) {
  const title = 'Demo live'
  await putStream(plan, DEMO_STREAM, { title, inputs: demoStreamInputs(plan) })
  const answer = await callApi(client, saveChannels, {
    body: [{ name: DEMO_STREAM, title, serverId, groupIds: [groupIds['North'] ?? ''] }],
  })
  return answer.data[0]?.id ?? ''
}

async function startChain(
  client: Client,
  encoder: { encoderId: string; feederName: string },
  links: { inputId: string; outputIds: string[] },
) {
  const act = async (id: string, type: 1 | 2 | 10, feederName?: string) =>
    insist(async () =>
      callApi(client, contributionAction, {
        body: { id, type, actionType: 'start', ...(feederName ? { feederName } : {}) },
      }),
    )
  await Promise.all([
    act(links.inputId, ACTION_TYPE.input),
    ...links.outputIds.map(async (id) => act(id, ACTION_TYPE.output)),
    act(encoder.encoderId, ACTION_TYPE.feeder, encoder.feederName),
    insist(async () =>
      callApi(client, controlEncoder, {
        params: { id: encoder.encoderId },
        body: { data: { name: 'encoder0', command: 'start' } },
      }),
    ),
  ])
}

/** Each lasts 5 s at most: a machine that has not started a program by then is not going to. */
const STARTS_TRIED = 6
/** A host that was lost is called again within so long: api/hosts/link-timing.ts. */
const CALLED_AGAIN_MS = 2500

/**
 * A slow machine starts all at once too late for the first answer, or gives its agent no time for 2.2 s, so that the
 * command is not carried out. What runs by then stays as it is.
 */
export async function insist<T>(start: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await start()
    } catch (error) {
      if (tried === STARTS_TRIED || !(error instanceof CallFailed)) throw error
      if (error.httpStatus === 502) await pause(CALLED_AGAIN_MS)
      else if (error.httpStatus !== 504) throw error
    }
  }
}
