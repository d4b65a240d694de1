/** How the calls of people and places are tried by the walk through the role table. */
import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { health, readLive } from '@trunkline/contract/fleet/fleet.calls'
import {
  addGroup,
  addGroupUser,
  listGroups,
  moveGroupUser,
  removeGroup,
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
import { jwtLogin, login, signOutEverywhere } from '@trunkline/contract/session/session.calls'
import {
  addUser,
  findUser,
  listRoles,
  listUsers,
  removeUser,
  updateUser,
} from '@trunkline/contract/users/user.calls'
import type { Role } from '@trunkline/contract/roles'
import { inject } from './inject.ts'
import { TEST_PASSWORD } from './people.ts'
import { ACTING, tokenOf, type WalkSite } from './role-walk-site.ts'
import { addWalkGroup, addWalkUser } from './role-walk.things.ts'
import { recipe, type Place, type Recipe } from './role-walk.rules.ts'

const NONE = ['none'] as const
const GROUPS = ['own', 'foreign', 'groupless'] as const
const MEMBERS = ['own', 'foreign', 'groupless', 'above'] as const
const SERVERS = ['own', 'foreign'] as const

let count = 0
/** Names and ports that nobody has had yet. */
function next(): number {
  count += 1
  return count
}

function groupAt(walk: WalkSite, place: Place): string {
  if (place === 'own') return walk.own.groupId
  return place === 'foreign' ? walk.foreign.groupId : walk.groupless.groupId
}

function userAt(walk: WalkSite, place: Place, role: Role): string {
  if (place === 'self') return walk.site.people[ACTING[role]].id
  if (place === 'above') return walk.site.people.superadmin.id
  return (place === 'groupless' ? walk.groupless : tenantAt(walk, place)).userId
}

/** One that may be deleted or moved. */
async function freshUser(walk: WalkSite, place: Place, role: Role): Promise<string> {
  if (place === 'above' || place === 'self') return userAt(walk, place, role)
  const groupId = place === 'groupless' ? null : groupAt(walk, place)
  return addWalkUser(walk.site, groupId, 'Passer-by')
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

async function freshServer(walk: WalkSite, place: Place): Promise<string> {
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

export const PLACE_RECIPES: readonly Recipe[] = [
  recipe(health, { places: NONE, input: () => ({}) }),
  recipe(readLive, { places: NONE, input: () => ({}) }),
  recipe(login, {
    places: NONE,
    input: ({ site }, _, role) => {
      const { email } = site.people[ACTING[role]]
      return { body: { email, password: TEST_PASSWORD } }
    },
  }),
  recipe(jwtLogin, { places: NONE, input: () => ({}) }),
  recipe(signOutEverywhere, { places: NONE, input: () => ({}) }),
  recipe(listAudit, { places: NONE, input: () => ({}) }),

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
  recipe(updateUser, {
    variant: 'somebody else',
    action: 'editUser',
    seenBy: 'listUsers',
    places: MEMBERS,
    input: (walk, place, role) => ({
      body: { _id: userAt(walk, place, role), firstName: 'Walk' },
    }),
  }),
  recipe(removeUser, {
    places: ['own', 'foreign', 'groupless'],
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
      body: { userId: await addWalkUser(walk.site, walk.secondGroupId, 'Passer-by') },
    }),
  }),
  recipe(addGroupUser, {
    variant: 'whom',
    seenBy: 'listUsers',
    places: ['own', 'foreign', 'groupless'],
    input: async (walk, place, role) => ({
      params: { groupId: place === 'own' ? walk.secondGroupId : walk.own.groupId },
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

function tenantAt(walk: WalkSite, place: Place) {
  return place === 'foreign' ? walk.foreign : walk.own
}
