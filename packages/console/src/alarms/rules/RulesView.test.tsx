import { screen, waitFor, within } from '@testing-library/react'
import { listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import {
  addOverride,
  listOverrides,
  removeOverride,
} from '@trunkline/contract/alarms/overrides/override.calls'
import type { AlarmOverride } from '@trunkline/contract/alarms/overrides/override.schema'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, test } from 'vitest'
import { openedDialog } from '../../test/opened-dialog.ts'
import { refuse } from '../../test/fake-api.ts'
import { renderConsole, resetConsole } from '../../test/render-console.tsx'
import { groupOf } from '../../test/samples.ts'

afterEach(resetConsole)

const NORTH = groupOf('north', 'North')

const OFF: AlarmOverride = {
  _id: 'o1',
  id: 'o1',
  version: 1,
  covers: { kind: 'group', id: NORTH._id, title: 'North' },
  rule: 'no-peer',
  isOff: true,
  severity: null,
  threshold: null,
  raiseAfterSeconds: 30,
  clearAfterSeconds: null,
}

async function open(overrides: readonly AlarmOverride[], role: Role = 'admin') {
  const scene = renderConsole({
    path: '/dashboard/alarm',
    role,
    prepare: (api) => {
      api.on(listAlarms).answer(() => ({ status: true, data: [], total: 0 }))
      api.on(listOverrides).answer(() => ({
        status: true,
        data: [...overrides],
        total: overrides.length,
      }))
      api.on(listGroups).answer(() => ({ status: true, data: [NORTH], total: 1 }))
      api.on(addOverride).answer(() => ({ status: true, data: OFF, id: OFF.id }))
      api.on(removeOverride).answer(() => ({ status: true, id: OFF.id }))
    },
  })
  await scene.user.click(await screen.findByRole('button', { name: 'Rules' }))
  return scene
}

test('each rule shows its severity and delays, and can be overridden for a group', async () => {
  const { user, api } = await open([])
  const rule = within(await screen.findByRole('row', { name: /Disk nearly full/ }))
  rule.getByText('Major')
  rule.getByText('at once')
  await user.click(screen.getByRole('button', { name: 'Override Peer lost' }))
  const dialog = within(await openedDialog())
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Rule')))
  await user.selectOptions(dialog.getByLabelText('Severity'), 'Critical')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  await dialog.findByText('Choose what it covers.')
  await user.selectOptions(dialog.getByLabelText('Which'), NORTH.title)
  await user.type(dialog.getByLabelText('Raised after (s)'), '30')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(api.askedOf(addOverride)).toHaveLength(1), { timeout: 20_000 })
  expect(api.askedOf(addOverride)[0]).toMatchObject({
    body: {
      covers: { kind: 'group', id: NORTH._id },
      rule: 'no-peer',
      isOff: null,
      severity: 'critical',
      raiseAfterSeconds: 30,
      clearAfterSeconds: null,
    },
  })
})

test('a rule that judges a figure has a threshold: shown, chosen among its steps, refused at its field', async () => {
  const { user, api } = await open([
    { ...OFF, rule: 'losing-packets', isOff: null, threshold: 0.5 },
  ])
  const table = within(await screen.findByRole('table', { name: 'Alarm rules' }))
  within(table.getByRole('row', { name: /Losing packets/ })).getByText('above 0.1 %')
  within(table.getByRole('row', { name: /Group North/ })).getByText('above 0.5 %')
  within(table.getByRole('row', { name: /Disk nearly full/ })).getByText('below 5 % or 1 GB free')
  await user.click(screen.getByRole('button', { name: 'Override Disk nearly full' }))
  const dialog = within(await openedDialog())
  dialog.getByText('Default below 5 % or 1 GB free.')
  await user.selectOptions(dialog.getByLabelText('Which'), NORTH.title)
  await user.selectOptions(dialog.getByLabelText('Threshold'), 'below 2 % free')
  await user.selectOptions(dialog.getByLabelText('Rule'), 'Peer lost')
  expect(dialog.queryByLabelText('Threshold')).toBeNull()
  await user.selectOptions(dialog.getByLabelText('Rule'), 'Disk nearly full')
  await user.selectOptions(dialog.getByLabelText('Threshold'), 'below 2 % free')
  api.on(addOverride).answer(() => refuse(400, 'threshold must be one of 1, 2.'))
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  await dialog.findByText('threshold must be one of 1, 2.', {}, { timeout: 20_000 })
  expect(api.askedOf(addOverride)[0]).toMatchObject({ body: { rule: 'disk-full', threshold: 2 } })
})

test('an override says what it changes, and is deleted after a question', async () => {
  const { user, api } = await open([OFF])
  const row = within(await screen.findByRole('row', { name: /Group North/ }))
  row.getByText('Off')
  row.getByText('30 s')
  await user.click(row.getByRole('button', { name: 'Delete Peer lost for North' }))
  await user.click(await screen.findByRole('button', { name: 'Delete override' }))
  await waitFor(() => expect(api.askedOf(removeOverride)).toHaveLength(1), { timeout: 20_000 })
})

test('a monitor sees the rules and why they cannot be overridden', async () => {
  await open([OFF], 'monitor')
  const button = await screen.findByRole('button', { name: 'Override Peer lost' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
})

test('rules are sorted by severity, their overrides with them', async () => {
  const { user } = await open([OFF])
  const table = within(await screen.findByRole('table', { name: 'Alarm rules' }))
  await user.click(table.getByRole('button', { name: 'Severity' }))
  await user.click(table.getByRole('button', { name: 'Severity' }))
  const words = table
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent)
  const ofRules = words.filter((word) => word !== 'Off')
  const ranks = ofRules.map((word) => ['Warning', 'Major', 'Critical'].indexOf(word ?? ''))
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  const names = table.getAllByRole('rowheader').map((cell) => cell.textContent)
  const peer = names.findIndex((name) => name.startsWith('Peer lost'))
  expect(names[peer + 1]).toBe('Group North')
})
