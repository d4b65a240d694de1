import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { changeServer } from '@trunkline/contract/contributions/contribution.calls'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import { countFeedersTo } from '@trunkline/contract/encoders/feeder.calls'
import type { Role } from '@trunkline/contract/roles'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test } from 'vitest'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { inputOf } from '../../test/link.samples.ts'
import { hostOf, serverOf } from '../../test/place.samples.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { comeBack, TYPED_IS_BACK } from '../../test/session-steps.ts'
import { openContributions } from '../contributions.fixture.ts'

afterEach(resetConsole)

const WEST = serverOf('gw-west', { title: 'gw-west-02' })
const EAST = serverOf('gw-east', {
  title: 'gw-east-01',
  host: '203.0.113.30',
  adapterIps: [{ _id: 'pair', adapterName: 'eth1', adapterIp: '203.0.113.30' }],
})
const INPUTS = [inputOf('a', { outputIds: ['x', 'y'] }), inputOf('b')]

async function openDialog(prepare: (api: FakeApi) => void, inputs = INPUTS, role: Role = 'admin') {
  const scene = await openContributions({
    inputs,
    role,
    prepare: (api) => {
      api.on(listServers).answer(() => ({ status: true, data: [WEST, EAST], total: 2 }))
      api.on(countFeedersTo).answer(() => ({ status: true, data: [{ port: 6002, feeders: 3 }] }))
      prepare(api)
    },
  })
  const user = userEvent.setup()
  const open = async () => {
    await scene.row(inputs[0]?.title ?? '')
    await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
    // The bar of what is selected is loaded with the first selection.
    await user.click(await screen.findByRole('button', { name: /^Change server/ }))
    return within(await screen.findByRole('dialog', { name: /^Change server/ }))
  }
  const dialog = await open()
  const choose = async () => {
    await dialog.findByRole('option', { name: 'gw-east-01' })
    await user.selectOptions(dialog.getByLabelText('New server'), 'gw-east-01')
  }
  const save = () => dialog.getByRole('button', { name: 'Change server' })
  return { ...scene, user, open, dialog, choose, save }
}

test('a new server that does not answer is named as such before anything is moved', async () => {
  const { api, dialog, choose } = await openDialog(() => {})
  await choose()
  api.stream.push(snapshotOf({ hosts: [hostOf('gw-east', { online: false })] }))
  const sentence =
    'gw-east-01 does not answer at the moment. Running inputs are not moved; stopped ones are, and cannot start there until it answers.'
  expect(await dialog.findByText(sentence)).toBeDefined()
})

test.each([
  ['admin', 'There is no other server that runs inputs. Add one under Servers.'],
  ['manager', 'There is no other server that runs inputs. Ask an admin to add one.'],
] as const)('CON-IN-38 without another server, %s reads who adds one', async (role, sentence) => {
  const { dialog } = await openDialog(
    (api) => api.on(listServers).answer(() => ({ status: true, data: [WEST], total: 1 })),
    [inputOf('a', { serverId: WEST.id })],
    role,
  )
  expect(await dialog.findByText(sentence)).toBeDefined()
})

const MOVED = {
  status: true as const,
  msg: 'Server changed successfully..',
  moved: ['input-a'],
  failed: [{ name: 'input-b', error: 'Port 6002 of host 203.0.113.30 is taken.' }],
  notes: [{ name: 'input-a', note: 'gw-west-02 does not answer.' }],
}

test('CON-IN-38 ERR-43 the dialog offers other servers, shows what will happen, and sends the choice', async () => {
  const { api, user, dialog, choose, save } = await openDialog((fake) =>
    fake.on(changeServer).answer(() => ({ ...MOVED, moved: ['input-a', 'input-b'], failed: [] })),
  )
  expect(save().getAttribute('aria-disabled')).toBe('true')
  expect(dialog.queryByRole('option', { name: 'gw-west-02' })).toBeNull()
  await choose()
  await user.selectOptions(dialog.getByLabelText('Local IP'), 'eth1 203.0.113.30')
  await user.click(dialog.getByRole('radio', { name: /Keep on the old server/ }))
  const [first] = dialog.getAllByRole('listitem').slice(-2)
  expect(first?.textContent).toContain('from gw-west-02 to gw-east-01, with its 2 outputs.')
  expect(first?.textContent).toContain('Its callers must redial: 203.0.113.30, port 6002.')
  expect(first?.textContent).toContain('3 feeders still send to gw-west-02')
  expect(api.askedOf(countFeedersTo).map(({ query }) => query.get('serverId'))).toEqual(['gw-west'])
  await user.click(save())
  await screen.findByText('Server changed successfully..')
  expect(api.askedOf(changeServer).map(({ body }) => body)).toEqual([
    {
      newServerId: 'gw-east',
      contributions: ['input-a', 'input-b'],
      localIp: '203.0.113.30',
      adapterId: 'pair',
      keepOrDelete: '0',
    },
  ])
  await screen.findByText('gw-west-02 does not answer.')
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('CON-IN-38 during the move each input shows its progress, and nothing is sent twice', async () => {
  const answer = Promise.withResolvers<undefined>()
  const there: string[] = []
  const { api, user, choose, save } = await openDialog((fake) => {
    fake.on(changeServer).answer(async () => {
      await answer.promise
      return MOVED
    })
    fake.on(listInputs).answer(() => {
      const now = INPUTS.map((input) =>
        there.includes(input._id) ? { ...input, serverId: 'gw-east' } : input,
      )
      return { status: true, contributions: now, total: now.length }
    })
  })
  await choose()
  await user.dblClick(save())
  const moving = within(await screen.findByRole('list', { name: 'Moving to gw-east-01' }))
  expect(moving.getAllByText('Moving')).toHaveLength(2)
  expect(moving.getAllByText('Starting on gw-east-01.')).toHaveLength(2)
  there.push('a')
  api.stream.push({ event: 'object', data: { kind: 'input', id: 'a', change: 'changed' } })
  await moving.findByText('Moved')
  expect(moving.getAllByText('Moving')).toHaveLength(1)
  expect(screen.queryByText(/^Moved to gw-east-01/)).toBeNull()
  there.push('b')
  api.stream.push({ event: 'object', data: { kind: 'input', id: 'b', change: 'changed' } })
  await screen.findByText(
    'Moved to gw-east-01. Waiting until everything has stopped on the old server: gw-west-02.',
  )
  expect(await screen.findAllByRole('button', { name: 'Close' })).toHaveLength(2)
  answer.resolve(undefined)
  const results = within(await screen.findByRole('list', { name: 'Results' }))
  results.getByText('Not moved')
  results.getByText('Port 6002 of host 203.0.113.30 is taken.')
  expect(api.askedOf(changeServer)).toHaveLength(1)
})

test('CON-IN-39 ERR-02 ERR-43 Q146 none moved: the server’s sentence, then French as documented, one line for each', async () => {
  const error = 'None of the 2 inputs was moved to gw-east-01.'
  const failed = ['a', 'b'].map((id) => ({ name: `input-${id}`, error: `Refused ${id}.` }))
  const { user, choose, save } = await openDialog((fake) =>
    fake
      .on(changeServer)
      .answer(() => refuseOddly(409, { status: false, error, msg: error, failed })),
  )
  await choose()
  await user.click(save())
  await findNotice(error, FRENCH)
  const results = within(await screen.findByRole('list', { name: 'Results' }))
  expect(results.getAllByText(/^Refused/).map((element) => element.textContent)).toEqual([
    'Refused a.',
    'Refused b.',
  ])
})

const FRENCH =
  'Une erreur est survenue lors du changement de serveur. Veuillez réessayer ou contacter le support.'

test('ERR-02 ERR-43 refused as a whole the dialog stays: the server’s sentence, else the fixed text', async () => {
  const { api, user, dialog, choose, save } = await openDialog((fake) =>
    fake.on(changeServer).answer(() => refuse(404, 'There is no such server.')),
  )
  await choose()
  for (const sentence of ['There is no such server.', FRENCH]) {
    await user.click(save())
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toContain(sentence))
    await findNotice(sentence)
    api.on(changeServer).answer(() => refuseOddly(500, {}))
  }
  expect(save().getAttribute('aria-disabled')).not.toBe('true')
})

test('CON-IN-38 many inputs are moved in several calls; after an unusable answer each input shows what is known', async () => {
  const inputs = Array.from({ length: 26 }, (_, at) => inputOf(`n${at}`))
  const { api, user, choose, save } = await openDialog((fake) => {
    fake.on(changeServer).answer(({ body }) => {
      const names = (body as { contributions: string[] }).contributions
      if (names.includes('input-n12')) return refuse(500, 'Something went wrong.')
      return { ...MOVED, moved: names, failed: [], notes: [] }
    })
    fake
      .on(listInputs)
      .answer(() => ({ status: true, contributions: inputs, total: inputs.length }))
  }, inputs)
  await choose()
  await user.click(save())
  const results = within(await screen.findByRole('list', { name: 'Results' }))
  const words = results.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(words.filter((text) => text.includes('Something went wrong.'))).toHaveLength(12)
  expect(words.filter((text) => text.includes('Not tried'))).toHaveLength(2)
  expect(words.slice(14).every((text) => text.endsWith('Moved'))).toBe(true)
  expect(api.askedOf(changeServer)).toHaveLength(2)
  await screen.findByText('12 inputs on gw-east-01, 14 not moved')
})

test('the server that was chosen for these inputs outlives the session', async () => {
  const scene = await openDialog(() => {})
  await scene.choose()
  await scene.user.click(scene.dialog.getByRole('radio', { name: /Keep on the old server/ }))
  await comeBack(scene, 'admin')
  const again = await scene.open()
  await findNotice(TYPED_IS_BACK)
  await again.findByRole('option', { name: 'gw-east-01' })
  expect(again.getByLabelText('New server')).toHaveProperty('value', 'gw-east')
  expect(again.getByRole('radio', { name: /Keep on/ })).toHaveProperty('checked', true)
  expect(scene.api.askedOf(changeServer)).toEqual([])
})
