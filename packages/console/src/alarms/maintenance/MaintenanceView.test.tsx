import { screen, waitFor, within } from '@testing-library/react'
import { listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import {
  addMaintenance,
  listMaintenance,
  removeMaintenance,
} from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import type { MaintenanceWindow } from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, test } from 'vitest'
import { renderConsole, resetConsole } from '../../test/render-console.tsx'
import { groupOf } from '../../test/samples.ts'

afterEach(resetConsole)

const NORTH = groupOf('north', 'North')

const ON: MaintenanceWindow = {
  _id: 'w1',
  id: 'w1',
  version: 1,
  title: 'Firmware',
  covers: { kind: 'group', id: 'g1', title: 'North' },
  times: { repeats: 'once', from: '2026-11-20T02:00:00Z', until: '2036-11-20T04:00:00Z' },
  activeUntil: '2036-11-20T04:00:00.000Z',
  nextFrom: null,
}

async function open(windows: readonly MaintenanceWindow[], role: Role = 'admin') {
  const scene = renderConsole({
    path: '/dashboard/alarm',
    role,
    prepare: (api) => {
      api.on(listAlarms).answer(() => ({ status: true, data: [], total: 0 }))
      api.on(listMaintenance).answer(() => ({
        status: true,
        data: [...windows],
        total: windows.length,
      }))
      api.on(listGroups).answer(() => ({ status: true, data: [NORTH], total: 1 }))
      api.on(addMaintenance).answer(() => ({ status: true, data: ON, id: ON.id }))
      api.on(removeMaintenance).answer(() => ({ status: true, id: ON.id }))
    },
  })
  await scene.user.click(await screen.findByRole('button', { name: 'Maintenance' }))
  return scene
}

const boxOf = (paragraph: HTMLElement) => paragraph.closest('div') ?? paragraph

test('a window is planned for a group', async () => {
  const { user, api } = await open([])
  const empty = within(await screen.findByText(/^While a window is active/).then(boxOf))
  await user.click(empty.getByRole('button', { name: 'Plan maintenance' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Plan maintenance' }))
  await user.type(dialog.getByLabelText('Title'), 'Firmware')
  await user.click(dialog.getByRole('button', { name: 'Plan' }))
  await dialog.findByText('Choose what it covers.')
  await user.selectOptions(dialog.getByLabelText('Which'), NORTH.title)
  await user.selectOptions(dialog.getByLabelText('Repeats'), 'Every week')
  await user.click(dialog.getByRole('checkbox', { name: 'Sun' }))
  await user.click(dialog.getByRole('button', { name: 'Plan' }))
  await waitFor(() => expect(api.askedOf(addMaintenance)).toHaveLength(1))
  const [asked] = api.askedOf(addMaintenance)
  expect(asked).toMatchObject({
    body: {
      title: 'Firmware',
      covers: { kind: 'group', id: NORTH._id },
      times: { repeats: 'weekly', days: ['sun'], startsAt: '02:00', minutes: 120 },
    },
  })
  await screen.findByText('Maintenance planned')
})

test('a window that is on says until when, and is deleted after a question', async () => {
  const { user, api } = await open([ON])
  const row = within(await screen.findByRole('row', { name: /Firmware/ }))
  row.getByText('On until 2036-11-20 04:00')
  row.getByText('North')
  await user.click(row.getByRole('button', { name: 'Delete Firmware' }))
  await user.click(await screen.findByRole('button', { name: 'Delete window' }))
  await waitFor(() => expect(api.askedOf(removeMaintenance)).toHaveLength(1))
})

test('who may not plan is told why, above the list and in the empty one', async () => {
  const { user } = await open([], 'monitor')
  await screen.findByText('No maintenance planned')
  const buttons = screen.getAllByRole('button', { name: 'Plan maintenance' })
  expect(buttons.map((button) => button.getAttribute('aria-disabled'))).toEqual(['true', 'true'])
  await user.keyboard('n')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a monitor sees what is planned and is told why they cannot change it', async () => {
  await open([ON], 'monitor')
  const row = within(await screen.findByRole('row', { name: /Firmware/ }))
  const button = row.getByRole('button', { name: 'Delete Firmware' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
})
