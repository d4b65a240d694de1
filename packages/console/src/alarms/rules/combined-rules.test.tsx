import { screen, waitFor, within } from '@testing-library/react'
import { listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import {
  addOverride,
  listOverrides,
  readCombinedRules,
} from '@trunkline/contract/alarms/overrides/override.calls'
import type {
  AlarmOverride,
  CombinedRule,
} from '@trunkline/contract/alarms/overrides/override.schema'
import { listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, test } from 'vitest'
import { fedBy, feederOf } from '../../encoders/feeders/feeder.fixture.ts'
import { alarmOf } from '../alarm.fixture.ts'
import { refuse } from '../../test/fake-api.ts'
import { openedDialog } from '../../test/opened-dialog.ts'
import { renderConsole, resetConsole } from '../../test/render-console.tsx'

afterEach(resetConsole)

const LIMIT = { timeout: 20_000 }
const FEEDER = feederOf('f1')
const CAMERA = fedBy([FEEDER], { title: 'Camera 1' })
const OF_NORTH: AlarmOverride = {
  _id: 'o1',
  id: 'o1',
  version: 3,
  covers: { kind: 'group', id: 'north', title: 'North' },
  rule: 'disk-full',
  isOff: null,
  severity: 'critical',
  threshold: null,
  raiseAfterSeconds: null,
  clearAfterSeconds: null,
}
const DISK: CombinedRule = {
  rule: 'disk-full',
  isOff: false,
  severity: 'critical',
  threshold: 20,
  raiseAfterMs: 0,
  clearAfterMs: 6000,
  from: { isOff: '', severity: 'o1', threshold: 'hidden', raiseAfterMs: '', clearAfterMs: '' },
}
const DEFAULT = { isOff: '', severity: '', threshold: '', raiseAfterMs: '', clearAfterMs: '' }
const AWAY: CombinedRule = {
  rule: 'host-unreachable',
  isOff: true,
  severity: 'critical',
  threshold: null,
  raiseAfterMs: 2000,
  clearAfterMs: 6000,
  from: DEFAULT,
}

function open(role: Role = 'admin') {
  return renderConsole({
    path: '/dashboard/alarm',
    role,
    prepare: (api) => {
      const alarm = alarmOf('x', { kind: 'encoder', objectId: CAMERA._id, title: CAMERA.title })
      api.on(listAlarms).answer(() => ({ status: true, data: [alarm], total: 1 }))
      api.on(listOverrides).answer(() => ({ status: true, data: [OF_NORTH], total: 1 }))
      api.on(listAllEncoders).answer(() => ({ status: true, result: [CAMERA], total: 1 }))
      api.on(readCombinedRules).answer(() => ({ status: true, data: [AWAY, DISK] }))
      api.on(addOverride).answer(() => ({ status: true, data: OF_NORTH, id: 'o1' }))
    },
  })
}

async function choose(scene: ReturnType<typeof open>) {
  const { user } = scene
  await user.click(await screen.findByRole('button', { name: 'Rules' }))
  await user.selectOptions(
    await screen.findByLabelText('Rules that apply to', {}, LIMIT),
    'Encoder',
  )
  await screen.findByText('No object chosen')
  await screen.findByRole('option', { name: CAMERA.title }, LIMIT)
  await user.selectOptions(screen.getByLabelText('Which'), CAMERA.title)
  return screen.findByRole('table', { name: 'Alarm rules of Camera 1' }, LIMIT)
}

test('of a chosen object each rule says what applies and where it comes from', async () => {
  const scene = open()
  const table = within(await choose(scene))
  const disk = within(table.getByRole('row', { name: /Disk nearly full/ }))
  disk.getByText('Critical')
  disk.getByText('below 20 % or 1 GB free')
  disk.getByText('severity')
  disk.getByText('another group')
  disk.getByText('threshold')
  const away = within(table.getByRole('row', { name: /Host unreachable/ }))
  away.getByText('Off')
  away.getByText('default')
  expect(scene.api.askedOf(readCombinedRules)[0]?.query.get('kind')).toBe('encoder')
})

test('a feeder is chosen by its encoder', async () => {
  const scene = open()
  const { user, api } = scene
  await user.click(await screen.findByRole('button', { name: 'Rules' }))
  const kind = await screen.findByLabelText('Rules that apply to', {}, LIMIT)
  await user.selectOptions(kind, 'Feeder')
  await screen.findByRole('option', { name: CAMERA.title }, LIMIT)
  await user.selectOptions(screen.getByLabelText('Of encoder'), CAMERA.title)
  screen.getByText('No object chosen')
  await user.selectOptions(screen.getByLabelText('Which'), FEEDER.input.title)
  await screen.findByRole('table', { name: `Alarm rules of ${FEEDER.input.title}` }, LIMIT)
  const query = api.askedOf(readCombinedRules).at(-1)?.query
  expect([query?.get('kind'), query?.get('id')]).toEqual(['feeder', FEEDER.name])
})

test('the override is opened where a setting comes from, and a new one is for the object', async () => {
  const scene = open()
  const { user, api } = scene
  const table = within(await choose(scene))
  await user.click(table.getByRole('button', { name: 'Group North' }))
  const change = within(await openedDialog())
  expect((change.getByLabelText('Severity') as HTMLSelectElement).value).toBe('critical')
  await user.click(change.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), LIMIT)
  await user.click(table.getByRole('button', { name: 'Override Disk nearly full for Camera 1' }))
  const added = within(await openedDialog())
  await user.selectOptions(added.getByLabelText('Threshold'), 'below 10 % or 1 GB free')
  await user.click(added.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(api.askedOf(addOverride)).toHaveLength(1), LIMIT)
  expect(api.askedOf(addOverride)[0]?.body).toMatchObject({
    covers: { kind: 'encoder', id: CAMERA._id },
    rule: 'disk-full',
    threshold: 10,
  })
  await waitFor(() => expect(api.askedOf(readCombinedRules)).toHaveLength(2), LIMIT)
})

test('an opened alarm shows the rules of its object; a failure says why and is retried', async () => {
  const { user, api } = open('monitor')
  api.on(readCombinedRules).answer(() => refuse(404, 'There is no such encoder.'))
  await user.click(await screen.findByRole('button', { name: /^Expand Camera 1/ }, LIMIT))
  await user.click(screen.getByRole('button', { name: 'Rules that apply to Camera 1…' }))
  const dialog = within(await openedDialog())
  await dialog.findByText('There is no such encoder.', {}, LIMIT)
  api.on(readCombinedRules).answer(() => ({ status: true, data: [DISK] }))
  await user.click(dialog.getByRole('button', { name: 'Retry' }))
  await dialog.findByText('Disk nearly full', {}, LIMIT)
  const button = dialog.getByRole('button', { name: 'Override Disk nearly full for Camera 1' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
})
