/** Two groups that mirror each other, and things between them, for the walk through the role table. */
import type { Role } from '@trunkline/contract/roles'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { FakeHost } from '../fake-host.ts'
import { FakeMediaServer } from '../fake-media-server.ts'
import { startHostileProvider, type HostileProvider } from '../oidc/hostile-provider.fixture.ts'
import { oidcConfig } from '../oidc/oidc-provider.fixture.ts'
import { signInAs, type PersonName } from '../people.ts'
import {
  addWalkGroup,
  addWalkUser,
  HIDDEN_TITLES,
  makeCamera,
  makeProgram,
  makeServer,
  makeTenant,
  type Camera,
  type Program,
  type Tenant,
} from './things.ts'
import { openTestSite, type TestSite } from '../test-site.ts'

/** Whoever acts for a role; those with groups are of North, and the editor is assigned there. */
export const ACTING: Readonly<Record<Role, PersonName>> = {
  superadmin: 'superadmin',
  admin: 'admin',
  manager: 'northManager',
  editor: 'northEditor',
  monitor: 'northMonitor',
}

export interface WalkSite {
  site: TestSite
  /** By which people sign in, too. */
  provider: HostileProvider
  own: Tenant
  foreign: Tenant
  /** Of the own group, with no editor assigned. */
  unassigned: Camera
  /** In no group that any of the acting people is in; the channel and the user are in none at all. */
  groupless: Program & { userId: string; groupId: string }
  /** Of the own group and the other. */
  sharedUserId: string
  /** A manager who has every group of the own manager, and the other one. */
  managerOfBothId: string
  managerOfNoneId: string
  /** Another group of the manager; nobody else who acts is in it. */
  secondGroupId: string
  /** Another gateway of the own group. */
  secondServerId: string
  /** A server of the own group where nobody listens. */
  awayServerId: string
  /** Nobody below admin may read any of these. */
  hidden: readonly string[]
}

/** `more` overrides settings, such as the database, `parts` members of the context. */
export async function openWalkSite(
  stack: AsyncDisposableStack,
  more: Partial<Config> = {},
  parts: Partial<Context> = {},
): Promise<WalkSite> {
  const provider = stack.use(await startHostileProvider())
  const oidc = oidcConfig(provider.issuer)
  const site = stack.use(await openTestSite({ oidc, ...more }, () => parts))
  const { people, north, south } = site
  const own = await makeTenant(site, 'North', north, people.northEditor.id, {
    acantsId: site.acantsId,
    channelServerId: site.channelServerId,
    media: site.media,
  })
  const host = stack.use(await FakeHost.open({ seatKind: 'acants' }))
  const second = stack.use(await FakeHost.open({ seatKind: 'acants' }))
  const media = stack.use(await FakeMediaServer.open())
  const foreign = await makeTenant(site, 'South', south, people.southEditor.id, {
    acantsId: await makeServer(site, 'Hidden acants', 'acants', host.port, [south]),
    channelServerId: await makeServer(site, 'Hidden channel', 'channel', media.port, [south]),
    media,
  })
  await makeServer(site, 'Shared', 'acants', 19_001, [north, south])
  const unassigned = await makeCamera(site, {
    title: 'Unassigned',
    groupId: north,
    users: [],
    acantsId: own.acantsId,
  })
  const groupless = {
    ...(await makeProgram(site, 'Hidden groupless', null, own.channelServerId, site.media)),
    userId: await addWalkUser(site, [], 'Hidden'),
    groupId: await addWalkGroup(site, people.loneManager.id),
  }
  const secondGroupId = await addWalkGroup(site, people.northManager.id)
  const managedIds = [north, south, secondGroupId]
  return {
    site,
    provider,
    own,
    foreign,
    unassigned,
    groupless,
    sharedUserId: await addWalkUser(site, [north, south], 'Passer-by'),
    managerOfBothId: await addWalkUser(site, managedIds, 'Passer-by', 'manager'),
    managerOfNoneId: await addWalkUser(site, [], 'Passer-by', 'manager'),
    secondGroupId,
    secondServerId: await makeServer(site, 'Second acants', 'acants', second.port, [north]),
    awayServerId: await makeServer(site, 'Away', 'acants', 19_002, [north]),
    hidden: [
      'Hidden',
      ...Object.values(HIDDEN_TITLES),
      'groupsouth',
      '"South"',
      'usersouth',
      'userlonemanager',
      foreign.encoderId,
      foreign.feederName,
      foreign.channelId,
      foreign.acantsId,
      foreign.channelServerId,
      foreign.inputId,
      foreign.outputId,
      foreign.userId,
      groupless.channelId,
      groupless.userId,
      groupless.groupId,
    ],
  }
}

/** A token of the person as of now: one of the calls ends every session. */
export async function tokenOf(site: TestSite, role: Role): Promise<string> {
  return tokenOfPerson(site, site.people[ACTING[role]].id)
}

export async function tokenOfPerson({ ctx }: TestSite, id: string): Promise<string> {
  return signInAs(ctx, id)
}
