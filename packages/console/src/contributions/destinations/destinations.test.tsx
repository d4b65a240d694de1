import { act, screen, waitFor, within } from '@testing-library/react'
import { updateTitle } from '@trunkline/contract/contributions/contribution.calls'
import {
  addDestination,
  listDestinations,
  removeDestination,
  removeDestinations,
  updateDestination,
} from '@trunkline/contract/contributions/destination.calls'
import { listInputs, readInputStatus } from '@trunkline/contract/contributions/input.calls'
import {
  changeOutputDestination,
  listOutputs,
} from '@trunkline/contract/contributions/output.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { refuse, refuseOddly } from '../../test/fake-api.ts'
import { destinationOf, inputOf, outputOf } from '../../test/link.samples.ts'
import { resetConsole, findNotice } from '../../test/render-console.tsx'
import { comeBack, TYPED_IS_BACK } from '../../test/session-steps.ts'
import { openContributions } from '../contributions.fixture.ts'

afterEach(resetConsole)

const DESTINATIONS = '/dashboard/contribution?tab=destinations'
const OUTPUTS = '/dashboard/contribution?tab=outputs'
const YES = { selection: 'yes', passphrase: '', type: 256, passphraseSet: true } as const

async function open(parts: Parameters<typeof openContributions>[0]) {
  return openContributions({
    path: DESTINATIONS,
    destinations: [destinationOf('d', { encryption: YES, outputs: 2 }), destinationOf('e')],
    ...parts,
  })
}

test('CON-DEST-01 title, host, key, how many outputs use it', async () => {
  const { row } = await open({})
  const shown = within(await row('Destination d'))
  for (const head of ['Title', 'Host', 'Outputs', 'Actions']) {
    screen.getByRole('columnheader', { name: head })
  }
  shown.getByText('203.0.113.80')
  shown.getByText('2')
  shown.getByRole('img', { name: 'Encrypted, AES-256' })
  expect(await screen.findByRole('tab', { name: 'Destinations 2' })).toBeDefined()
})

test('a link to a destination opens its settings', async () => {
  const { user, router } = await open({ path: `${DESTINATIONS}&open=e` })
  const dialog = await screen.findByRole('dialog', { name: 'Destination' })
  within(dialog).getByText('Destination e')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location.search).toEqual({ tab: 'destinations' })
})

test('CON-DEST-02 CON-DEST-03 the list is paged and searched, with suggestions', async () => {
  const destinations = Array.from({ length: 14 }, (_, index) => destinationOf(`${index + 1}`))
  const { row, user, api } = await open({ destinations })
  await row('Destination 12')
  screen.getByText('1–12 of 14')
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await row('Destination 14')
  const box = screen.getByRole<HTMLInputElement>('combobox', { name: 'Search destinations' })
  await user.type(box, 'Desti')
  await waitFor(() =>
    expect(
      api.askedOf(listDestinations).map((item) => Object.fromEntries(item.query)),
    ).toContainEqual({ page: '0', rowsPerPage: '12', searchValue: 'Desti' }),
  )
  await waitFor(() => expect(box.list?.options).toHaveLength(12))
})

const made = { status: true, msg: 'Saved.', data: destinationOf('n') } as const

test('CON-DEST-04 CON-DEST-06 CON-DEST-08 ERR-42 an admin adds one: group, title and IP are needed', async () => {
  const { row, user, api } = await open({
    prepare: (fake) => fake.on(addDestination).answer(() => made),
  })
  await row('Destination d')
  await user.keyboard('n')
  const dialog = within(await screen.findByRole('dialog', { name: 'Destination' }))
  await user.click(dialog.getByRole('button', { name: 'Add destination' }))
  expect(dialog.getAllByText('This field is required')).toHaveLength(2)
  dialog.getByText('Select a group')
  expect(api.askedOf(addDestination)).toEqual([])

  await user.selectOptions(dialog.getByLabelText('Group'), 'Sports North')
  await user.type(dialog.getByLabelText('Title'), 'Playout A')
  await user.type(dialog.getByLabelText('Destination IP'), 'srt://x')
  await user.click(dialog.getByRole('button', { name: 'Add destination' }))
  await dialog.findByText(/must be a host name or an IPv4 address/)
  expect(api.askedOf(addDestination)).toEqual([])
  await user.clear(dialog.getByLabelText('Destination IP'))
  await user.type(dialog.getByLabelText('Destination IP'), '203.0.113.90')
  await user.click(dialog.getByRole('button', { name: 'Add destination' }))
  await screen.findByText('Destination added successfully')
  expect(api.askedOf(addDestination).map(({ body }) => body)).toEqual([
    {
      title: 'Playout A',
      ip: '203.0.113.90',
      groupId: 'north',
      encryption: { selection: 'no', passphrase: '', type: 128 },
    },
  ])
})

test('CON-DEST-08 a failed add without a message shows the specified text, and keeps what was typed', async () => {
  const { row, user, api } = await open({
    prepare: (fake) => fake.on(addDestination).answer(() => refuseOddly(500, {})),
  })
  await row('Destination d')
  await user.click(screen.getByRole('button', { name: 'Add Destination' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Destination' }))
  await user.selectOptions(dialog.getByLabelText('Group'), 'Sports North')
  await user.type(dialog.getByLabelText('Title'), 'Playout A')
  await user.type(dialog.getByLabelText('Destination IP'), '203.0.113.90')
  await user.click(dialog.getByRole('button', { name: 'Add destination' }))
  expect((await screen.findAllByText('Failed to create destination')).length).toBeGreaterThan(0)
  expect(dialog.getByLabelText('Title')).toHaveProperty('value', 'Playout A')
  expect(api.askedOf(addDestination)).toHaveLength(1)
  expect(screen.queryByText('Destination added successfully')).toBeNull()
})

test('CON-DEST-05 CON-DEST-07 a manager picks no group; no empties key and type again', async () => {
  const { row, user, api } = await open({
    role: 'manager',
    prepare: (fake) => fake.on(addDestination).answer(() => made),
  })
  await row('Destination d')
  await user.click(screen.getByRole('button', { name: 'Add Destination' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Destination' }))
  expect(dialog.queryByLabelText('Group')).toBeNull()
  await user.type(dialog.getByLabelText('Title'), 'Playout A')
  await user.type(dialog.getByLabelText('Destination IP'), 'playout.example.org')
  const encryption = dialog.getByRole('combobox', { name: 'Encryption' })
  await user.selectOptions(encryption, 'AES-256')
  await user.type(dialog.getByLabelText('Passphrase'), 'too short')
  await user.click(dialog.getByRole('button', { name: 'Add destination' }))
  dialog.getByText(/must be 10 to 79 characters/)
  const first = dialog.getByLabelText<HTMLInputElement>('Passphrase')
  await user.click(dialog.getByRole('button', { name: 'Generate A Key' }))
  const generated = first.value
  await user.click(dialog.getByRole('button', { name: 'Generate A Key' }))
  expect(first.value).not.toBe(generated)
  await user.selectOptions(encryption, 'no')
  expect(dialog.queryByLabelText('Passphrase')).toBeNull()
  await user.selectOptions(encryption, '128')
  expect(dialog.getByLabelText<HTMLInputElement>('Passphrase').value).toBe('')
  await user.selectOptions(encryption, 'no')
  await user.click(dialog.getByRole('button', { name: 'Add destination' }))
  await screen.findByText('Destination added successfully')
  expect(api.askedOf(addDestination).map(({ body }) => body)).toEqual([
    {
      title: 'Playout A',
      ip: 'playout.example.org',
      encryption: { selection: 'no', passphrase: '', type: 128 },
    },
  ])
})

test('CON-DEST-09 ERR-42 Q191 an edit that fails shows the server’s sentence, else the text of creating', async () => {
  const taken = 'There is a Playout A already.'
  const { row, user, api } = await open({
    prepare: (fake) => fake.on(updateDestination).answer(() => refuse(409, taken)),
  })
  await row('Destination d')
  await user.click(screen.getByRole('button', { name: 'Edit Destination d' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Destination/ }))
  const key = dialog.getByLabelText<HTMLInputElement>('Passphrase')
  expect(key.value).toBe('')
  dialog.getByText('A passphrase is stored. Leave empty to keep it.')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await dialog.findByText(taken)
  api.on(updateDestination).answer(() => refuseOddly(500, {}))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await dialog.findByText('Failed to create destination')
  const sent = {
    title: 'Destination d',
    ip: '203.0.113.80',
    groupId: 'north',
    encryption: { selection: 'yes', passphrase: '', type: 256 },
    version: 1,
  }
  expect(api.askedOf(updateDestination).map(({ body }) => body)).toEqual([sent, sent])
})

test('CON-DEST-10 delete asks, and names the outputs that use it', async () => {
  const { row, user, api } = await open({
    outputs: [outputOf('o'), outputOf('p')],
    prepare: (fake) =>
      fake
        .on(removeDestination)
        .answer(() => ({ status: true, msg: 'Destination deleted.', id: 'd' })),
  })
  await row('Destination d')
  const remove = screen.getByRole('button', { name: 'Delete Destination d' })
  await user.click(remove)
  await screen.findByText('Are you sure you want to delete?')
  screen.getByText(/2 outputs that use it keep its address and keep running: Output o, Output p\./)
  await user.click(screen.getByRole('button', { name: 'Keep destination' }))
  expect(api.askedOf(removeDestination)).toEqual([])
  await user.click(remove)
  await user.click(await screen.findByRole('button', { name: 'Delete destination' }))
  await screen.findByText('Destination deleted.')
})

test('CON-DEST-01 outputs with the same address are offered for linking, and linked after confirmation', async () => {
  const { row, user, api } = await open({
    destinations: [destinationOf('d', { encryption: YES, linkable: 2 }), destinationOf('e')],
    prepare: (fake) => {
      const outputs = [outputOf('o'), outputOf('p')]
      fake.on(listOutputs).answer(() => ({ status: true, outputs, total: 2 }))
      fake
        .on(changeOutputDestination)
        .answer(() => ({ status: true, msg: 'done', updated: 2, failed: [] }))
    },
  })
  await row('Destination e')
  await user.click(screen.getByRole('button', { name: 'More for Destination e' }))
  expect(screen.queryByRole('menuitem', { name: /^Link/ })).toBeNull()
  await user.keyboard('{Escape}')
  const choose = async () => {
    await user.click(screen.getByRole('button', { name: 'More for Destination d' }))
    await user.click(
      await screen.findByRole('menuitem', { name: 'Link 2 outputs with this address…' }),
    )
    await screen.findByText(
      /2 outputs with its address: Output o, Output p\. They also use its passphrase/,
    )
  }
  await choose()
  await user.click(screen.getByRole('button', { name: 'Leave as they are' }))
  expect(api.askedOf(changeOutputDestination)).toEqual([])
  await choose()
  await user.click(screen.getByRole('button', { name: 'Link outputs' }))
  await screen.findByText('2 outputs linked.')
  expect(api.askedOf(changeOutputDestination).map(({ body }) => body)).toEqual([
    { destinationId: 'd', outputIds: ['o', 'p'] },
  ])
  expect(api.askedOf(listOutputs).map(({ query }) => query.get('linkableTo'))).toContain('d')
})

test('CON-DEST-11 ERR-36 bulk delete by ids', async () => {
  window.confirm = vi.fn<() => boolean>(() => true)
  const { row, user, api } = await open({
    prepare: (fake) =>
      fake
        .on(removeDestinations)
        .answer(() => ({ status: true, msg: 'done', deleted: ['d', 'e'], failed: [] })),
  })
  await row('Destination d')
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await screen.findByText('Destination(s) remove successfully..')
  expect(api.askedOf(removeDestinations).map(({ body }) => body)).toEqual([
    { destinationIds: ['d', 'e'] },
  ])
})

test('CON-DEST-12 renamed in its row; a title that is taken is refused there', async () => {
  const { row, user, api } = await open({
    prepare: (fake) => fake.on(updateTitle).answer(() => refuse(409, 'The group has one.')),
  })
  await row('Destination d')
  await user.click(screen.getByRole('button', { name: 'More for Destination d' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  await user.type(await screen.findByRole('textbox', { name: /New name/ }), ' x{Enter}')
  await screen.findByText('The group has one.')
  expect(api.askedOf(updateTitle).map(({ body }) => body)).toEqual([
    { inputId: 'd', title: 'Destination d x', type: 'destination', formerTitle: 'Destination d' },
  ])
})

test('a name that is being changed in its row outlives the end of the session', async () => {
  const scene = await open({})
  const rename = async () => {
    await scene.row('Destination d')
    await scene.user.click(screen.getByRole('button', { name: 'More for Destination d' }))
    await scene.user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    return screen.findByRole<HTMLInputElement>('textbox', { name: 'New name of Destination d' })
  }
  await scene.user.type(await rename(), ' East')
  await comeBack(scene, 'admin')
  expect((await rename()).value).toBe('Destination d East')
  await findNotice(TYPED_IS_BACK)
  await scene.user.keyboard('{Escape}')
  expect((await rename()).value).toBe('Destination d')
})

test('CON-DEST-13 STORE-08 the list is kept in this browser', async () => {
  const { row } = await open({})
  await row('Destination d')
  expect(localStorage.getItem('list-destinations')).toContain('Destination d')
})

test('Show outputs lists the outputs of the destination', async () => {
  const { row, user, api } = await open({ outputs: [outputOf('o')] })
  await row('Destination d')
  await user.click(screen.getByRole('button', { name: 'More for Destination d' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Show outputs' }))
  await row('Output o')
  // Its menu is gone: the next key goes on from the list.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
  await waitFor(() => expect(api.askedOf(listOutputs).at(-1)?.query.get('destinationId')).toBe('d'))
})

test('CON-OUT-02 Q149 STORE-07 a destination beyond the first 12 is found by typing', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const destinations = Array.from({ length: 13 }, (_, index) => destinationOf(`x${index + 1}`))
  const { row, user, api } = await open({
    path: OUTPUTS,
    destinations,
    outputs: [outputOf('o')],
  })
  await row('Output o')
  const filter = screen.getByRole('combobox', { name: 'Destination' })
  await user.click(filter)
  await screen.findByRole('option', { name: 'Destination x12' })
  expect(screen.queryByRole('option', { name: 'Destination x13' })).toBeNull()
  screen.getByText('1 more: type to narrow the list.')
  await user.type(filter, 'x13')
  await screen.findByRole('option', { name: 'Destination x13' })
  const list = screen.getByRole('listbox', { name: 'Destination' })
  await waitFor(() => expect(within(list).getAllByRole('option')).toHaveLength(1))
  await user.keyboard('{Enter}')
  await act(async () => vi.advanceTimersByTimeAsync(1200))
  await waitFor(() =>
    expect(api.askedOf(listOutputs).at(-1)?.query.get('destinationId')).toBe('x13'),
  )
  expect(storage.outputFilterDestinationId.read()).toBe('x13')
  await waitFor(() => expect(filter).toHaveProperty('value', 'Destination x13'))
})

test('Q150 Q151 an output shows its destination, and when that has moved', async () => {
  const destinationInfo = { _id: 'd', title: 'Playout A', ip: '203.0.113.81' }
  const { row } = await open({
    path: OUTPUTS,
    outputs: [outputOf('o', { destinationId: 'd', destinationInfo })],
  })
  const shown = within(await row('Output o'))
  shown.getByText('Playout A')
  shown.getByText('203.0.113.80:7016')
  expect(shown.getByText('moved to 203.0.113.81')).toBeDefined()
})

test('CON-IN-41 CON-OUT-20 leaving a tab aborts what it still asks for', async () => {
  const { user, api, row } = await openContributions({
    outputs: [outputOf('o')],
    inputs: [inputOf('a')],
    prepare: (fake) => fake.on(readInputStatus).answer(async () => new Promise(() => undefined)),
  })
  await row('Input a')
  api.stream.end()
  await waitFor(() => expect(api.askedOf(readInputStatus)).toHaveLength(1))
  await user.click(screen.getByRole('tab', { name: /Outputs/ }))
  await row('Output o')
  await waitFor(() => expect(api.askedOf(readInputStatus)[0]?.signal?.aborted).toBe(true))
})

test('CON-IN-40 while a refresh waits, nobody is asked for a status', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { user, api, row } = await openContributions({
    prepare: (fake) =>
      fake
        .on(readInputStatus)
        .answer(() => ({ status: true, results: 'a RUNNING', state: 'running' })),
  })
  await row('Input a')
  api.stream.end()
  await waitFor(() => expect(api.askedOf(readInputStatus)).toHaveLength(1))
  await act(async () => vi.advanceTimersByTimeAsync(9500))
  const before = api.askedOf(readInputStatus).length
  const lists = api.askedOf(listInputs).length
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  await act(async () => vi.advanceTimersByTimeAsync(1000))
  expect(api.askedOf(readInputStatus)).toHaveLength(before)
  expect(api.askedOf(listInputs)).toHaveLength(lists)
  await act(async () => vi.advanceTimersByTimeAsync(800))
  await waitFor(() => expect(api.askedOf(readInputStatus).length).toBeGreaterThan(before))
})
