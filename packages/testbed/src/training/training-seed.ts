/** Loads the training site through the API's own calls, as an operator would set it up by hand. */
import { saveChannels } from '@trunkline/contract/channels/channel.calls'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { addDestination } from '@trunkline/contract/contributions/destination.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import { configName } from '@trunkline/contract/encoders/encoder-config.schema'
import {
  addEncoder,
  controlEncoder,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { addGroup } from '@trunkline/contract/groups/group.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import { callApi, type Client } from '../api-client.ts'
import { insist } from '../seed.ts'
import { putStreamAt } from '../media-server.ts'
import {
  GROUPS,
  LATENCY_MS,
  PEOPLE,
  TRAINER,
  type Fleet,
  type FleetCamera,
  type FleetHost,
  type FleetInput,
  type FleetOutput,
  type FleetPerson,
} from './fleet.ts'
import { practiceConfig } from './practice-config.ts'
import type { TrainingPlan } from './training-plan.ts'

/** Ids of what the breaks act on, by the titles of the fleet. */
export interface TrainingIds {
  encoders: Record<string, { id: string; feederName: string | null }>
  inputs: Record<string, string>
  outputs: Record<string, string>
  channels: Record<string, string>
  /** By the names of hosts. */
  gateways: Record<string, string>
  streamServer: string
}

export interface TrainingSeed {
  fleet: Fleet
  plan: TrainingPlan
  firstPort: number
  /** Of all people but the trainer. */
  password: string
  say: (step: string) => void
}

type Ids = Record<string, string>

/** Everything is started; the pictures follow within seconds. */
export async function seedTraining(client: Client, seed: TrainingSeed): Promise<TrainingIds> {
  const { fleet, say } = seed
  say('people and groups')
  const { groups, users } = await addPeople(client, seed)
  say('servers')
  const servers = await addServers(client, seed, groups)
  say('inputs and outputs')
  const links = await addLinks(client, seed, { groups, gateways: servers.gateways })
  say('channels')
  const channels = await addChannels(client, seed, { groups, ...servers })
  say('encoders and feeders')
  const encoders: TrainingIds['encoders'] = {}
  for (const camera of fleet.cameras) {
    encoders[camera.title] = await addCamera(client, seed, camera, { groups, users, ...servers })
  }
  say('starting all of it')
  await startAll(client, seed, { encoders, ...links })
  return { encoders, ...links, channels, ...servers }
}

async function addPeople(client: Client, { password, plan }: TrainingSeed) {
  const users: Ids = {}
  const groups: Ids = {}
  const add = async ({ email, firstName, lastName, role, group }: FleetPerson, key: string) => {
    const groupId = groups[group ?? '']
    const body = { firstName, lastName, email, password: key, mode: role }
    const answer = await callApi(client, addUser, {
      body: groupId === undefined ? body : { ...body, groupId },
    })
    users[email] = answer.id
  }
  await add(TRAINER, plan.trainerPassword)
  // A group needs its manager, and the others need their group.
  const leads = PEOPLE.filter(({ role }) => role === 'admin' || role === 'manager')
  for (const each of leads) await add(each, password)
  for (const title of GROUPS) {
    const lead = leads.find(({ group }) => group === title)
    const { data } = await callApi(client, addGroup, {
      body: { title, description: 'Training site', manager: users[lead?.email ?? ''] ?? '' },
    })
    groups[title] = data.id
  }
  for (const each of PEOPLE) if (!leads.includes(each)) await add(each, password)
  return { groups, users }
}

async function addServers(client: Client, { fleet, plan, firstPort }: TrainingSeed, groups: Ids) {
  const add = async (host: FleetHost, serverType: 'acants' | 'channel', offset: number) => {
    const isGateway = serverType === 'acants'
    // Cameras of all venues are shown by channels of their groups.
    const groupIds = isGateway ? [groups[host.group] ?? ''] : Object.values(groups)
    const { data } = await callApi(client, addServer, {
      body: {
        title: isGateway ? `${host.title} gateway` : 'Streaming server',
        host: host.ip,
        port: firstPort + offset,
        serverType,
        apiKey: isGateway ? plan.keys.gateway : plan.keys.stream,
        description: 'Training site, on this machine',
        location: host.title,
        groupIds,
        adapterIps: [
          { adapterName: 'lan', adapterIp: host.ip },
          { adapterName: 'wan', adapterIp: host.wanIp },
        ],
      },
    })
    return data.id
  }
  const gateways: Ids = {}
  for (const host of fleet.hosts) gateways[host.name] = await add(host, 'acants', host.gatewaySeat)
  const streams = streamHost(fleet)
  return { gateways, streamServer: await add(streams, 'channel', streams.streamDoor ?? 0) }
}

export function streamHost({ hosts }: Pick<Fleet, 'hosts'>): FleetHost {
  const host = hosts.find(({ streamSeat }) => streamSeat !== null)
  if (host === undefined) throw new Error('No host of the fleet has a media server.')
  return host
}

/** Where a sender finds an input or the source of a channel, by its name. */
function receiverOf({ fleet, firstPort }: TrainingSeed, name: string) {
  const input = fleet.inputs.find(({ title }) => title === name)
  const source = fleet.channels.flatMap(({ sources }) => sources).find((each) => each.name === name)
  const host = fleet.hosts.find((each) => each.name === input?.host) ?? streamHost(fleet)
  const port = firstPort + (input?.port ?? source?.port ?? 0)
  return { host, port, latencyMs: input?.latencyMs ?? LATENCY_MS, input }
}

function encryptionOf(plan: TrainingPlan, passphrase: FleetInput['passphrase']) {
  if (passphrase === 'none') return { selection: 'no' as const }
  const words = passphrase === 'site' ? plan.passphrase : 'not-what-the-sender-has'
  return { selection: 'yes' as const, passphrase: words }
}

const INPUT_TYPES = { feeder: 'aCANFeeder', SRT: 'SRT', RIST: 'RIST', bus: 'Local' } as const

/** Of a router that sends to the bus of the playout centre: no address of the bus of the product. */
export function routerGroup({ range }: TrainingPlan): string {
  return `239.254.${range}.1`
}

async function addLinks(
  client: Client,
  seed: TrainingSeed,
  { groups, gateways }: { groups: Ids; gateways: Ids },
) {
  const { fleet, plan } = seed
  const inputs: Ids = {}
  const outputs: Ids = {}
  for (const input of fleet.inputs) {
    const { host, port, latencyMs } = receiverOf(seed, input.title)
    const answer = await callApi(client, addInput, {
      body: {
        title: input.title,
        inputType: INPUT_TYPES[input.type],
        serverId: gateways[host.name] ?? '',
        groupId: groups[host.group] ?? '',
        config:
          input.type === 'bus'
            ? { port, multicast: routerGroup(plan) }
            : { port, adapterIp: host.ip, latency: latencyMs, bufferMin: latencyMs },
        encryption: encryptionOf(plan, input.passphrase),
      },
    })
    inputs[input.title] = answer.id
  }
  const overseas = await callApi(client, addDestination, {
    body: { title: 'Overseas partner', ip: FAR_END_IP, groupId: groups['Playout'] ?? '' },
  })
  for (const output of fleet.outputs) {
    const farEnd = typeof output.to === 'string' ? {} : { destinationId: overseas.data.id }
    const answer = await callApi(client, addOutput, {
      body: {
        title: output.title,
        contributionId: inputs[output.of] ?? '',
        ...farEnd,
        ...callOf(seed, output),
      },
    })
    outputs[output.title] = answer.id
  }
  return { inputs, outputs }
}

/** A partner of whom the site knows the address alone. */
export const FAR_END_IP = '127.0.3.1'

function callOf(seed: TrainingSeed, { to, relay }: FleetOutput) {
  if (typeof to !== 'string') {
    const config = { host: FAR_END_IP, port: seed.firstPort + to.farEnd, latency: LATENCY_MS }
    return { inputType: 'SRT' as const, config }
  }
  const { host, port, latencyMs, input } = receiverOf(seed, to)
  const ip = relay === null ? host.ip : host.wanIp
  return {
    inputType: input?.type === 'RIST' ? ('RIST' as const) : ('SRT' as const),
    config: { host: ip, port, latency: latencyMs, bufferMin: latencyMs },
    // The sender has the passphrase of the site, whatever the receiver has.
    encryption: encryptionOf(
      seed.plan,
      input === undefined || input.passphrase === 'none' ? 'none' : 'site',
    ),
  }
}

async function addChannels(
  client: Client,
  { fleet, plan, firstPort }: TrainingSeed,
  { groups, streamServer }: { groups: Ids; streamServer: string },
): Promise<Ids> {
  const host = streamHost(fleet)
  const seat = { host: host.ip, port: firstPort + (host.streamSeat ?? 0), key: plan.keys.stream }
  for (const { name, title, sources } of fleet.channels) {
    const inputs = sources.map(({ port }) => ({
      url: `srt://:${firstPort + port}?adapter=${host.ip}&latency=${LATENCY_MS}`,
    }))
    await putStreamAt(seat, name, { title, inputs })
  }
  const { data } = await callApi(client, saveChannels, {
    body: fleet.channels.map(({ name, title, group }) => {
      return { name, title, serverId: streamServer, groupIds: [groups[group] ?? ''] }
    }),
  })
  return Object.fromEntries(data.map(({ title, id }) => [title, id]))
}

async function addCamera(
  client: Client,
  seed: TrainingSeed,
  camera: FleetCamera,
  { groups, users, gateways }: { groups: Ids; users: Ids; gateways: Ids },
) {
  const { fleet, plan, firstPort } = seed
  const host = fleet.hosts.find(({ name }) => name === camera.host) ?? streamHost(fleet)
  const { data } = await callApi(client, addEncoder, {
    body: {
      title: camera.title,
      description: 'Training site: a small test pattern',
      apiKey: plan.keys.encoder,
      ip: host.ip,
      port: firstPort + host.encoderSeat,
      groupId: groups[host.group] ?? '',
    },
  })
  const localPort = firstPort + FIRST_LOCAL_PORT + fleet.cameras.indexOf(camera)
  await callApi(client, updateEncoder, {
    body: {
      _id: data.id,
      version: data.version,
      users: [users[`editor-${host.group.toLowerCase()}@trunkline.example`] ?? ''],
      config: practiceConfig(camera, localPort),
    },
  })
  if (camera.feeds === null) return { id: data.id, feederName: null }
  const to = receiverOf(seed, camera.feeds)
  const { feeder } = await callApi(client, saveFeeder, {
    params: { product: 'acan' },
    body: {
      _id: data.id,
      feederPost: {
        // A media server takes no feeders by its record: the gateway of its host stands for it.
        serverId: gateways[to.host.name] ?? '',
        input: {
          title: `${camera.title} to ${to.input === undefined ? 'streaming server' : `${to.host.title} gateway`}`,
          type: 'udp' as const,
          addr: `127.0.0.1:${localPort}`,
          port: localPort,
        },
        output: [
          {
            type: 'srt' as const,
            addr: `${to.host.ip}:${to.port}`,
            port: to.port,
            latency: to.latencyMs,
            passphrase: to.input === undefined ? '' : plan.passphrase,
          },
        ],
      },
    },
  })
  return { id: data.id, feederName: feeder.name }
}

const FIRST_LOCAL_PORT = 10

/** Receivers before senders, so that nobody has to call twice. */
async function startAll(
  client: Client,
  { fleet }: TrainingSeed,
  { encoders, inputs, outputs }: Pick<TrainingIds, 'encoders' | 'inputs' | 'outputs'>,
): Promise<void> {
  const act = async (id: string, type: 1 | 2 | 10, feederName?: string) =>
    insist(async () =>
      callApi(client, contributionAction, {
        body: { id, type, actionType: 'start', ...(feederName ? { feederName } : {}) },
      }),
    )
  const started = fleet.outputs.filter(({ isStarted }) => isStarted)
  await eachOf(
    fleet.inputs.filter(({ type }) => type !== 'bus'),
    async ({ title }) => act(inputs[title] ?? '', ACTION_TYPE.input),
  )
  await eachOf(started, async ({ title }) => act(outputs[title] ?? '', ACTION_TYPE.output))
  await eachOf(fleet.cameras, async ({ title, cardIdx }) => {
    const { id = '', feederName } = encoders[title] ?? {}
    if (feederName) await act(id, ACTION_TYPE.feeder, feederName)
    const data = { name: configName(cardIdx), command: 'start' as const }
    await insist(async () => callApi(client, controlEncoder, { params: { id }, body: { data } }))
  })
}

/** Each start may take two seconds to be sure; all at once would be a storm. */
const STARTS_AT_ONCE = 6

async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += STARTS_AT_ONCE) {
    await Promise.all(items.slice(at, at + STARTS_AT_ONCE).map(act))
  }
}
