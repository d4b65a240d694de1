/** How the calls of people and places are tried by the walk through the role table. */
import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { readOpenApi } from '@trunkline/contract/open-api/open-api.calls'
import { health, readLive, watchLive } from '@trunkline/contract/fleet/fleet.calls'
import {
  addGroup,
  addGroupUser,
  listGroups,
  moveGroupUser,
  removeGroup,
  removeGroupUser,
  updateGroup,
} from '@trunkline/contract/groups/group.calls'
import {
  addServer,
  findServer,
  listServers,
  readServerStatus,
  removeServer,
  updateServer,
} from '@trunkline/contract/servers/server.calls'
import {
  jwtLogin,
  login,
  signOut,
  signOutEverywhere,
} from '@trunkline/contract/session/session.calls'
import {
  addUser,
  findUser,
  listRoles,
  listUsers,
  removeUser,
  updateUser,
} from '@trunkline/contract/users/user.calls'
import { readHostAdapters } from '@trunkline/contract/servers/host-adapters.calls'
import { endUserSession, listUserSessions } from '@trunkline/contract/users/user-session.calls'
import type { Role } from '@trunkline/contract/roles'
import { inject } from '../inject.ts'
import { openSession, TEST_PASSWORD } from '../people.ts'
import { ACTING, tokenOf, type WalkSite } from './site.ts'
import { addWalkGroup, addWalkUser } from './things.ts'
import { recipe, type Place, type Recipe } from './rules.ts'

const NONE = ['none'] as const
const GROUPS = ['own', 'foreign', 'groupless'] as const
const MEMBERS = ['own', 'foreign', 'shared', 'groupless', 'above'] as const
const FRESH_MEMBERS = ['own', 'foreign', 'shared', 'groupless'] as const
const SERVERS = ['own', 'foreign'] as const

let count = 0
/** Names and ports that nobody has had yet. */
function next(): number {
  count += 1
  return count
}

/** What becomes of a person's account: each of these would let a manager sign in as them. */
function changesFor(role: Role) {
  const [newPassword, email] = ['a long password', `changed${next()}@trunkline.example`]
  return {
    'somebody else': { firstName: 'Walk' },
    'the e-mail of somebody else': { email },
    'the password of somebody else': { newPassword, newConfirmPassword: newPassword },
    'the role of somebody else': { mode: role === 'manager' ? 'monitor' : 'manager' },
  } as const
}

/** Of a person there. */
function groupsAt(walk: WalkSite, place: Place): readonly string[] {
  if (place === 'groupless') return []
  return place === 'shared' ? [walk.own.groupId, walk.foreign.groupId] : [groupAt(walk, place)]
}

export function groupAt(walk: WalkSite, place: Place): string {
  if (place === 'own') return walk.own.groupId
  return place === 'foreign' ? walk.foreign.groupId : walk.groupless.groupId
}

export function userAt(walk: WalkSite, place: Place, role: Role): string {
  if (place === 'self') return walk.site.people[ACTING[role]].id
  if (place === 'above') return walk.site.people.superadmin.id
  if (place === 'shared') return walk.sharedUserId
  return (place === 'groupless' ? walk.groupless : tenantAt(walk, place)).userId
}

/** An object that may be deleted or moved. */
export async function freshUser(walk: WalkSite, place: Place, role: Role): Promise<string> {
  if (place === 'above' || place === 'self') return userAt(walk, place, role)
  return addWalkUser(walk.site, groupsAt(walk, place), 'Passer-by')
}

async function freshGroup({ site }: WalkSite, place: Place): Promise<string> {
  const { northManager, southManager, loneManager } = site.people
  const managers = { own: northManager, foreign: southManager, groupless: loneManager }
  return addWalkGroup(site, managers[place as keyof typeof managers].id)
}

function serverDraft(groupIds: string[]) {
  const at = next()
  return {
    title: `Added ${at}`,
    host: 'walk.invalid',
    port: 20_000 + at,
    serverType: 'acants' as const,
    apiKey: 'a-key-that-nobody-has',
    groupIds,
    adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
  }
}

export async function freshServer(walk: WalkSite, place: Place): Promise<string> {
  const token = await tokenOf(walk.site, 'superadmin')
  const draft = { ...serverDraft([groupAt(walk, place)]), title: `Hidden ${next()}` }
  const { answer } = await inject(walk.site.app, addServer, token, { body: draft })
  return answer.data.id
}

/** Somebody whom this role may make (Q24). */
function personFor(role: Role) {
  const mode = role === 'admin' ? ('manager' as const) : ('editor' as const)
  const email = `added${next()}@trunkline.example`
  return { firstName: 'Added', lastName: 'Own', email, password: 'a long password', mode }
}

const WAYS_TO_CHANGE = [
  'somebody else',
  'the e-mail of somebody else',
  'the password of somebody else',
  'the role of somebody else',
] as const

export const PLACE_RECIPES: readonly Recipe[] = [
  recipe(health, { places: NONE, input: () => ({}) }),
  recipe(readLive, { places: NONE, input: () => ({}) }),
  // Nobody holds a stream here; whose connection it must be is in live-watch.test.ts.
  recipe(watchLive, {
    places: NONE,
    letThrough: [404],
    input: () => ({ body: { connection: 'none', sequence: 1, keys: [] } }),
  }),
  recipe(login, {
    places: NONE,
    input: ({ site }, _, role) => {
      const { email } = site.people[ACTING[role]]
      return { body: { email, password: TEST_PASSWORD } }
    },
  }),
  recipe(jwtLogin, { places: NONE, input: () => ({}) }),
  recipe(signOut, { places: NONE, input: () => ({}) }),
  recipe(signOutEverywhere, { places: NONE, input: () => ({}) }),
  recipe(listAudit, { places: NONE, input: () => ({}) }),
  recipe(readOpenApi, { places: NONE, input: () => ({}) }),

  recipe(listUsers, { places: NONE, input: () => ({}) }),
  recipe(listUsers, {
    variant: 'of a group',
    places: GROUPS,
    isFilter: true,
    input: (walk, place) => ({ query: { groupId: groupAt(walk, place) } }),
  }),
  recipe(findUser, {
    places: [...MEMBERS, 'self'],
    input: (walk, place, role) => ({ params: { id: userAt(walk, place, role) } }),
  }),
  recipe(listRoles, { places: NONE, input: () => ({}) }),
  recipe(addUser, { places: NONE, input: (_, __, role) => ({ body: personFor(role) }) }),
  recipe(addUser, {
    variant: 'into a group',
    places: GROUPS,
    input: (walk, place, role) => ({
      body: { ...personFor(role), groupId: groupAt(walk, place) },
    }),
  }),
  recipe(updateUser, {
    variant: 'oneself',
    places: ['self'],
    input: (walk, place, role) => ({
      body: { _id: userAt(walk, place, role), firstName: 'Test' },
    }),
  }),
  ...WAYS_TO_CHANGE.map((variant) =>
    recipe(updateUser, {
      variant,
      action: variant === 'the role of somebody else' ? 'giveRole' : 'editUser',
      seenBy: 'listUsers',
      // A superadmin is above an admin, and oneself to the superadmin.
      places: variant === 'somebody else' ? MEMBERS : FRESH_MEMBERS,
      input: async (walk, place, role) => ({
        body: { _id: await freshUser(walk, place, role), ...changesFor(role)[variant] },
      }),
    }),
  ),
  ...[['self'] as const, FRESH_MEMBERS].map((places) =>
    recipe(listUserSessions, {
      variant: places === FRESH_MEMBERS ? 'of somebody else' : 'the own',
      action: places === FRESH_MEMBERS ? 'endUserSession' : 'endOwnSession',
      seenBy: 'listUsers',
      places,
      input: (walk, place, role) => ({ params: { id: userAt(walk, place, role) } }),
    }),
  ),
  ...[['self'] as const, FRESH_MEMBERS].map((places) =>
    recipe(endUserSession, {
      variant: places === FRESH_MEMBERS ? 'of somebody else' : 'the own',
      action: places === FRESH_MEMBERS ? 'endUserSession' : 'endOwnSession',
      seenBy: 'listUsers',
      places,
      input: async (walk, place, role) => {
        const id = userAt(walk, place, role)
        return { params: { id, sessionId: await openSession(walk.site.ctx, id) } }
      },
    }),
  ),
  recipe(removeUser, {
    seenBy: 'listUsers',
    places: FRESH_MEMBERS,
    input: async (walk, place, role) => ({ params: { id: await freshUser(walk, place, role) } }),
  }),

  recipe(listGroups, { places: NONE, input: () => ({}) }),
  recipe(addGroup, {
    places: NONE,
    input: ({ site }) => {
      const title = `Hidden ${next()}`
      return { body: { title, description: 'd', manager: site.people.loneManager.id } }
    },
  }),
  recipe(updateGroup, {
    places: GROUPS,
    input: (walk, place) => ({
      params: { id: groupAt(walk, place) },
      body: { description: `d${next()}` },
    }),
  }),
  recipe(removeGroup, {
    places: GROUPS,
    input: async (walk, place) => ({ params: { id: await freshGroup(walk, place) } }),
  }),
  recipe(addGroupUser, {
    places: GROUPS,
    input: async (walk, place) => ({
      params: { groupId: groupAt(walk, place) },
      body: { userId: await addWalkUser(walk.site, [walk.secondGroupId], 'Passer-by') },
    }),
  }),
  recipe(addGroupUser, {
    variant: 'whom',
    seenBy: 'listUsers',
    places: FRESH_MEMBERS,
    input: async (walk, place, role) => ({
      params: { groupId: isOfNorth(place) ? walk.secondGroupId : walk.own.groupId },
      body: { userId: await freshUser(walk, place, role) },
    }),
  }),
  recipe(moveGroupUser, {
    places: GROUPS,
    input: async (walk, place, role) => ({
      params: { groupId: groupAt(walk, place) },
      body: { userId: await freshUser(walk, 'own', role) },
    }),
  }),
  recipe(moveGroupUser, {
    variant: 'whom',
    seenBy: 'listUsers',
    places: FRESH_MEMBERS,
    input: async (walk, place, role) => ({
      params: { groupId: walk.secondGroupId },
      body: { userId: await freshUser(walk, place, role) },
    }),
  }),
  recipe(removeGroupUser, {
    places: GROUPS,
    input: async (walk, place) => {
      const groupId = groupAt(walk, place)
      const groupIds = [groupId, walk.secondGroupId]
      const userId = await addWalkUser(walk.site, groupIds, 'Passer-by')
      return { params: { groupId }, body: { userId } }
    },
  }),
  recipe(removeGroupUser, {
    variant: 'whom',
    seenBy: 'listUsers',
    places: ['own', 'shared'],
    input: async (walk, place, role) => ({
      params: { groupId: walk.own.groupId },
      body: { userId: await freshUser(walk, place, role) },
    }),
  }),

  recipe(listServers, { places: NONE, input: () => ({}) }),
  recipe(listServers, {
    variant: 'of a group',
    places: GROUPS,
    isFilter: true,
    input: (walk, place) => ({ query: { groupId: groupAt(walk, place) } }),
  }),
  recipe(findServer, {
    places: SERVERS,
    input: (walk, place) => ({ params: { id: tenantAt(walk, place).acantsId } }),
  }),
  recipe(readHostAdapters, {
    places: NONE,
    input: () => ({ query: { host: '127.0.0.1' } }),
  }),
  recipe(addServer, {
    places: GROUPS,
    input: (walk, place) => ({ body: serverDraft([groupAt(walk, place)]) }),
  }),
  recipe(updateServer, {
    places: SERVERS,
    input: (walk, place) => ({
      params: { id: tenantAt(walk, place).acantsId },
      body: { location: `Rack ${next()}` },
    }),
  }),
  recipe(updateServer, {
    variant: 'its API key',
    action: 'setServerKey',
    places: SERVERS,
    input: async (walk, place) => ({
      params: { id: await freshServer(walk, place) },
      body: { apiKey: 'another-key-0001' },
    }),
  }),
  recipe(removeServer, {
    places: SERVERS,
    input: async (walk, place) => ({ params: { id: await freshServer(walk, place) } }),
  }),
  recipe(readServerStatus, {
    places: SERVERS,
    input: (walk, place) => ({ params: { id: tenantAt(walk, place).acantsId } }),
  }),
  recipe(readServerStatus, {
    variant: 'of one that is away',
    places: ['own'],
    letThrough: [502],
    input: (walk) => ({ params: { id: walk.awayServerId } }),
  }),
]

function isOfNorth(place: Place): boolean {
  return place === 'own' || place === 'shared'
}

function tenantAt(walk: WalkSite, place: Place) {
  return place === 'foreign' ? walk.foreign : walk.own
}
