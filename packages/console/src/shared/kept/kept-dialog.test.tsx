import { act, screen, waitFor, within } from '@testing-library/react'
import { addGroup, listGroups, updateGroup } from '@trunkline/contract/groups/group.calls'
import { addServer, listServers } from '@trunkline/contract/servers/server.calls'
import { jwtLogin } from '@trunkline/contract/session/session.calls'
import { afterEach, expect, test } from 'vitest'
import { beginSession, endSession } from '../../lib/session.ts'
import { refuseOddly } from '../../test/fake-api.ts'
import { ledGroup, managerOf } from '../../test/place.samples.ts'
import { findNotice, renderConsole, resetConsole } from '../../test/render-console.tsx'
import { userOf } from '../../test/samples.ts'
import { answerPeople } from '../../test/user.samples.ts'

afterEach(resetConsole)

const KEPT =
  'What you entered before you were signed out is kept. Open the same dialog or field again to continue.'
const BACK = 'What you entered before you were signed out is here again. It is not saved.'
const NORTH = ledGroup('north', 'Sports North', { version: 3 })
const { _id: SAME } = userOf('admin')

function openGroups() {
  const held = { groups: [NORTH] }
  const scene = renderConsole({
    path: '/dashboard/group',
    role: 'admin',
    prepare: (api) => {
      api.on(listGroups).answer(() => ({
        status: true,
        data: held.groups,
        total: held.groups.length,
      }))
      answerPeople(api, [managerOf('gallery-a', 'Gallery A')])
    },
  })
  const open = async (button: string) => {
    await scene.user.click(await screen.findByRole('button', { name: button }))
    return within(await screen.findByRole('dialog', { name: 'Manage group' }))
  }
  const type = async (dialog: Awaited<ReturnType<typeof open>>, label: string, text: string) => {
    await scene.user.clear(dialog.getByLabelText(label))
    await scene.user.type(dialog.getByLabelText(label), text)
  }
  return { ...scene, held, open, type }
}

type Scene = Pick<ReturnType<typeof openGroups>, 'api' | 'pathname'>

/** Who signs in is led back to the page. */
async function signInAs(id: string, { api, pathname }: Scene) {
  const path = pathname()
  expect(path).toBe('/login')
  const user = userOf('admin', { _id: id, id })
  api.on(jwtLogin).answer(() => ({ status: true, user, token: user.token }))
  act(() => beginSession(user, user.token))
  await waitFor(() => expect(pathname()).not.toBe('/login'))
}

async function loseSession(): Promise<void> {
  act(() => endSession('Your session was ended. Please sign in again.'))
  await screen.findByLabelText('Email')
}

/** Another tab has got the end of the session, and cleared what all of them had stored. */
async function loseSessionElsewhere(): Promise<void> {
  localStorage.removeItem('user')
  localStorage.removeItem('token')
  const key = 'token'
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue: null })))
  await screen.findByLabelText('Email')
}

const valueOf = (dialog: Pick<typeof screen, 'getByLabelText'>, label: string) =>
  dialog.getByLabelText<HTMLInputElement>(label).value

test.each([
  ['in this tab', loseSession],
  ['in another tab', loseSessionElsewhere],
])(
  'what was typed in a dialog when the session ended %s is there when it is opened again',
  async (_, lose) => {
    const scene = openGroups()
    await scene.type(await scene.open('Add group'), 'Title', 'Events East')
    await lose()
    await signInAs(SAME, scene)
    expect(scene.pathname()).toBe('/dashboard/group')
    await findNotice(KEPT)
    expect(screen.queryByText(/session was ended/)).toBeNull()
    expect(valueOf(await scene.open('Edit Sports North'), 'Title')).toBe('Sports North')
    await scene.user.keyboard('{Escape}')
    expect(valueOf(await scene.open('Add group'), 'Title')).toBe('Events East')
    await findNotice(BACK)
    expect(screen.queryByText(KEPT)).toBeNull()
    await scene.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(valueOf(await scene.open('Add group'), 'Title')).toBe('')
    expect(scene.api.askedOf(addGroup)).toEqual([])
  },
)

test('another account finds the dialog empty', async () => {
  const scene = openGroups()
  await scene.type(await scene.open('Add group'), 'Title', 'Events East')
  await loseSession()
  await signInAs('somebody-else', scene)
  expect(valueOf(await scene.open('Add group'), 'Title')).toBe('')
  expect(screen.queryByText(KEPT)).toBeNull()
})

test('a sign-out by choice throws away what was typed', async () => {
  const scene = openGroups()
  await scene.type(await scene.open('Add group'), 'Title', 'Events East')
  act(() => endSession(null))
  await screen.findByLabelText('Email')
  await signInAs(SAME, scene)
  await screen.findByRole('button', { name: 'Log out' })
  expect(scene.pathname()).toBe('/')
  expect(screen.queryByText(KEPT)).toBeNull()
})

test('what somebody else saved meanwhile in another field is in the dialog too', async () => {
  const scene = openGroups()
  await scene.type(await scene.open('Edit Sports North'), 'Description', 'All of it')
  await loseSession()
  scene.held.groups = [{ ...NORTH, title: 'North', version: 4 }]
  await signInAs(SAME, scene)
  const dialog = await scene.open('Edit North')
  expect([valueOf(dialog, 'Title'), valueOf(dialog, 'Description')]).toEqual(['North', 'All of it'])
  scene.api.on(updateGroup).answer(() => ({ status: true, data: NORTH }))
  await scene.user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(scene.api.askedOf(updateGroup)[0]?.body).toMatchObject({ version: 4 }))
})

test('where both changed the same field, saving asks which of the two is wanted', async () => {
  const scene = openGroups()
  await scene.type(await scene.open('Edit Sports North'), 'Title', 'Mine')
  await loseSession()
  const current = { ...NORTH, title: 'Theirs', version: 4 }
  scene.held.groups = [current]
  await signInAs(SAME, scene)
  const dialog = await scene.open('Edit Theirs')
  expect(valueOf(dialog, 'Title')).toBe('Mine')
  const error = 'It was saved by somebody else.'
  const refusal = {
    status: false,
    error,
    msg: error,
    code: 'conflict',
    current,
    changed: ['title'],
  }
  scene.api.on(updateGroup).answer(() => refuseOddly(409, refusal))
  await scene.user.click(dialog.getByRole('button', { name: 'Save' }))
  await dialog.findByRole('button', { name: 'Take theirs' })
  expect(scene.api.askedOf(updateGroup)[0]?.body).toMatchObject({ version: 3 })
})

test('a key that was typed is not kept, and the dialog says so', async () => {
  const scene = renderConsole({
    path: '/dashboard/server',
    role: 'admin',
    prepare: (api) => api.on(listServers).answer(() => ({ status: true, data: [], total: 0 })),
  })
  const open = async () => {
    await scene.user.click(await screen.findByRole('button', { name: 'Add server' }))
    return within(await screen.findByRole('dialog', { name: 'Manage Servers' }))
  }
  const dialog = await open()
  await scene.user.type(dialog.getByLabelText('Title'), 'Gateway 7')
  await scene.user.type(dialog.getByLabelText('API key'), 'not-to-be-kept')
  await loseSession()
  await signInAs(SAME, scene)
  const again = await open()
  expect([valueOf(again, 'Title'), valueOf(again, 'API key')]).toEqual(['Gateway 7', ''])
  await findNotice(BACK, 'Passwords and keys are not kept. Type them again.')
  expect(scene.api.askedOf(addServer)).toEqual([])
})
