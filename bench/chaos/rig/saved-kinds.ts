/** An object of each kind that people save, on an empty site, and how it is saved. */
import {
  addMaintenance,
  updateMaintenance,
} from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import { addOverride, updateOverride } from '@trunkline/contract/alarms/overrides/override.calls'
import { renameChannel, saveChannels } from '@trunkline/contract/channels/channel.calls'
import {
  addDestination,
  updateDestination,
} from '@trunkline/contract/contributions/destination.calls'
import { addInput, updateInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput, updateOutput } from '@trunkline/contract/contributions/output.calls'
import { addEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { addTemplate, updateTemplate } from '@trunkline/contract/encoders/template.calls'
import { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import { addGroup, updateGroup } from '@trunkline/contract/groups/group.calls'
import {
  addNotificationRule,
  updateNotificationRule,
} from '@trunkline/contract/notifications/notification.calls'
import { addServer, updateServer } from '@trunkline/contract/servers/server.calls'
import { updateUser } from '@trunkline/contract/users/user.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { demoEncoderConfig } from '@trunkline/testbed/demo-site'
import { z } from 'zod'
import { addHome, type Home } from './writers.ts'

/** As it was answered: the version, and the text that was saved. */
const Saved = z.object({ version: z.number(), text: z.string() })
type Saved = z.infer<typeof Saved>

export interface SavedKind {
  readonly name: string
  /** Version 1 until something is saved. */
  readonly firstVersion: number
  /** `text`: a number from 1 to 3600. Throws CallFailed when it is refused. */
  save(client: Client, version: number, text: string): Promise<Saved>
  /** Of an object as the API shows it. */
  read(shown: unknown): Saved
}

/** Nothing answers there: what is about hosts and media servers waits for them. */
const NOWHERE = { ip: '127.0.0.99', port: 9001 }
const HOST_KEY = 'the-key-of-no-host'

export interface Places extends Home {
  gatewayId: string
  streamsId: string
}

/** What every other object belongs to. */
export async function addPlaces(client: Client): Promise<Places> {
  const { manager, groupId } = await addHome(client)
  const server = async (title: string, serverType: 'acants' | 'channel', port: number) => {
    const place = { title, host: NOWHERE.ip, port, serverType, apiKey: HOST_KEY }
    const texts = {
      description: '',
      location: '',
      groupIds: [groupId],
      adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
    }
    return (await callApi(client, addServer, { body: { ...place, ...texts } })).data.id
  }
  const gatewayId = await server('Gateway', 'acants', NOWHERE.port)
  return { manager, groupId, gatewayId, streamsId: await server('Streams', 'channel', 9002) }
}

type Save = (client: Client, version: number, text: string) => Promise<{ data: unknown }>

function kind(
  name: string,
  version: number,
  save: Save,
  textOf: (shown: unknown) => string = titleOf,
): SavedKind {
  const read = (shown: unknown) => ({
    version: z.object({ version: z.number() }).parse(shown).version,
    text: textOf(shown),
  })
  return {
    name,
    firstVersion: version,
    save: async (client, at, text) => read((await save(client, at, text)).data),
    read,
  }
}

const Titled = z.object({ title: z.string() })

function titleOf(shown: unknown): string {
  return Titled.parse(shown).title
}

export async function savedKinds(client: Client, places: Places): Promise<SavedKind[]> {
  const group = { title: '0', description: 'Saved', manager: places.manager }
  const added = await callApi(client, addGroup, { body: group })
  return [
    kind('group', added.data.version, async (by, version, title) =>
      callApi(by, updateGroup, { params: { id: added.data.id }, body: { title, version } }),
    ),
    await userKind(client, places),
    kind('server', 1, async (by, version, title) =>
      callApi(by, updateServer, { params: { id: places.gatewayId }, body: { title, version } }),
    ),
    await channelKind(client, places),
    ...(await encoderKinds(client, places)),
    ...(await linkKinds(client, places)),
    ...(await alarmKinds(client, places)),
  ]
}

async function userKind(client: Client, { manager }: Places): Promise<SavedKind> {
  const save: Save = async (by, version, lastName) =>
    callApi(by, updateUser, { body: { _id: manager, lastName, version } })
  const { data } = await callApi(client, updateUser, { body: { _id: manager, lastName: '0' } })
  const textOf = (shown: unknown) => z.object({ lastName: z.string() }).parse(shown).lastName
  return kind('user', data.version, save, textOf)
}

async function channelKind(client: Client, places: Places): Promise<SavedKind> {
  const channel = { name: 'chaos', title: '0', serverId: places.streamsId }
  const { data } = await callApi(client, saveChannels, {
    body: [{ ...channel, groupIds: [places.groupId] }],
  })
  const [first] = data
  if (first === undefined) throw new Error('The channel was not saved.')
  return kind('channel', first.version, async (by, version, title) =>
    callApi(by, renameChannel, { params: { channelId: first.id }, body: { title, version } }),
  )
}

async function encoderKinds(client: Client, places: Places): Promise<SavedKind[]> {
  const { groupId, gatewayId: serverId } = places
  const config = demoEncoderConfig({ ports: { encoderOutput: 5000 } })
  const add = async (port: number, encoderOutput: number) => {
    const own = demoEncoderConfig({ ports: { encoderOutput } })
    const body = { title: '0', ip: NOWHERE.ip, port, groupId, apiKey: HOST_KEY }
    const { id } = await callApi(client, addEncoder, { body })
    const saved = await callApi(client, updateEncoder, { body: { _id: id, config: own } })
    return { id, version: saved.data.version }
  }
  const [encoder, fed] = [await add(9003, 5002), await add(9004, 5004)]
  const output = [{ addr: '127.0.0.1:6000', port: 6000 }]
  const feeder = (title: string) => ({
    serverId,
    input: { title, addr: '127.0.0.1:5000', port: 5000 },
    output,
  })
  const product = { product: 'acan' }
  const first = await callApi(client, saveFeeder, {
    params: product,
    body: { _id: fed.id, feederPost: feeder('0') },
  })
  const { name } = first.feeder
  const { ['card-idx']: _1, title: _2, output: _3, feeder: _4, name: _5, ...rest } = config
  const settings = TemplateSettings.parse(rest)
  const template = await callApi(client, addTemplate, { body: { title: '0', groupId, settings } })
  return [
    kind('encoder', encoder.version, async (by, version, title) =>
      callApi(by, updateEncoder, { body: { _id: encoder.id, title, version } }),
    ),
    kind(
      'feeder',
      first.data.version,
      async (by, version, title) =>
        callApi(by, saveFeeder, {
          params: product,
          body: { _id: fed.id, version, feederPost: { name, ...feeder(title) } },
        }),
      feederTitleOf,
    ),
    kind('encoderTemplate', template.data.version, async (by, version, title) =>
      callApi(by, updateTemplate, {
        params: { id: template.id },
        body: { title, settings, version },
      }),
    ),
  ]
}

const Fed = z.object({ config: z.object({ feeder: z.array(z.object({ input: Titled })) }) })

/** Of the encoder's only feeder. */
function feederTitleOf(shown: unknown): string {
  return Fed.parse(shown).config.feeder[0]?.input.title ?? ''
}

async function linkKinds(client: Client, places: Places): Promise<SavedKind[]> {
  const { groupId, gatewayId: serverId } = places
  const destination = (title: string) => ({ title, ip: '198.51.100.7', groupId })
  const inputType = 'SRT' as const
  const input = (title: string) => {
    return { title, inputType, serverId, groupId, config: { port: 6100 } }
  }
  const far = await callApi(client, addDestination, { body: destination('0') })
  const received = await callApi(client, addInput, { body: input('0') })
  const output = (title: string) => ({
    title,
    inputType,
    contributionId: received.id,
    config: { host: '198.51.100.8', port: 7000 },
  })
  const sent = await callApi(client, addOutput, { body: output('0') })
  return [
    kind('destination', far.data.version, async (by, version, title) =>
      callApi(by, updateDestination, {
        params: { id: far.data.id },
        body: { ...destination(title), version },
      }),
    ),
    kind('input', received.data.version, async (by, version, title) =>
      callApi(by, updateInput, {
        params: { id: received.id },
        body: { ...input(title), version },
      }),
    ),
    kind('output', sent.data.version, async (by, version, title) =>
      callApi(by, updateOutput, { params: { id: sent.id }, body: { ...output(title), version } }),
    ),
  ]
}

/** On weekdays that never matter: nothing of it is on. */
const TIMES = {
  repeats: 'once' as const,
  from: '2040-01-01T00:00:00Z',
  until: '2040-01-02T00:00:00Z',
}

async function alarmKinds(client: Client, { groupId }: Places): Promise<SavedKind[]> {
  const covers = { kind: 'group' as const, id: groupId }
  const window = await callApi(client, addMaintenance, {
    body: { title: '0', covers, times: TIMES },
  })
  const override = await callApi(client, addOverride, {
    body: { covers, rule: 'program-down', raiseAfterSeconds: 1 },
  })
  const target = {
    kind: 'email' as const,
    host: 'mail.example',
    from: 'alarms@trunkline.example',
    to: ['night@trunkline.example'],
  }
  const rule = (title: string) => ({ title, isEnabled: false, target })
  const notified = await callApi(client, addNotificationRule, { body: rule('0') })
  return [
    kind('maintenance', window.data.version, async (by, version, title) =>
      callApi(by, updateMaintenance, { params: { id: window.id }, body: { title, version } }),
    ),
    kind(
      'alarmOverride',
      override.data.version,
      async (by, version, text) =>
        callApi(by, updateOverride, {
          params: { id: override.id },
          body: { raiseAfterSeconds: Number(text), version },
        }),
      (shown) =>
        String(
          z.object({ raiseAfterSeconds: z.number().nullable() }).parse(shown).raiseAfterSeconds,
        ),
    ),
    kind('notificationRule', notified.data.version, async (by, version, title) =>
      callApi(by, updateNotificationRule, {
        params: { id: notified.id },
        body: { ...rule(title), version },
      }),
    ),
  ]
}
