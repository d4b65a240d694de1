import { screen, waitFor, within } from '@testing-library/react'
import { makeBackup, readBackups } from '@trunkline/contract/backups/backup.calls'
import type { BackupRecord, BackupState } from '@trunkline/contract/backups/backup.schema'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test } from 'vitest'
import { refuse } from '../../test/fake-api.ts'
import { renderConsole, resetConsole } from '../../test/render-console.tsx'

afterEach(resetConsole)

const LIMIT = { timeout: 20_000 }
const MADE: BackupRecord = {
  id: 'a',
  reason: 'scheduled',
  begunAt: '2026-05-03T03:30:00.000Z',
  endedAt: '2026-05-03T03:30:04.000Z',
  machine: 'console-1',
  file: '/backups/trunkline-2026-05-03T033000Z-scheduled.db',
  bytes: 12_345_678,
  fault: '',
}
const STATE: BackupState = {
  backups: [MADE],
  folder: '/backups',
  nextAt: '2026-05-04T03:30:00.000Z',
  kept: 14,
  isOnSameDisk: true,
}

function open(first: Partial<BackupState>) {
  let state: BackupState = { ...STATE, ...first }
  const scene = renderConsole({
    path: '/dashboard/server',
    role: 'admin',
    prepare: (api) => {
      api.on(listServers).answer(() => ({ status: true, data: [], total: 0 }))
      api.on(readBackups).answer(() => ({ status: true, data: state }))
      api.on(makeBackup).answer(() => {
        const begun = { ...MADE, id: 'b', reason: 'asked for' as const, endedAt: null, bytes: null }
        state = { ...state, backups: [begun, ...state.backups] }
        return { status: true, data: begun }
      })
    },
  })
  return { ...scene, store: (next: Partial<BackupState>) => (state = { ...state, ...next }) }
}

const rowsOf = () =>
  within(screen.getByRole('table', { name: 'Backups' }))
    .getAllByRole('row')
    .slice(1)

test('the page says when it was backed up; the dialog says what, where, and what is wrong about the place', async () => {
  const { user } = open({})
  await user.click(await screen.findByRole('button', { name: /^Backed up .* ago$/ }, LIMIT))
  await screen.findByText(
    /Next backup: 4 May 03:30:00 UTC\. The last 14 scheduled ones are kept\. Folder: \/backups/,
    {},
    LIMIT,
  )
  screen.getByText(/on the same disk as the database/)
  expect(rowsOf().map((row) => row.textContent)).toEqual([
    '3 May 03:30:00 UTCscheduled12.3 MBtrunkline-2026-05-03T033000Z-scheduled.db on console-1',
  ])
})

test('a failed backup is seen on the page, with its reason in the dialog', async () => {
  const fault = 'The backup /backups/x.db could not be made: ENOSPC: no space left on device.'
  const { user } = open({ backups: [{ ...MADE, bytes: null, fault }], isOnSameDisk: false })
  await user.click(await screen.findByRole('button', { name: /Last backup failed/ }, LIMIT))
  await screen.findByText(fault, {}, LIMIT)
  expect(screen.queryByText(/on the same disk/)).toBeNull()
})

test('a backup is made at once, shows that it is made, and turns by itself', async () => {
  const { user, store } = open({ backups: [] })
  await user.click(await screen.findByRole('button', { name: 'No backup yet' }, LIMIT))
  await screen.findByText(/^No backup has been made yet/, {}, LIMIT)
  await user.click(screen.getByRole('button', { name: 'Back up now' }))
  await screen.findByText('Being made', {}, LIMIT)
  await waitFor(
    () =>
      expect(
        screen.getByRole('button', { name: 'Back up now' }).getAttribute('aria-disabled'),
      ).toBe('true'),
    LIMIT,
  )
  store({ backups: [{ ...MADE, id: 'b', reason: 'asked for' }] })
  await screen.findByText('12.3 MB', {}, LIMIT)
})

test('a backup that is refused says why', async () => {
  const { user, api } = open({})
  api.on(makeBackup).answer(() => refuse(409, 'A backup is being made. Wait until it has ended.'))
  await user.click(await screen.findByRole('button', { name: /^Backed up/ }, LIMIT))
  await user.click(await screen.findByRole('button', { name: 'Back up now' }, LIMIT))
  const sentence = await screen.findByText(
    /A backup is being made\. Wait until it has ended\./,
    {},
    LIMIT,
  )
  expect(sentence).toBeDefined()
})

test('backups that could not be read again say as of when they are, until they are read', async () => {
  const { user, api } = open({})
  await user.click(await screen.findByRole('button', { name: /^Backed up/ }, LIMIT))
  await screen.findByText(/^Next backup/, {}, LIMIT)
  api.on(readBackups).answer(() => refuse(500, 'The folder of the backups could not be read.'))
  await user.click(screen.getByRole('button', { name: 'Back up now' }))
  await screen.findByText(
    /^The backups could not be read\. Shown as of \d\d:\d\d:\d\d UTC\.$/,
    {},
    LIMIT,
  )
  expect(rowsOf()).toHaveLength(1)
  api.on(readBackups).answer(() => ({ status: true, data: STATE }))
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(screen.queryByText(/Shown as of/)).toBeNull(), LIMIT)
})

test('backups are sorted by size, those that were not made last', async () => {
  const small = { ...MADE, id: 's', bytes: 1_000_000 }
  const failed = { ...MADE, id: 'f', bytes: null, fault: 'The disk is full.' }
  const { user } = open({ backups: [failed, MADE, small] })
  await user.click(await screen.findByRole('button', { name: /^Last backup failed/ }, LIMIT))
  await user.click(await screen.findByRole('button', { name: 'Result' }, LIMIT))
  const head = screen.getByRole('columnheader', { name: 'Result' })
  expect(head.getAttribute('aria-sort')).toBe('ascending')
  const results = rowsOf().map(
    (row) => /1\.0 MB|12\.3 MB|The disk is full/.exec(row.textContent)?.[0],
  )
  expect(results).toEqual(['1.0 MB', '12.3 MB', 'The disk is full'])
})
