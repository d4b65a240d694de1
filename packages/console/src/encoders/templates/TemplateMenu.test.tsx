import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import {
  addTemplate,
  listTemplates,
  removeTemplate,
  updateTemplate,
} from '@trunkline/contract/encoders/template.calls'
import {
  TemplateSettings,
  type EncoderTemplate,
} from '@trunkline/contract/encoders/template.schema'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, test, vi } from 'vitest'
import { Providers } from '../../app/providers.tsx'
import { makeQueryClient } from '../../lib/query-client.ts'
import { beginSession } from '../../lib/session.ts'
import { makeFakeApi, refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { configSample, groupOf, userOf } from '../../test/samples.ts'
import { TemplateMenu } from './TemplateMenu.tsx'

afterEach(resetConsole)

const { name: _1, title: _2, 'card-idx': _3, output: _4, feeder: _5, ...OF_FORM } = configSample
const SETTINGS = TemplateSettings.parse(OF_FORM)
const OTHERS = { ...SETTINGS, muxer: { ...SETTINGS.muxer, 'program-num': 7 } }

function templateOf(id: string, title: string, groupId: string): EncoderTemplate {
  const groupInfo = groupId === '' ? null : { _id: groupId, title: 'Sports North' }
  return { _id: id, id, title, groupId, groupInfo, settings: OTHERS, version: 3 }
}

const HOUSE = templateOf('house', 'House', '')
const OURS = templateOf('ours', 'Ours', 'north')

interface Scene {
  role?: Role
  templates?: EncoderTemplate[]
  settings?: TemplateSettings | null
  prepare?: (api: FakeApi) => void
}

function openMenu(parts: Scene) {
  const { role = 'admin', templates = [HOUSE, OURS], settings = SETTINGS } = parts
  const api = makeFakeApi()
  // What the API holds now.
  const held = { templates }
  api.on(listTemplates).answer(() => ({ status: true, data: held.templates }))
  api.on(listGroups).answer(() => ({
    status: true,
    data: [groupOf('north', 'Sports North'), groupOf('south', 'Sports South')],
    total: 2,
  }))
  parts.prepare?.(api)
  beginSession(userOf(role), `token-${role}`)
  const client = makeQueryClient()
  const onApply = vi.fn<(settings: TemplateSettings, title: string) => void>()
  render(
    <Providers queryClient={client} nonce="">
      <main>
        <TemplateMenu settings={settings} onApply={onApply} />
      </main>
    </Providers>,
  )
  const user = userEvent.setup()
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Templates' }))
    return within(await screen.findByRole('menu', { name: 'Templates' }))
  }
  const openItem = async (item: string) => {
    const menu = await open()
    await user.click(await menu.findByRole('menuitem', { name: item }))
  }
  const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
  const answer = async (verb: string) => {
    const question = await dialog('Are you sure?')
    await user.click(question.getByRole('button', { name: verb }))
  }
  const readAgain = async () => client.refetchQueries()
  return { api, held, user, onApply, open, openItem, dialog, answer, readAgain }
}

const MANAGE = ['Save as template…', 'Manage templates…']
const gone = async (name: string) =>
  waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull())

test.each([
  ['admin', ['HouseAll groups', 'OursSports North', ...MANAGE]],
  ['manager', ['HouseAll groups', 'OursSports North', ...MANAGE]],
  ['editor', ['HouseAll groups', 'OursSports North']],
] as const)('templates: what a %s is offered', async (role, wanted) => {
  const { open } = openMenu({ role })
  const menu = await open()
  await menu.findByRole('menuitem', { name: 'Ours Sports North' })
  expect(menu.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(wanted)
})

test('templates: a monitor has no menu, and asks for none', () => {
  const { api } = openMenu({ role: 'monitor' })
  expect(screen.queryByRole('button', { name: 'Templates' })).toBeNull()
  expect(api.askedOf(listTemplates)).toEqual([])
})

test('templates: an editor without templates sees a message', async () => {
  const { user } = openMenu({ role: 'editor', templates: [] })
  const button = await screen.findByRole('button', { name: 'Templates' })
  await user.hover(button)
  await screen.findByText(/There is no template yet/)
  expect(button.getAttribute('aria-disabled')).toBe('true')
})

test('templates: a list that could not be read says so in its menu, and is read again there', async () => {
  let isBusy = true
  const { user, open } = openMenu({
    prepare: (api) =>
      api
        .on(listTemplates)
        .answer(() => (isBusy ? refuse(500, 'Busy.') : { status: true, data: [HOUSE] })),
  })
  const again = { name: 'The templates could not be read. Retry' }
  const menu = await open()
  const item = await menu.findByRole('menuitem', again)
  menu.getByRole('menuitem', { name: 'Manage templates…' })
  isBusy = false
  await user.click(item)
  const later = await open()
  await later.findByRole('menuitem', { name: 'House All groups' })
  expect(later.queryByRole('menuitem', again)).toBeNull()
})

test('templates: applying a template fills the form and sends nothing', async () => {
  const { openItem, onApply, api } = openMenu({ role: 'editor' })
  await openItem('House All groups')
  expect(onApply.mock.calls).toEqual([[OTHERS, 'House']])
  await screen.findByText('Template applied')
  expect(api.asked.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('templates: the form is saved for all groups or for a single group', async () => {
  const { openItem, dialog, user, api } = openMenu({
    prepare: (fake) =>
      fake
        .on(addTemplate)
        .answer(() => ({ status: true, data: templateOf('new', 'Race', 'south'), id: 'new' })),
  })
  await openItem('Save as template…')
  const form = await dialog('Save as template')
  const group = form.getByRole('combobox', { name: 'Group' })
  await waitFor(() => expect(within(group).getAllByRole('option')).toHaveLength(3))
  expect(group).toHaveProperty('value', '')
  await user.click(form.getByRole('button', { name: 'Save template' }))
  await form.findByText(/Title must not be empty/)
  await user.type(form.getByLabelText('Title'), 'Race')
  await user.selectOptions(group, 'Sports South')
  await user.click(form.getByRole('button', { name: 'Save template' }))
  await screen.findByText('Template saved')
  await gone('Save as template')
  const [sent] = api.askedOf(addTemplate)
  expect(sent?.body).toEqual({ title: 'Race', groupId: 'south', settings: SETTINGS })
  await waitFor(() => expect(api.askedOf(listTemplates)).toHaveLength(2))
})

test('templates: a manager saves for the own groups only, and a taken title is said at its field', async () => {
  const sentence = 'There is already a template with this title. Choose another title.'
  const { openItem, dialog, user, api } = openMenu({
    role: 'manager',
    prepare: (fake) => {
      fake.on(listGroups).answer(() => ({
        status: true,
        data: [groupOf('north', 'Sports North')],
        total: 1,
      }))
      const failure = { status: false, error: sentence, msg: sentence, field: 'title' }
      fake.on(addTemplate).answer(() => refuseOddly(409, { ...failure, code: 'conflict' }))
    },
  })
  await openItem('Save as template…')
  const form = await dialog('Save as template')
  expect(form.queryByRole('combobox', { name: 'Group' })).toBeNull()
  await user.type(form.getByLabelText('Title'), 'Ours')
  await user.click(form.getByRole('button', { name: 'Save template' }))
  await form.findByText(sentence)
  expect(form.getByLabelText('Title')).toHaveProperty('value', 'Ours')
  expect(api.askedOf(addTemplate)[0]?.body).toMatchObject({ groupId: 'north' })
})

test('templates: a form with errors is neither saved as a template nor replaces one', async () => {
  const { openItem, dialog } = openMenu({ settings: null })
  await openItem('Save as template…')
  await screen.findByText('Correct the marked fields first')
  expect(screen.queryByRole('dialog')).toBeNull()
  await openItem('Manage templates…')
  const list = await dialog('Manage templates')
  const replace = await list.findByRole('button', { name: 'Replace settings of House' })
  expect(replace.getAttribute('aria-disabled')).toBe('true')
})

test('templates: replacing and deleting ask first, and say how it went', async () => {
  const { openItem, dialog, answer, user, api, held } = openMenu({
    prepare: (fake) => {
      fake.on(updateTemplate).answer(() => ({ status: true, data: { ...OURS, version: 4 } }))
      fake.on(removeTemplate).answer(() => {
        held.templates = [HOUSE]
        return { status: true, id: 'ours' }
      })
    },
  })
  await openItem('Manage templates…')
  const list = await dialog('Manage templates')
  await user.click(await list.findByRole('button', { name: 'Replace settings of Ours' }))
  await answer('Keep settings')
  expect(api.askedOf(updateTemplate)).toEqual([])
  await user.click(list.getByRole('button', { name: 'Replace settings of Ours' }))
  await answer('Replace settings')
  await screen.findByText('Template replaced')
  expect(api.askedOf(updateTemplate)[0]?.body).toEqual({ settings: SETTINGS, version: 3 })
  await user.click(list.getByRole('button', { name: 'Delete Ours' }))
  await answer('Delete template')
  await screen.findByText('Template deleted')
  expect(api.askedOf(removeTemplate)[0]?.path).toBe('/api/encoder-template/ours')
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1))
})

test('templates: while a template is being changed its actions are disabled', async () => {
  const asked = Promise.withResolvers<void>()
  const { openItem, dialog, answer, user } = openMenu({
    prepare: (fake) =>
      fake.on(updateTemplate).answer(async () => {
        await asked.promise
        return { status: true, data: { ...OURS, version: 4 } }
      }),
  })
  await openItem('Manage templates…')
  const list = await dialog('Manage templates')
  const remove = await list.findByRole('button', { name: 'Delete Ours' })
  await user.click(list.getByRole('button', { name: 'Replace settings of Ours' }))
  await answer('Replace settings')
  await waitFor(() => expect(remove.getAttribute('aria-disabled')).toBe('true'))
  asked.resolve()
  await screen.findByText('Template replaced')
  await waitFor(() => expect(remove.getAttribute('aria-disabled')).toBeNull())
})

test('templates: a refusal of the API is shown', async () => {
  const sentence = 'Somebody else has saved this template since you opened it.'
  const { openItem, dialog, answer, user } = openMenu({
    prepare: (fake) => fake.on(updateTemplate).answer(() => refuse(409, sentence)),
  })
  await openItem('Manage templates…')
  const list = await dialog('Manage templates')
  await user.click(await list.findByRole('button', { name: 'Replace settings of Ours' }))
  await answer('Replace settings')
  await screen.findByText(sentence)
  expect(list.getAllByRole('listitem')).toHaveLength(2)
})

test('templates: renaming comes back to the list', async () => {
  const { openItem, dialog, user, api } = openMenu({
    prepare: (fake) =>
      fake.on(updateTemplate).answer(() => ({ status: true, data: { ...OURS, title: 'Race' } })),
  })
  await openItem('Manage templates…')
  const list = await dialog('Manage templates')
  await user.click(await list.findByRole('button', { name: 'Rename Ours' }))
  const form = await dialog('Rename template')
  await user.clear(form.getByLabelText('Title'))
  await user.type(form.getByLabelText('Title'), 'Race')
  await user.click(form.getByRole('button', { name: 'Rename' }))
  await screen.findByText('Template renamed')
  expect(api.askedOf(updateTemplate)[0]?.body).toEqual({ title: 'Race', version: 3 })
  const again = await dialog('Manage templates')
  const rename = await again.findByRole('button', { name: /^Rename (Ours|Race)$/ })
  await waitFor(() => expect(document.activeElement).toBe(rename))
})

test('templates: a template of all groups is disabled for a manager, with the reason', async () => {
  const { openItem, dialog, user } = openMenu({ role: 'manager' })
  await openItem('Manage templates…')
  const list = await dialog('Manage templates')
  const remove = await list.findByRole('button', { name: 'Delete House' })
  expect(remove.getAttribute('aria-disabled')).toBe('true')
  await user.hover(remove)
  await screen.findByText('Only an admin may change a template of all groups.')
  const own = list.getByRole('button', { name: 'Delete Ours' })
  expect(own.getAttribute('aria-disabled')).toBeNull()
})

test('templates that could not be read again say as of when they are', async () => {
  const { api, openItem, dialog, readAgain } = openMenu({})
  await openItem('Manage templates…')
  const shown = await dialog('Manage templates')
  await shown.findByText('House')
  api.on(listTemplates).answer(() => refuse(503, 'The database is busy.'))
  await readAgain()
  await shown.findByText(/^The templates could not be read\. Shown as of \d\d:/)
  expect(shown.getByText('House')).toBeDefined()
})
