import { screen, waitFor, within } from '@testing-library/react'
import { updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { listUsers } from '@trunkline/contract/users/user.calls'
import { afterEach, expect, test } from 'vitest'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { encoderOf } from '../../test/samples.ts'
import { comeBack, TYPED_IS_BACK } from '../../test/session-steps.ts'
import { editorOf, openManager } from '../manager/manager.fixture.ts'

afterEach(resetConsole)

const EDITORS = [editorOf('ann', 'Desk A'), editorOf('ben', 'Desk B'), editorOf('cleo', 'Desk C')]

async function openUsers(
  users: string[],
  prepare: (api: FakeApi) => void = () => {},
  editors = EDITORS,
) {
  const encoder = encoderOf('a', { users, version: 4 })
  const scene = await openManager({
    role: 'manager',
    encoders: [encoder],
    editors,
    prepare: (api) => {
      api.on(updateEncoder).answer(() => ({ status: true, data: encoder, warnings: [] }))
      prepare(api)
    },
  })
  const menu = await scene.menuOf('Camera a')
  await scene.user.click(menu.getByRole('menuitem', { name: 'Add Users' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Select Users' }))
  const box = async (name: RegExp) => dialog.findByRole('checkbox', { name })
  const save = async () => scene.user.click(dialog.getByRole('button', { name: 'Save' }))
  return { ...scene, dialog, box, save }
}

const bodiesOf = (api: FakeApi) => api.askedOf(updateEncoder).map((item) => item.body)

test('ENC-15 ENC-29 ENC-30 DLG-03 only editors, the assigned editors ticked and first', async () => {
  const { dialog, box, user, save, api } = await openUsers(['ben'])
  expect(await box(/Desk B/)).toHaveProperty('checked', true)
  expect(
    dialog.getAllByRole('checkbox').map((checkbox) => (checkbox as HTMLInputElement).checked),
  ).toEqual([true, false, false])
  const { query } = api.askedOf(listUsers)[0] ?? {}
  expect(Object.fromEntries(query ?? [])).toMatchObject({ mode: 'editor', rowsPerPage: '100' })
  await user.click(await box(/Desk A/))
  await user.click(await box(/Desk B/))
  await save()
  await screen.findByText('Success updated')
  expect(bodiesOf(api)).toEqual([{ _id: 'a', users: ['ann'], version: 4 }])
})

test('an assigned editor whom this operator does not see stays assigned', async () => {
  const { dialog, box, user, save, api } = await openUsers(['ben', 'zoe'])
  await box(/Desk B/)
  dialog.getByRole('group', { name: 'Editors (1)' })
  dialog.getByText('1 more editor, not shown in this list, stays assigned.')
  await user.click(await box(/Desk C/))
  await save()
  await screen.findByText('Success updated')
  expect(bodiesOf(api)).toMatchObject([{ users: ['ben', 'cleo', 'zoe'] }])
})

test('ENC-15 OUT-FORM-17 of thousands the assigned editors come first, and any other is found by typing', async () => {
  const many = Array.from({ length: 3000 }, (_, at) => editorOf(`e${at}`, `Desk ${at}.`))
  const { dialog, box, user, save, api } = await openUsers(['e2500', 'zoe'], undefined, many)
  expect(await box(/Desk 2500\./)).toHaveProperty('checked', true)
  expect(dialog.getAllByRole('checkbox')[0]).toBe(await box(/Desk 2500\./))
  dialog.getByText('1 more editor, not shown in this list, stays assigned.')
  const narrow = dialog.getByRole('searchbox', { name: 'Narrow Editors' })
  await user.type(narrow, '2999')
  await user.click(await box(/Desk 2999\./))
  await waitFor(() => expect(dialog.getAllByRole('checkbox')).toHaveLength(1))
  await user.clear(narrow)
  expect(await box(/Desk 0\./)).toHaveProperty('checked', false)
  expect(await box(/Desk 2999\./)).toHaveProperty('checked', true)
  await save()
  await screen.findByText('Success updated')
  expect(bodiesOf(api)).toMatchObject([{ users: ['e2500', 'e2999', 'zoe'] }])
})

test('while the editors are not read nothing can be saved', async () => {
  const { dialog, save, api } = await openUsers(['ben'], (fake) =>
    fake.on(listUsers).answer(() => refuse(500, 'The database is away.')),
  )
  await dialog.findByText('The editors could not be read. Close this and try again.')
  await save()
  expect(bodiesOf(api)).toEqual([])
})

test('decisions 16 of two operators who assign at once the later sees the other’s choice', async () => {
  const theirs = encoderOf('a', { users: ['cleo'], version: 5 })
  const error = 'Somebody else has saved this encoder since you opened it.'
  const { dialog, box, user, save, api } = await openUsers([], (fake) =>
    fake.on(updateEncoder).answer(() => {
      const body = { status: false, error, msg: error, current: theirs, changed: ['users'] }
      return refuseOddly(409, body)
    }),
  )
  await user.click(await box(/Desk A/))
  await save()
  await dialog.findByText(/Somebody else has saved this encoder/)
  await user.click(dialog.getByRole('button', { name: 'Take theirs' }))
  expect(await box(/Desk C/)).toHaveProperty('checked', true)
  expect(await box(/Desk A/)).toHaveProperty('checked', false)
  api
    .on(updateEncoder)
    .answer(() => ({ status: true, data: { ...theirs, version: 6 }, warnings: [] }))
  await save()
  await waitFor(() => expect(bodiesOf(api).at(-1)).toMatchObject({ users: ['cleo'], version: 5 }))
})

test('who was ticked outlives the session, over what is saved by then', async () => {
  const scene = await openUsers(['ben'])
  await scene.user.click(await scene.box(/Desk C/))
  await comeBack(scene, 'manager')
  const menu = await scene.menuOf('Camera a')
  await scene.user.click(menu.getByRole('menuitem', { name: 'Add Users' }))
  const again = within(await screen.findByRole('dialog', { name: 'Select Users' }))
  expect(await again.findByRole('checkbox', { name: /Desk C/ })).toHaveProperty('checked', true)
  await findNotice(TYPED_IS_BACK)
  await scene.user.click(again.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(bodiesOf(scene.api)).toEqual([{ _id: 'a', users: ['ben', 'cleo'], version: 4 }]),
  )
})
