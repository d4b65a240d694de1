/** USER-06 to USER-27 and rows S to AB of ROLE-11 as tables: who acts, on whom, and what comes of it. */
import { expect, test } from 'vitest'
import { ROLES, type Role } from '../roles.ts'
import {
  belongsToGroups,
  grantableRoles,
  hasGroupBeyond,
  isSharedBeyond,
  mayAddToGroup,
  mayChooseGroup,
  mayChooseRole,
  mayEditUser,
  mayRemoveFromGroup,
  mayRemoveUser,
  offeredRoles,
  seesUser,
  type ActedUpon,
  type Acting,
} from './user.rules.ts'

function person(
  role: Role,
  groupIds: readonly string[],
  id = `${role} of ${groupIds.join()}`,
  hasGroupBeyond = false,
) {
  return { id, role, groupIds, hasGroupBeyond }
}

const HERE = ['north']
const ELSEWHERE = ['south']

/** Of each role one in the own group, and one in another; admin-level belong to none. */
const OTHERS = {
  superadmin: person('superadmin', [], 'another superadmin'),
  admin: person('admin', [], 'another admin'),
  managerHere: person('manager', HERE, 'another manager'),
  managerElsewhere: person('manager', ELSEWHERE),
  managerNowhere: person('manager', []),
  editorHere: person('editor', HERE, 'another editor'),
  editorElsewhere: person('editor', ELSEWHERE),
  editorOfBoth: person('editor', [...ELSEWHERE, ...HERE], 'editor of both', true),
  /** Of the own group, and of another only by an encoder that is assigned to them. */
  editorAssignedElsewhere: person('editor', HERE, 'editor assigned elsewhere', true),
  monitorHere: person('monitor', HERE, 'another monitor'),
  monitorElsewhere: person('monitor', ELSEWHERE),
  monitorOfBoth: person('monitor', [...HERE, ...ELSEWHERE], 'monitor of both', true),
} satisfies Record<string, ActedUpon>
type OtherName = keyof typeof OTHERS

const EVERYBODY = Object.keys(OTHERS) as OtherName[]
const NO_SUPERADMIN = EVERYBODY.filter((name) => name !== 'superadmin')
const SHARING_BELOW: OtherName[] = [
  'editorHere',
  'editorOfBoth',
  'editorAssignedElsewhere',
  'monitorHere',
  'monitorOfBoth',
]
const SHARING: OtherName[] = ['managerHere', ...SHARING_BELOW]
/** All of whose groups are the manager's own. */
const OWN_BELOW: OtherName[] = ['editorHere', 'monitorHere']
const MEMBERS = EVERYBODY.filter((name) => /^(editor|monitor)/.test(name))

function acting(role: Role): Acting & ActedUpon {
  return person(role, belongsToGroups(role) ? HERE : [], 'me')
}

/** In the order of ROLES; nobody for those that are left out. */
function byRole(...others: OtherName[][]): Record<Role, OtherName[]> {
  const rows = ROLES.map((role, at) => [role, others[at] ?? []] as const)
  return Object.fromEntries(rows) as Record<Role, OtherName[]>
}

type Rule = (actor: Acting, user: ActedUpon) => boolean

/** Rule, and for each role the people that it allows, in the order of OTHERS; then oneself. */
const RULES: Record<string, { rule: Rule; others: Record<Role, OtherName[]>; self: Role[] }> = {
  'matrix S Q29 who is seen': {
    rule: seesUser,
    others: byRole(EVERYBODY, NO_SUPERADMIN, SHARING, SHARING, SHARING),
    self: [...ROLES],
  },
  'matrix V W Q27 Q28 Q30 who may be edited': {
    rule: mayEditUser,
    others: byRole(EVERYBODY, NO_SUPERADMIN, OWN_BELOW),
    self: [...ROLES],
  },
  'matrix U USER-06 who may be deleted': {
    rule: mayRemoveUser,
    others: byRole(EVERYBODY, NO_SUPERADMIN, OWN_BELOW),
    self: [],
  },
  'matrix X Y USER-19 USER-20 whose role may be chosen': {
    rule: mayChooseRole,
    others: byRole(EVERYBODY, NO_SUPERADMIN, OWN_BELOW),
    self: [],
  },
  'matrix AA AB USER-07 who may be added to a group': {
    rule: mayAddToGroup,
    others: byRole(MEMBERS, MEMBERS, SHARING_BELOW),
    self: [],
  },
  'who may be taken out of a group, also with groups of others': {
    rule: mayRemoveFromGroup,
    others: byRole(MEMBERS, MEMBERS, SHARING_BELOW),
    self: [],
  },
  'whom another group alone keeps from being edited': {
    rule: isSharedBeyond,
    others: byRole([], [], ['editorOfBoth', 'editorAssignedElsewhere', 'monitorOfBoth']),
    self: [],
  },
}

test.each(Object.entries(RULES))('%s', (_, { rule, others, self }) => {
  for (const role of ROLES) {
    const me = acting(role)
    expect([role, EVERYBODY.filter((name) => rule(me, OTHERS[name]))]).toEqual([role, others[role]])
  }
  expect(ROLES.filter((role) => rule(acting(role), acting(role)))).toEqual(self)
})

test('Q36 a manager without a group sees and changes only their own user', () => {
  const lone = person('manager', [], 'me')
  for (const { rule } of Object.values(RULES)) {
    if (rule === isSharedBeyond) continue
    expect(EVERYBODY.filter((name) => rule(lone, OTHERS[name]))).toEqual([])
  }
  expect(seesUser(lone, lone)).toBe(true)
})

test('Q22 Q24 Q25 ROLE-08 which role may create which, in the order of the selector', () => {
  expect(ROLES.map((role) => [role, grantableRoles(role)])).toEqual([
    ['superadmin', ['superadmin', 'admin', 'manager', 'editor', 'monitor']],
    ['admin', ['admin', 'manager']],
    ['manager', ['editor', 'monitor']],
    ['editor', []],
    ['monitor', []],
  ])
  for (const role of ROLES) {
    const above = ROLES.slice(0, ROLES.indexOf(role))
    expect(grantableRoles(role).filter((given) => above.includes(given))).toEqual([])
  }
})

test('USER-21 USER-22 USER-23 the roles that the selector offers', () => {
  const offered = ROLES.map((role) => offeredRoles(role, grantableRoles(role)))
  expect(offered).toEqual([
    ['superadmin', 'admin', 'manager'],
    ['admin', 'manager'],
    ['editor', 'monitor'],
    [],
    [],
  ])
})

test('matrix Z USER-25 a group is chosen by superadmin and admin, for a manager', () => {
  const cells = ROLES.map((by) => ROLES.filter((role) => mayChooseGroup({ role: by }, role)))
  expect(cells).toEqual([['manager'], ['manager'], [], [], []])
})

test('superadmins and admins see every group, so they belong to none', () => {
  expect(ROLES.filter(belongsToGroups)).toEqual(['manager', 'editor', 'monitor'])
})

test('T3 only managers are limited to their own groups', () => {
  const acts = (role: Role, ...groupIds: string[]) => ({ role, groupIds })
  expect(hasGroupBeyond(acts('manager', 'north'), ['north'])).toBe(false)
  expect(hasGroupBeyond(acts('manager', 'north'), ['north', 'south'])).toBe(true)
  expect(hasGroupBeyond(acts('manager', 'north', 'south'), ['south', 'north'])).toBe(false)
  expect(hasGroupBeyond(acts('manager'), [])).toBe(false)
  const others = ROLES.filter((role) => role !== 'manager')
  expect(others.filter((role) => hasGroupBeyond(acts(role), ['south']))).toEqual([])
})
