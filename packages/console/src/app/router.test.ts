import { createMemoryHistory } from '@tanstack/react-router'
import { ROLES, type Role } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import { areas, areasFor, mayOpen, paths, type AreaKey } from './paths.ts'
import { makeRouter } from './router.tsx'
import { SessionGate } from './SessionGate.tsx'

const router = makeRouter(createMemoryHistory())

/** Of a path, with an id in place of each parameter: what is drawn there, from the outside in. */
function drawnAt(path: string) {
  const matches = router.matchRoutes(path.replaceAll(/\$[A-Za-z]+/g, 'x1'))
  return matches.map(({ routeId }) => router.routesById[routeId].options)
}

const WITHOUT_SESSION: readonly string[] = [paths.login, paths.signup]

test.each(Object.values(paths))(
  'AUTH-16 what is shown at %s needs a session, except at /login and /signup',
  (path) => {
    const isGated = drawnAt(path).some(({ component }) => component === SessionGate)
    expect(isGated).toBe(!WITHOUT_SESSION.includes(path))
  },
)

const ALL: readonly AreaKey[] = [
  'dashboard',
  'servers',
  'groups',
  'access',
  'encoders',
  'channels',
  'contributions',
]
const OFFERED: Record<Role, readonly AreaKey[]> = {
  superadmin: ALL,
  admin: ALL,
  manager: ['dashboard', 'access', 'encoders', 'channels', 'contributions'],
  editor: ['dashboard', 'access', 'encoders', 'channels'],
  monitor: ['dashboard', 'access', 'encoders', 'channels'],
}

test.each(ROLES)(
  'NAV-17 NAV-25 to NAV-29 ROLE-03 to ROLE-06 the areas of a %s, in order',
  (role) => {
    expect(areasFor(role).map(({ key }) => key)).toEqual(OFFERED[role])
    const closed = ALL.filter((key) => !mayOpen(role, key))
    expect(closed).toEqual(ALL.filter((key) => !OFFERED[role].includes(key)))
  },
)

test('NAV-17 each area has a digit of its own, which is the same for everybody', () => {
  expect(areas.map(({ digit }) => digit)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test.each<[AreaKey, ...string[]]>([
  ['dashboard', '/', '/dashboard', '/dashboard/path', '/dashboard/path/input/i1'],
  ['dashboard', '/dashboard/alarm', '/dashboard/notification'],
  ['channels', '/dashboard/channel', '/dashboard/wall'],
  ['servers', '/dashboard/server'],
  ['groups', '/dashboard/group'],
  ['access', '/dashboard/userManager', '/dashboard/user_manager'],
  ['encoders', '/dashboard/managerEncoder', '/dashboard/manager_encoder'],
  ['encoders', '/dashboard/edit_encoder/e1', '/dashboard/editEncoder/e1'],
  ['contributions', '/dashboard/contribution', '/dashboard/s1/g1/contribution/new'],
  ['contributions', '/dashboard/s1/output/i1', '/dashboard/s1/output_edit/o1'],
])('NAV-19 NAV-29 the area %s has the pages %s %s', (area, ...places) => {
  const found = places.map((path) => drawnAt(path).at(-1)?.staticData?.area)
  expect(found).toEqual(places.map(() => area))
})

test.each([
  ['NAV-02 NAV-03', paths.root, paths.dashboard],
  ['NAV-06', paths.access, paths.accessOther],
  ['NAV-07', paths.encoders, paths.encodersOther],
  ['NAV-09', paths.editEncoder, paths.editEncoderFromCard],
])('%s %s and %s are the same page', (_, path, other) => {
  const page = drawnAt(path).at(-1)?.component
  expect(page).toBeDefined()
  expect(drawnAt(other).at(-1)?.component).toBe(page)
})
