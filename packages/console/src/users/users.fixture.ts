/** The Access page in front of a fake API that lists, pages and filters people as the real one does. */
import { screen, within } from '@testing-library/react'
import type { Role } from '@trunkline/contract/roles'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { jwtLogin } from '@trunkline/contract/session/session.calls'
import { readSecondFactor } from '@trunkline/contract/users/second-factor.calls'
import { listRoles, listUsers } from '@trunkline/contract/users/user.calls'
import { listUserSessions } from '@trunkline/contract/users/user-session.calls'
import { grantableRoles } from '@trunkline/contract/users/user.rules'
import type { User } from '@trunkline/contract/users/user.schema'
import { beginSession } from '../lib/session.ts'
import type { FakeApi } from '../test/fake-api.ts'
import { renderConsole } from '../test/render-console.tsx'
import { userOf } from '../test/samples.ts'
import { personOf } from '../test/user.samples.ts'

export const NO_FACTOR = {
  isOn: false,
  since: null,
  recoveryCodesLeft: 0,
  passkeys: [],
  passkeysRefused: null,
}

interface Scene {
  role: Role
  /** Without the one who is signed in. */
  others?: readonly User[]
  /** Of the one who is signed in. */
  signedIn?: Partial<SessionUser>
  path?: string
  prepare?: (api: FakeApi) => void
}

/** Waits for the first row, which is the signed-in user's own. */
export async function openUsers(parts: Scene) {
  const scene = renderUsers(parts)
  await scene.row(scene.own.fullName)
  return scene
}

export function renderUsers({ role, others = [], signedIn, path, prepare }: Scene) {
  const me = userOf(role, signedIn)
  const { groups, firstName, lastName, fullName, email } = me
  const own = personOf(role, { _id: me._id, groups, firstName, lastName, fullName, email })
  const scene = renderConsole({
    path: path ?? '/dashboard/userManager',
    role,
    prepare: (api) => {
      beginSession(me, me.token)
      api.on(jwtLogin).answer(() => ({ status: true, user: me, token: me.token }))
      api.on(listUsers).answer(({ query }) => {
        const size = Number(query.get('rowsPerPage'))
        const from = Number(query.get('page') ?? 0) * size
        const data = [own, ...others].slice(from, from + size)
        return { status: true, data, users: data, total: others.length + 1 }
      })
      api.on(listUserSessions).answer(() => ({ status: true, data: [] }))
      api.on(readSecondFactor).answer(() => {
        return { status: true, data: NO_FACTOR }
      })
      api.on(listRoles).answer(() => {
        const roles = grantableRoles(role).map((name) => ({ _id: name, name }))
        return { status: true, data: roles, roles }
      })
      prepare?.(api)
    },
  })
  const row = async (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}\\b`) })
  return { ...scene, row, own }
}

export function dialog(name: string) {
  return screen.findByRole('dialog', { name: new RegExp(`^${name}`) })
}

/** Names of the controls in a row, as they are read out. */
export function actionsIn(row: HTMLElement): string[] {
  return within(row)
    .queryAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? '')
}

/** What the chooser of that name offers. */
export function optionsOf(within_: HTMLElement, name: string): string[] {
  const select = within(within_).getByRole<HTMLSelectElement>('combobox', { name })
  return [...select.options].map((option) => option.text)
}
