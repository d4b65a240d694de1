import { screen, waitFor, within } from '@testing-library/react'
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import { listInputs, readInput } from '@trunkline/contract/contributions/input.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { listOutputs } from '@trunkline/contract/contributions/output.calls'
import type { Role } from '@trunkline/contract/roles'
import { findServer, listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test } from 'vitest'
import { inputOf } from '../../test/link.samples.ts'
import { serverOf } from '../../test/place.samples.ts'
import { renderConsole, resetConsole } from '../../test/render-console.tsx'

afterEach(resetConsole)

const SERVER = serverOf('gw-west', { title: 'gw-west-02' })
const MANY = Array.from({ length: 13 }, (_, at) => inputOf(`i${at}`, { title: `Camera ${at}` }))

interface Scene {
  role: Role
  inputs: readonly Input[]
}

async function open(path: string, parts: Partial<Scene> = {}) {
  const { role = 'admin', inputs = [] } = parts
  const scene = renderConsole({
    path,
    role,
    prepare: (api) => {
      api.on(listServers).answer(() => ({ status: true, data: [SERVER], total: 1 }))
      api
        .on(findServer)
        .answer(() => ({ status: true, data: SERVER, adapterIps: SERVER.adapterIps }))
      api.on(listInputs).answer(({ query }) => {
        const text = query.get('searchValue') ?? ''
        const found = inputs.filter(({ title }) => title.includes(text))
        const rows = Number(query.get('rowsPerPage') ?? 12)
        return { status: true, contributions: found.slice(0, rows), total: found.length }
      })
      api.on(listOutputs).answer(() => ({ status: true, outputs: [], total: 0 }))
      api
        .on(listDestinations)
        .answer(() => ({ status: true, destinations: [], length: 0, total: 0 }))
      const first = inputOf('i12')
      api.on(readInput).answer(() => ({ status: true, data: first, contribution: first }))
    },
  })
  const openDialog = async (name: string) => {
    await scene.user.click(await screen.findByRole('button', { name }))
    return within(await screen.findByRole('dialog', { name }))
  }
  return { ...scene, openDialog }
}

test('CON-IN-28 DLG-09 a new input needs a server and a group, then its form opens', async () => {
  const { openDialog, user, pathname } = await open('/dashboard/contribution')
  const dialog = await openDialog('Add Input')
  dialog.getByRole('option', { name: 'Select a server' })
  dialog.getByRole('option', { name: 'Select a group' })
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  expect(dialog.getAllByText('This field is required')).toHaveLength(2)
  expect(pathname()).toBe('/dashboard/contribution')
  await user.selectOptions(dialog.getByLabelText('Server'), 'gw-west')
  await user.selectOptions(dialog.getByLabelText('Group'), 'south')
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(pathname()).toBe('/dashboard/gw-west/south/contribution/new'))
  await screen.findByRole('heading', { name: 'Contribution Config' })
})

test('DLG-10 a manager’s first group is preselected', async () => {
  const { openDialog } = await open('/dashboard/contribution', { role: 'manager' })
  const dialog = await openDialog('Add Input')
  await waitFor(() =>
    expect((dialog.getByLabelText('Group') as HTMLSelectElement).value).toBe('north'),
  )
})

test('CON-OUT-11 CON-OUT-12 DLG-11 Q149 a new output needs an input, and the 13th is found by its title', async () => {
  const { openDialog, user, pathname } = await open('/dashboard/contribution?tab=outputs', {
    inputs: MANY,
  })
  const dialog = await openDialog('Add Output')
  await user.click(await dialog.findByDisplayValue('Select input'))
  await dialog.findByRole('option', { name: 'Camera 0' })
  expect(dialog.queryByRole('option', { name: 'Camera 12' })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  dialog.getByText('This field is required')
  await user.type(dialog.getByRole('combobox', { name: 'Input' }), 'Camera 12')
  await user.click(await dialog.findByRole('option', { name: 'Camera 12' }))
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(pathname()).toBe('/dashboard/gw-west/output/i12'))
})
