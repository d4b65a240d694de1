/** Valid groups, managers, servers and hosts for tests; each test changes what it is about. */
import type { HostEnrolment } from '@trunkline/contract/enrolment/enrolment.schema'
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Group } from '@trunkline/contract/groups/group.schema'
import type { Server } from '@trunkline/contract/servers/server.schema'
import type { User } from '@trunkline/contract/users/user.schema'
import { groupOf } from './samples.ts'
import { personOf } from './user.samples.ts'

const MANAGER = { _id: 'gallery-a', fullName: 'Gallery A', mode: { name: 'manager' } } as const

/** A group as the table shows it: described, and led by Gallery A. */
export function ledGroup(id: string, title: string, parts: Partial<Group> = {}): Group {
  return {
    ...groupOf(id, title),
    description: `All of ${title}`,
    users: [MANAGER._id],
    userInfo: [MANAGER],
    manager: MANAGER,
    ...parts,
  }
}

export function managerOf(id: string, fullName: string): User {
  return personOf('manager', { _id: id, fullName, email: `${id}@trunkline.example` })
}

export function serverOf(id: string, parts: Partial<Server> = {}): Server {
  return {
    _id: id,
    id,
    title: `Server ${id}`,
    host: '203.0.113.20',
    port: 8080,
    serverType: 'acants',
    apiKeySet: true,
    description: '',
    location: '',
    groupIds: ['north'],
    groupInfo: [{ _id: 'north', title: 'Sports North' }],
    adapterIps: [{ _id: `${id}-eth0`, adapterName: 'eth0', adapterIp: '203.0.113.20' }],
    version: 1,
    ...parts,
  }
}

/** A server's host that answers, since a minute. */
export function hostOf(id: string, parts: Partial<HostStatus> = {}): HostStatus {
  const nowMs = Date.now()
  return {
    id,
    kind: 'server',
    online: true,
    sinceMs: nowMs - 60_000,
    heardAtMs: nowMs,
    fault: null,
    cause: '',
    ...parts,
  }
}

/** A host that is reached by its key. */
export function enrolmentOf(
  kind: HostEnrolment['kind'],
  id: string,
  parts: Partial<HostEnrolment> = {},
): HostEnrolment {
  return {
    kind,
    id,
    security: 'key',
    openedBy: 'console',
    takesHosts: false,
    since: null,
    certificateEndsAt: null,
    codeEndsInMs: null,
    obstacle: '',
    ...parts,
  }
}
