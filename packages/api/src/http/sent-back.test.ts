/**
 * What a client reads it may send back as it came (decisions.md 38): every object, as each role that
 * may edit it, with what a client attaches to its rows, and with or without what is read-only.
 */
import { renameChannel, listChannels } from '@trunkline/contract/channels/channel.calls'
import {
  listDestinations,
  updateDestination,
} from '@trunkline/contract/contributions/destination.calls'
import { readInput, updateInput } from '@trunkline/contract/contributions/input.calls'
import { readOutput, updateOutput } from '@trunkline/contract/contributions/output.calls'
import { addEncoder, findEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import {
  addTemplate,
  listTemplates,
  updateTemplate,
} from '@trunkline/contract/encoders/template.calls'
import { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import { listGroups, updateGroup } from '@trunkline/contract/groups/group.calls'
import type { Role } from '@trunkline/contract/roles'
import type { Route } from '@trunkline/contract/route'
import { findServer, updateServer } from '@trunkline/contract/servers/server.calls'
import { jwtLogin } from '@trunkline/contract/session/session.calls'
import { findUser, updateUser } from '@trunkline/contract/users/user.calls'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFarEnd, addFeed, addWay } from '../links/outputs/output.fixture.ts'
import { palConfig } from '../testing/encoder.fixture.ts'
import { FAKE_KEY } from '../testing/fake-host.ts'
import { inject, PLANTED_SECRETS, type InjectInput } from '../testing/inject.ts'
import { ACTING, openWalkSite, type WalkSite } from '../testing/role-walk/site.ts'

const stack = new AsyncDisposableStack()
let walk: WalkSite
let ids: Awaited<ReturnType<typeof addMore>>
beforeAll(async () => {
  walk = await openWalkSite(stack)
  ids = await addMore(walk)
})
afterAll(async () => stack.disposeAsync())

type Fields = Record<string, unknown>

async function ask(role: Role, call: Route, input: object): Promise<Fields> {
  const { token } = walk.site.people[ACTING[role]]
  const { status, text } = await inject(walk.site.app, call, token, input as InjectInput<Route>)
  if (status >= 300) throw new Error(`${call.name} as ${role} answers ${status} ${text}`)
  return JSON.parse(text) as Fields
}

/** Beside those of the walk: objects in the states that read otherwise. */
async function addMore({ site, own }: WalkSite) {
  const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 256 } as const
  const made = async (call: Route, body: object) => (await ask('admin', call, { body }))['data']
  const bare = { title: 'Bare', ip: 'bare.example.org', groupId: site.north, apiKey: FAKE_KEY }
  const settings = TemplateSettings.strip().parse(palConfig(0))
  const rist = await addFeed(site, 16100, {
    inputType: 'RIST',
    config: { port: 16100, profile: 1 },
  })
  const config = { port: 16102, multicast: '239.9.9.9' }
  const farEnd = await addFarEnd(site, { title: 'Keyed', encryption })
  const way = { destinationId: farEnd, config: { host: '', port: 17100 }, encryption }
  const secondPath = { host: '192.0.2.11', port: 17104 }
  const twoPaths = { inputType: 'RIST', config: { port: 17102, secondPath } } as const
  return {
    bareEncoder: ((await made(addEncoder, bare)) as Fields)['id'] as string,
    template: ((await made(addTemplate, { title: 'T', groupId: site.north, settings })) as Fields)[
      'id'
    ] as string,
    rist,
    keyed: await addFeed(site, 16104, { encryption, advanced: [{ key: 'mss', value: '1400' }] }),
    local: await addFeed(site, 16102, { inputType: 'Local', config }),
    farEnd,
    way: (await addWay(site, own.inputId, way)).id,
    twoPaths: (await addWay(site, own.inputId, twoPaths)).id,
    waiting: (
      await addWay(site, own.inputId, { config: { mode: 'Listen', host: '', port: 17106 } })
    ).id,
  }
}

interface SentBack {
  roles: readonly Role[]
  read: (role: Role) => Promise<Fields>
  send: (role: Role, body: Fields) => Promise<unknown>
}

const ADMINS = ['superadmin', 'admin'] as const
const MANAGERS = [...ADMINS, 'manager'] as const
const OPERATORS = [...MANAGERS, 'editor'] as const
const EVERYBODY = [...OPERATORS, 'monitor'] as const

function readById(call: Route, edit: Route, roles: readonly Role[], id: () => string): SentBack {
  return {
    roles,
    read: async (role) => (await ask(role, call, { params: { id: id() } }))['data'] as Fields,
    send: async (role, body) =>
      ask(role, edit, edit.path.includes(':id') ? { params: { id: id() }, body } : { body }),
  }
}

function listed(
  call: Route,
  field: string,
  edit: Route,
  roles: readonly Role[],
  id: () => string,
): SentBack {
  return {
    ...readById(call, edit, roles, id),
    read: async (role) => {
      const rows = (await ask(role, call, {}))[field] as Fields[]
      const row = rows.find((each) => each['id'] === id())
      if (row === undefined) throw new Error(`${call.name} does not list ${id()}`)
      return row
    },
  }
}

const channelId = () => walk.own.channelId

const OBJECTS: Readonly<Record<string, SentBack>> = {
  'API-07 another user': readById(findUser, updateUser, MANAGERS, () => walk.own.userId),
  'API-07 oneself, as signed in': {
    roles: EVERYBODY,
    read: async (role) => (await ask(role, jwtLogin, {}))['user'] as Fields,
    send: async (role, body) => ask(role, updateUser, { body }),
  },
  'API-11 GRP-11 a group': listed(listGroups, 'data', updateGroup, ADMINS, () => walk.site.north),
  'API-18 a server for links': readById(findServer, updateServer, ADMINS, () => walk.own.acantsId),
  'API-18 a channel server': readById(
    findServer,
    updateServer,
    ADMINS,
    () => walk.own.channelServerId,
  ),
  'API-25 an encoder': readById(findEncoder, updateEncoder, OPERATORS, () => walk.own.encoderId),
  'API-25 an encoder without configuration': readById(
    findEncoder,
    updateEncoder,
    MANAGERS,
    () => ids.bareEncoder,
  ),
  'API-26 a feeder': {
    roles: OPERATORS,
    read: async (role) => {
      const { encoderId: id } = walk.own
      const { data } = (await ask(role, findEncoder, { params: { id } })) as { data: Fields }
      return (data['config'] as { feeder: Fields[] }).feeder[0] ?? {}
    },
    send: async (role, feederPost) => {
      const { encoderId: id } = walk.own
      const { data } = (await ask(role, findEncoder, { params: { id } })) as { data: Fields }
      const body = { ...data, feederPost }
      return ask(role, saveFeeder, { params: { product: 'acan' }, body })
    },
  },
  'a template of encoder settings': listed(
    listTemplates,
    'data',
    updateTemplate,
    MANAGERS,
    () => ids.template,
  ),
  'API-35 a channel': {
    ...listed(listChannels, 'data', renameChannel, MANAGERS, channelId),
    send: async (role, body) =>
      ask(role, renameChannel, { params: { channelId: channelId() }, body }),
  },
  'API-43 an input': readById(readInput, updateInput, MANAGERS, () => walk.own.inputId),
  'API-43 a RIST input': readById(readInput, updateInput, MANAGERS, () => ids.rist),
  'API-43 an input with a key': readById(readInput, updateInput, MANAGERS, () => ids.keyed),
  'API-43 a Local input': readById(readInput, updateInput, MANAGERS, () => ids.local),
  'API-62 a destination': listed(
    listDestinations,
    'destinations',
    updateDestination,
    MANAGERS,
    () => ids.farEnd,
  ),
  'API-66 an output': readById(readOutput, updateOutput, MANAGERS, () => walk.own.outputId),
  'API-66 an output to a destination': readById(readOutput, updateOutput, MANAGERS, () => ids.way),
  'API-66 an output of two paths': readById(readOutput, updateOutput, MANAGERS, () => ids.twoPaths),
  'API-66 an output that waits': readById(readOutput, updateOutput, MANAGERS, () => ids.waiting),
}

/** Never needed to say which object is meant, and never changed by a save. */
const READ_ONLY = [
  'id',
  'fullName',
  'modeInfo',
  'groupInfo',
  'serverInfo',
  'contributionInfo',
  'destinationInfo',
  'outputIds',
  'outputs',
  'isEnabled',
  'apiKeySet',
  'userInfo',
  'version',
]

/** What a client has attached, and what it has left out. */
const handling = fc.record({
  attached: fc.record(
    {
      apiResult: fc.record({ status: fc.boolean(), results: fc.string(), error: fc.string() }),
      uptime: fc.oneof(fc.string(), fc.nat(), fc.constant(null)),
    },
    { requiredKeys: [] },
  ),
  leftOut: fc.subarray(READ_ONLY),
})

/** The signed-in user is read with a token that is new each time. */
function content(read: Fields): Fields {
  const { version: _1, token: _2, ...fields } = read
  return fields
}

test.each(
  Object.entries(OBJECTS).flatMap(([name, { roles }]) =>
    roles.map((role) => [name, role] as const),
  ),
)('%s is accepted as it was read by the %s, and nothing changes', async (name, role) => {
  const { read, send } = OBJECTS[name] ?? { read: async () => ({}), send: async () => ({}) }
  await send(role, await read(role))
  await fc.assert(
    fc.asyncProperty(handling, async ({ attached, leftOut }) => {
      const before = await read(role)
      const kept = Object.entries(before).filter(([field]) => !leftOut.includes(field))
      await send(role, { ...Object.fromEntries(kept), ...attached })
      expect(content(await read(role))).toEqual(content(before))
    }),
    { numRuns: 4 },
  )
})
