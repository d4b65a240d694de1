/** What stands in the two groups of the walk through the role table: made by the calls where there are any. */
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import { addEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import type { Role } from '@trunkline/contract/roles'
import type { Route } from '@trunkline/contract/route'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { searchText } from '../../db/search.ts'
import { newId } from '../../id.ts'
import { palConfig } from '../encoder.fixture.ts'
import { FAKE_KEY } from '../fake-host.ts'
import { FAKE_MEDIA_KEY, fakeStream, type FakeMediaServer } from '../fake-media-server.ts'
import { PLANTED_SECRETS, type InjectInput } from '../inject.ts'
import type { TestSite } from '../test-site.ts'
import { gatewayDraft } from '../server.fixture.ts'
import { addStoredGroup, addStoredMembers, addStoredUser } from '../stored-site.ts'

/** An encoder with a feeder. */
export interface Camera {
  encoderId: string
  cardIdx: number
  feederName: string
  /** The server that the feeder goes to. */
  acantsId: string
}

/** A stream that was saved as a channel. */
export interface Program {
  channelId: string
  channelServerId: string
  streamName: string
}

export interface Tenant extends Camera, Program {
  groupId: string
  inputId: string
  outputId: string
  outputName: string
  userId: string
}

/** Straight into the database: somebody of these groups. */
export async function addWalkUser(
  site: TestSite,
  groupIds: readonly string[],
  lastName: 'Own' | 'Hidden' | 'Passer-by',
  role: Role = 'editor',
): Promise<string> {
  const id = newId()
  const { db, clock } = site.ctx
  await addStoredUser(db, id, role, {
    firstName: 'Walk',
    lastName,
    passwordHash: '$argon2id$planted',
    createdAt: new Date(clock()).toISOString(),
  })
  for (const groupId of groupIds) await addStoredMembers(db, groupId, [id])
  return id
}

/** Straight into the database: an empty group. */
export async function addWalkGroup(site: TestSite, managerId: string): Promise<string> {
  const id = newId()
  const title = `${managerId === site.people.northManager.id ? 'Own' : 'Hidden'} ${id}`
  const createdAt = new Date(site.ctx.clock()).toISOString()
  await addStoredGroup(site.ctx.db, id, managerId, { title, description: 'd', createdAt })
  return id
}

interface Servers {
  acantsId: string
  channelServerId: string
  media: FakeMediaServer
}

interface NewCamera {
  title: string
  groupId: string
  /** Its editors. */
  users: string[]
  acantsId: string
}

/** Which is the next free card of the one encoder host. */
async function countOfEncoders({ ctx }: TestSite): Promise<number> {
  return (await ctx.db.selectFrom('encoders').select('id').execute()).length
}

async function done<T extends Route>(site: TestSite, call: T, input: InjectInput<T>) {
  const { status, answer, text } = await site.call('superadmin', call, input)
  if (status >= 300) throw new Error(`The site cannot be made: ${call.name} answers ${text}`)
  return answer
}
const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 128 } as const

export async function makeServer(
  site: TestSite,
  title: string,
  serverType: 'acants' | 'channel',
  port: number,
  groupIds: string[],
): Promise<string> {
  const apiKey = serverType === 'acants' ? FAKE_KEY : FAKE_MEDIA_KEY
  const body = gatewayDraft(groupIds, { title, serverType, port, apiKey })
  return (await done(site, addServer, { body })).data.id
}

export async function makeCamera(
  site: TestSite,
  { title, groupId, users, acantsId }: NewCamera,
): Promise<Camera> {
  const cardIdx = await countOfEncoders(site)
  const { port } = site.encoderHost
  const apiKey = cardIdx === 0 ? FAKE_KEY : ''
  const { id } = await done(site, addEncoder, {
    body: { title, ip: '127.0.0.1', port, groupId, apiKey },
  })
  await done(site, updateEncoder, { body: { _id: id, users, config: palConfig(cardIdx) } })
  const saved = await done(site, saveFeeder, {
    params: { product: 'acan' },
    body: { _id: id, feederPost: walkFeeder(acantsId, cardIdx) },
  })
  await site.ctx.hosts.linked({ host: '127.0.0.1', port })
  return { encoderId: id, cardIdx, feederName: saved.feeder.name, acantsId }
}

export async function makeProgram(
  site: TestSite,
  title: string,
  groupId: string | null,
  serverId: string,
  media: FakeMediaServer,
): Promise<Program> {
  const channelId = newId()
  const streamName = `stream-${channelId}`
  media.streams.set(streamName, fakeStream(streamName, { title }))
  const createdAt = new Date(site.ctx.clock()).toISOString()
  const row = { id: channelId, version: 1, created_at: createdAt, search: searchText([title]) }
  await site.ctx.db
    .insertInto('channels')
    .values({ ...row, server_id: serverId, name: streamName, title })
    .execute()
  if (groupId !== null) {
    await site.ctx.db
      .insertInto('channel_groups')
      .values({ channel_id: channelId, group_id: groupId })
      .execute()
  }
  return { channelId, channelServerId: serverId, streamName }
}

export const HIDDEN_INPUT_PORT = 6100

/** Each is the title of one thing alone, so that an answer with it has told of that thing. */
export const HIDDEN_TITLES = {
  input: 'Hidden input of theirs',
  output: 'Hidden output of theirs',
  channel: 'Hidden channel of theirs',
  camera: 'Hidden camera of theirs',
} as const

export async function makeTenant(
  site: TestSite,
  name: 'North' | 'South',
  groupId: string,
  editorId: string,
  { acantsId, channelServerId, media }: Servers,
): Promise<Tenant> {
  const isOwn = name === 'North'
  const titleOf = (kind: keyof typeof HIDDEN_TITLES) => (isOwn ? 'Own' : HIDDEN_TITLES[kind])
  const { id: inputId } = await done(site, addInput, {
    body: {
      title: titleOf('input'),
      inputType: 'SRT',
      serverId: acantsId,
      groupId,
      config: { port: isOwn ? 6000 : HIDDEN_INPUT_PORT },
      encryption,
    },
  })
  const output = await done(site, addOutput, {
    body: {
      title: titleOf('output'),
      inputType: 'SRT',
      contributionId: inputId,
      config: { host: '192.0.2.9', port: 7000 },
      encryption,
    },
  })
  return {
    ...(await makeProgram(site, titleOf('channel'), groupId, channelServerId, media)),
    ...(await makeCamera(site, {
      title: titleOf('camera'),
      groupId,
      users: [editorId],
      acantsId,
    })),
    groupId,
    inputId,
    outputId: output.id,
    outputName: output.data.name,
    userId: await addWalkUser(site, [groupId], isOwn ? 'Own' : 'Hidden'),
  }
}

export function walkFeeder(serverId: string, cardIdx: number) {
  const port = 5000 + cardIdx
  return {
    serverId,
    input: { title: 'to the gateway', addr: `127.0.0.1:${port}`, port },
    output: [{ addr: '192.0.2.10:6000', port: 6000, passphrase: PLANTED_SECRETS[1] }],
  }
}
