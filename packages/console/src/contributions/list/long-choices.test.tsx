/** What is chosen out of more than a screen lists: found by typing, wherever it stands in the list. */
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import { changeOutputDestination } from '@trunkline/contract/contributions/output.calls'
import { nextMulticast, readInput } from '@trunkline/contract/contributions/input.calls'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { findServer, listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { refuse, type FakeApi } from '../../test/fake-api.ts'
import { destinationOf, inputOf, outputOf } from '../../test/link.samples.ts'
import { serverOf } from '../../test/place.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { groupOf } from '../../test/samples.ts'
import { openContributions, queriesOf } from '../contributions.fixture.ts'

afterEach(resetConsole)

const names = Array.from({ length: 150 }, (_, at) => `Gateway ${at + 1}`)
const servers = names.map((title) => serverOf(title.replace(' ', '-'), { title }))

/** As the API answers: the first hundred of those that match. */
function manyServers(api: FakeApi): void {
  api.on(listServers).answer(({ query }) => {
    const matching = servers.filter(({ title }) => title.includes(query.get('searchText') ?? ''))
    const size = Number(query.get('rowsPerPage') ?? 100)
    const data = size === 0 ? matching : matching.slice(0, size)
    return { status: true, data, total: matching.length }
  })
  api.on(findServer).answer(({ path }) => {
    const found = servers.find(({ _id }) => path.endsWith(`/${_id}`)) ?? servers[0]
    if (found === undefined) throw new Error('There is no server.')
    return { status: true, data: found, adapterIps: [] }
  })
  api.on(nextMulticast).answer(() => ({
    status: true,
    data: '239.77.2.9',
    multicast: '239.77.2.9',
  }))
}

/** The field, once the list is known to be long. */
async function longField(name: string, dialog?: string): Promise<HTMLElement> {
  return waitFor(() => {
    const place =
      dialog === undefined ? screen : within(screen.getByRole('dialog', { name: dialog }))
    const field = place.getByRole('combobox', { name })
    expect(field.tagName).toBe('INPUT')
    return field
  })
}

async function choose(
  user: Awaited<ReturnType<typeof openContributions>>['user'],
  field: HTMLElement,
  title: string,
) {
  await user.click(field)
  await user.type(field, title)
  await user.click(await screen.findByRole('option', { name: title }))
}

test('OUT-FORM-17 CON-IN-04 the 150th server is reached in the filter, and named after a reload', async () => {
  const { user, api } = await openContributions({ prepare: manyServers })
  const filter = await longField('Server')
  await user.click(filter)
  await screen.findByText(/^51 more/)
  await choose(user, filter, 'Gateway 150')
  await waitFor(() => expect(queriesOf(api).at(-1)).toMatchObject({ serverId: 'Gateway-150' }))
  await waitFor(() => expect(filter).toHaveProperty('value', 'Gateway 150'))
  expect(storage.serverId.read()).toBe('Gateway-150')
})

test('OUT-FORM-17 DLG-09 the 150th server is chosen for a new input, by keyboard', async () => {
  const { user, pathname } = await openContributions({ role: 'manager', prepare: manyServers })
  await user.click(await screen.findByRole('button', { name: 'Add Input' }))
  const field = await longField('Server', 'Add Input')
  const dialog = within(screen.getByRole('dialog', { name: 'Add Input' }))
  await user.type(field, 'Gateway 150')
  const list = await dialog.findByRole('listbox', { name: 'Server' })
  await waitFor(() => expect(within(list).getAllByRole('option')).toHaveLength(1))
  await user.keyboard('{Enter}')
  expect(field).toHaveProperty('value', 'Gateway 150')
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(pathname()).toBe('/dashboard/Gateway-150/north/contribution/new'))
})

test('OUT-FORM-17 the 150th server can be chosen in the form of a new input', async () => {
  const { user } = await openContributions({
    path: '/dashboard/Gateway-1/north/contribution/new',
    prepare: manyServers,
  })
  const field = await longField('Server')
  await waitFor(() => expect(field).toHaveProperty('value', 'Gateway 1'))
  await choose(user, field, 'Gateway 150')
  await waitFor(() => expect((field as HTMLInputElement).value).toBe('Gateway 150'))
})

test('DLG-11 CON-OUT-12 the 101st input is found by its title for a new output', async () => {
  const inputs = Array.from({ length: 101 }, (_, at) => inputOf(`${at + 1}`))
  const { user } = await openContributions({
    path: '/dashboard/contribution?tab=outputs',
    inputs,
    prepare: (api) => {
      manyServers(api)
      api.on(readInput).answer(({ path }) => {
        const data = inputs.find(({ id }) => path.endsWith(`/${id}`))
        return data === undefined
          ? refuse(404, 'There is no such input.')
          : { status: true, data, contribution: data }
      })
    },
  })
  await user.click((await screen.findAllByRole('button', { name: 'Add Output' }))[0] as HTMLElement)
  const field = await longField('Input', 'Add Output')
  await choose(user, field, 'Input 101')
  await waitFor(() => expect((field as HTMLInputElement).value).toBe('Input 101'))
})

const groups = Array.from({ length: 120 }, (_, at) => groupOf(`g${at + 1}`, `Group ${at + 1}`))

function manyGroups(api: FakeApi): void {
  manyServers(api)
  api.on(listGroups).answer(({ query }) => {
    const wanted = query.get('searchText') ?? ''
    const id = query.get('id') ?? ''
    const found = groups.filter(
      ({ _id, title }) => title.includes(wanted) && (id === '' || _id === id),
    )
    const size = Number(query.get('rowsPerPage') ?? 0)
    return { status: true, data: size === 0 ? found : found.slice(0, size), total: found.length }
  })
}

function hasReadAll(api: FakeApi): boolean {
  return api
    .askedOf(listGroups)
    .some(({ query }) => query.get('id') === null && query.get('rowsPerPage') !== '100')
}

test('OUT-FORM-17 the 120th group is reached in the filter, and named after a reload', async () => {
  const { user, api } = await openContributions({ prepare: manyGroups })
  const filter = await longField('Group')
  await choose(user, filter, 'Group 120')
  await waitFor(() => expect(queriesOf(api).at(-1)).toMatchObject({ groupId: 'g120' }))
  expect(filter).toHaveProperty('value', 'Group 120')
  cleanup()
  const again = await openContributions({ prepare: manyGroups })
  const named = await longField('Group')
  await waitFor(() => expect(named).toHaveProperty('value', 'Group 120'))
  expect(hasReadAll(again.api)).toBe(false)
})

test('OUT-FORM-17 a deleted group is no longer a filter', async () => {
  storage.groupId.write('left')
  const { api } = await openContributions({ prepare: manyGroups })
  await waitFor(() => expect(queriesOf(api).at(-1)).toMatchObject({ groupId: '' }))
})

test('OUT-FORM-17 DLG-09 the 120th group is chosen for a new input, by keyboard', async () => {
  const { user, pathname } = await openContributions({ prepare: manyGroups })
  await user.click(await screen.findByRole('button', { name: 'Add Input' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Input' }))
  await choose(user, await longField('Server', 'Add Input'), 'Gateway 3')
  const field = await longField('Group', 'Add Input')
  await user.type(field, 'Group 120')
  const list = await dialog.findByRole('listbox', { name: 'Group' })
  await waitFor(() => expect(within(list).getAllByRole('option')).toHaveLength(1))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(field).toHaveProperty('value', 'Group 120'))
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(pathname()).toBe('/dashboard/Gateway-3/g120/contribution/new'))
  const inForm = await longField('Group')
  await waitFor(() => expect(inForm).toHaveProperty('value', 'Group 120'))
})

const destinations = Array.from({ length: 120 }, (_, at) =>
  destinationOf(`x${String(at + 1).padStart(3, '0')}`),
)

test('OUT-FORM-17 OUT-FORM-06 the 120th destination is chosen in the form of an output', async () => {
  const { user, api } = await openContributions({
    path: '/dashboard/gw-west/output/a',
    inputs: [inputOf('a')],
    destinations,
    prepare: (fake) => {
      manyServers(fake)
      const input = inputOf('a')
      fake.on(readInput).answer(() => ({ status: true, data: input, contribution: input }))
    },
  })
  const field = await longField('Destination Host')
  await user.type(field, 'x120')
  await user.click(await screen.findByRole('option', { name: /^Destination x120,/ }))
  await waitFor(() => expect((field as HTMLInputElement).value).toMatch(/^Destination x120,/))
  const sizes = api.askedOf(listDestinations).map(({ query }) => query.get('rowsPerPage'))
  expect(sizes).not.toContain('0')
})

test('OUT-FORM-17 CON-OUT-18 the 120th destination is chosen for the selected outputs', async () => {
  const { user, row, api } = await openContributions({
    path: '/dashboard/contribution?tab=outputs',
    inputs: [inputOf('a')],
    outputs: [outputOf('o')],
    destinations,
  })
  api.on(changeOutputDestination).answer(() => ({
    status: true,
    msg: 'Changed',
    updated: 1,
    failed: [],
  }))
  await user.click(within(await row('Output o')).getByRole('checkbox'))
  await user.click(await screen.findByRole('button', { name: 'Change destination' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Change destination/ }))
  await dialog.findByText(/^20 more/)
  await user.type(dialog.getByRole('searchbox'), 'x120')
  await user.click(await dialog.findByRole('radio', { name: /Destination x120/ }))
  await user.click(dialog.getByRole('button', { name: 'Change destination' }))
  await waitFor(() =>
    expect(api.askedOf(changeOutputDestination).map(({ body }) => body)).toMatchObject([
      { destinationId: 'x120' },
    ]),
  )
})
