import { waitFor, within } from '@testing-library/react'
import { acknowledgeAlarm, listAlarmHistory } from '@trunkline/contract/alarms/alarm.calls'
import { updateTitle } from '@trunkline/contract/contributions/contribution.calls'
import { setInputsStatus } from '@trunkline/contract/contributions/input.calls'
import { listTemplates, removeTemplate } from '@trunkline/contract/encoders/template.calls'
import { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import { findServer, readServerStatus } from '@trunkline/contract/servers/server.calls'
import { findUser } from '@trunkline/contract/users/user.calls'
import { afterEach, expect, test } from 'vitest'
import { serverOf } from '../../test/place.samples.ts'
import { personOf } from '../../test/user.samples.ts'
import { alarmOf } from '../../alarms/alarm.fixture.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { configSample } from '../../test/samples.ts'
import { comeBack } from '../../test/session-steps.ts'
import { MARATHON, openPalette } from './palette.fixture.ts'

afterEach(resetConsole)

test('what the menu of a row offers is offered, asks first, and is done by the same call', async () => {
  const { field, user, option, screen, api } = await openPalette({
    found: () => ({ inputs: [MARATHON] }),
    prepare: (fake) =>
      fake.on(setInputsStatus).answer(() => ({ status: true, msg: '', updated: 1, failed: [] })),
  })
  await user.type(field, 'marathon')
  for (const label of ['Edit', 'Rename', 'Clone', 'Put on air…', 'Schedules…', 'Log of', 'Delete'])
    await option(new RegExp(`^${label}.*Marathon km 30`))
  await user.click(await option(/^Disable.*Marathon km 30/))
  const question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  expect(api.askedOf(setInputsStatus)).toEqual([])
  await user.click(within(question).getByRole('button', { name: 'Disable' }))
  await waitFor(() =>
    expect(api.askedOf(setInputsStatus).map(({ body }) => body)).toEqual([
      { names: ['input-a'], isDisable: true },
    ]),
  )
})

test('a typed action is listed for each object, or says that it was done already', async () => {
  const { field, user, option, screen } = await openPalette()
  await user.type(field, 'enable marathon')
  const line = await option(/^Enable.*Marathon km 30.*Already enabled\.$/)
  expect(line.getAttribute('aria-disabled')).toBe('true')
  await user.clear(field)
  await user.type(field, 'remove marathon')
  await option(/^Delete.*Marathon km 30.*asks first$/)
  await option(/^Remove Encoder.*Marathon camera.*asks first$/)
  expect(screen.queryByRole('option', { name: /^(Edit|Clone|Stop)/ })).toBeNull()
})

test('Rename and Log open their dialogs in place of the palette', async () => {
  const { field, user, option, screen, api } = await openPalette({
    found: () => ({ inputs: [MARATHON] }),
    prepare: (fake) =>
      fake
        .on(updateTitle)
        .answer(() => ({ status: true, msg: '', data: { ...MARATHON, title: 'Marathon km 31' } })),
  })
  await user.type(field, 'rename marathon')
  await option(/^Rename.*Marathon km 30/)
  await user.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: /^Rename/ })
  expect(screen.queryByRole('dialog', { name: 'Jump to' })).toBeNull()
  const title = within(dialog).getByLabelText('Title')
  await user.clear(title)
  await user.type(title, 'Marathon km 31{Enter}')
  await findNotice(/renamed/i, 'Marathon km 30 is Marathon km 31 now')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.askedOf(updateTitle).map(({ body }) => body)).toEqual([
    { inputId: 'a', title: 'Marathon km 31', type: 'input', formerTitle: 'Marathon km 30' },
  ])
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: /Find an object/ }), 'log marathon')
  await screen.findByRole('option', { name: /^Log of Marathon km 30/ })
  await user.keyboard('{Enter}')
  await screen.findByRole('dialog', { name: /^Input log/ })
})

test('a name that was typed outlives the session', async () => {
  const scene = await openPalette({ found: () => ({ inputs: [MARATHON] }) })
  const { user, screen } = scene
  await user.type(scene.field, 'rename marathon')
  await scene.option(/^Rename.*Marathon km 30/)
  await user.keyboard('{Enter}')
  const open = async () => within(await screen.findByRole('dialog', { name: /^Rename/ }))
  await user.type((await open()).getByLabelText('Title'), ', Lyon')
  await comeBack(scene, 'admin')
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: /Find an object/ }), 'rename mara')
  await screen.findByRole('option', { name: /^Rename.*Marathon km 30/ })
  await user.keyboard('{Enter}')
  expect((await open()).getByLabelText('Title')).toHaveProperty('value', 'Marathon km 30, Lyon')
})

test('the open alarm of an object is acknowledged; without one it says so', async () => {
  const alarm = alarmOf('1', { objectId: 'a', title: 'Marathon km 30' })
  const { field, user, option, screen, api } = await openPalette({
    prepare: (fake) => {
      fake.on(listAlarmHistory).answer(({ query }) => ({
        status: true,
        data: query.get('id') === 'a' ? [alarm, { ...alarm, id: '2', clearedAt: 'now' }] : [],
        next: '',
      }))
      fake.on(acknowledgeAlarm).answer(() => ({ status: true, data: alarm }))
    },
  })
  await user.type(field, 'acknowledge marathon')
  await option(/^Acknowledge alarm….*Marathon camera.*No unacknowledged alarm\.$/)
  const line = await option(/^Acknowledge alarm….*Marathon km 30$/)
  await waitFor(() => expect(line.getAttribute('aria-disabled')).toBeNull())
  await user.click(line)
  const dialog = await screen.findByRole('dialog', { name: /^Acknowledge alarm/ })
  await user.click(within(dialog).getByRole('button', { name: 'Acknowledge' }))
  await waitFor(() =>
    expect(api.askedOf(acknowledgeAlarm).map(({ path }) => path)).toEqual([
      '/api/alarm/1/acknowledge',
    ]),
  )
})

test('a server is checked, and what its row refuses is refused with the same reason', async () => {
  const server = serverOf('s', { title: 'Gateway 1', serverType: 'channel' })
  const { field, user, option, api } = await openPalette({
    found: () => ({ servers: [server] }),
    prepare: (fake) => {
      fake.on(findServer).answer(() => ({ status: true, data: server, adapterIps: [] }))
      fake.on(readServerStatus).answer(() => ({ status: true, results: '', latencyMs: 4 }))
    },
  })
  await user.type(field, 'gateway')
  const test = await option(/^Test a link from Gateway 1./)
  expect(test.getAttribute('aria-disabled')).toBe('true')
  await option(/^Delete Gateway 1.*asks first$/)
  await user.click(await option('Check Gateway 1 now'))
  await findNotice('Gateway 1 is online')
  expect(api.askedOf(readServerStatus)).toHaveLength(1)
})

test('USER-05 a manager is offered on a person what the row of that person offers', async () => {
  const person = personOf('editor', { fullName: 'Gallery editor', hasGroupBeyond: true })
  const { field, user, option, screen } = await openPalette({
    role: 'manager',
    found: () => ({ users: [{ id: person.id, title: person.fullName, email: person.email }] }),
    prepare: (fake) =>
      fake.on(findUser).answer(() => ({ status: true, data: person, user: person })),
  })
  await user.type(field, 'gallery')
  await option(/^Remove from .*: Gallery editor/)
  expect(screen.queryByRole('option', { name: /^(Edit|Delete) Gallery editor/ })).toBeNull()
})

const { name: _1, title: _2, 'card-idx': _3, output: _4, feeder: _5, ...OF_FORM } = configSample
const TEMPLATE = {
  _id: 't1',
  id: 't1',
  title: 'Sports 1080p50',
  groupId: '',
  groupInfo: null,
  settings: TemplateSettings.parse(OF_FORM),
  version: 1,
}

test('a template is found, and offers what its row offers', async () => {
  const { field, user, option, screen, api } = await openPalette({
    found: () => ({ templates: [TEMPLATE] }),
    prepare: (fake) => fake.on(removeTemplate).answer(() => ({ status: true, id: TEMPLATE.id })),
  })
  await user.type(field, 'sports')
  await option(/^Sports 1080p50.*Template · All groups/)
  await option(/^Rename Sports 1080p50$/)
  expect(screen.queryByRole('option', { name: /^Replace settings/ })).toBeNull()
  await user.click(await option(/^Delete Sports 1080p50/))
  const question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  await user.click(within(question).getByRole('button', { name: 'Delete template' }))
  await waitFor(() => expect(api.askedOf(removeTemplate)).toHaveLength(1))
})

test('Enter opens the templates, where they are renamed, and says where they are applied', async () => {
  const { field, user, option, screen } = await openPalette({
    found: () => ({ templates: [TEMPLATE] }),
    prepare: (fake) => fake.on(listTemplates).answer(() => ({ status: true, data: [TEMPLATE] })),
  })
  await user.type(field, 'sports')
  await option(/^Sports 1080p50.*Template/)
  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Manage templates' }))
  dialog.getByText(/^To apply a template, open the settings of an encoder/)
  await user.click(await dialog.findByRole('button', { name: 'Rename Sports 1080p50' }))
  const renaming = await screen.findByRole('dialog', { name: /^Rename template/ })
  expect(within(renaming).getByLabelText<HTMLInputElement>(/^Title/).value).toBe('Sports 1080p50')
})

test('who may only apply templates sees them, and is offered no change', async () => {
  const { field, user, option, screen } = await openPalette({
    role: 'editor',
    found: () => ({ templates: [TEMPLATE] }),
    prepare: (fake) => fake.on(listTemplates).answer(() => ({ status: true, data: [TEMPLATE] })),
  })
  await user.type(field, 'sports')
  await option(/^Sports 1080p50.*Template/)
  expect(screen.queryByRole('option', { name: /^(Rename|Delete)/ })).toBeNull()
  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Templates' }))
  await dialog.findByText('Sports 1080p50')
  expect(dialog.queryByRole('button', { name: /Sports 1080p50/ })).toBeNull()
})
