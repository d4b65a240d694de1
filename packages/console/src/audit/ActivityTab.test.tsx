import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { listAudit } from '@trunkline/contract/audit/audit.calls'
import type { AuditEntry } from '@trunkline/contract/audit/audit.schema'
import { afterEach, expect, test, vi } from 'vitest'
import { Providers } from '../app/providers.tsx'
import { invalidateMissed, makeQueryClient } from '../lib/query-client.ts'
import { lineOf } from '../test/audit.samples.ts'
import { makeFakeApi, refuse, type Asked } from '../test/fake-api.ts'
import { makeRouterAt, RouterAt } from '../test/render-at.tsx'
import { resetConsole } from '../test/render-console.tsx'
import { useActivityFilter } from './activity-filter.hook.ts'
import { ActivityTab, ActivityTools } from './ActivityTab.tsx'

afterEach(resetConsole)

const BEGIN_MS = Date.parse('2026-11-20T08:00:00Z')
const NOON_MS = Date.parse('2026-11-20T12:00:00Z')

/** Oldest first; one a second. */
function linesOf(count: number): AuditEntry[] {
  return Array.from({ length: count }, (_, index) =>
    lineOf(`line-${index}`, {
      at: new Date(BEGIN_MS + index * 1000).toISOString(),
      object: { kind: 'group', _id: `g-${index}`, title: `Group ${index}` },
      call: 'groups.update',
    }),
  )
}

/** As the API answers: newest first, from that moment on and before that one, paged. */
function replyOf(lines: readonly AuditEntry[], { query }: Asked) {
  const of = (name: string) => query.get(name) ?? ''
  const matching = lines
    .filter(
      (line) =>
        (of('from') === '' || line.at >= of('from')) &&
        (of('to') === '' || line.at < of('to')) &&
        (of('result') === '' || line.result === of('result')) &&
        (of('objectKind') === '' || line.object?.kind === of('objectKind')) &&
        (line.object?.title ?? '').includes(of('searchText')),
    )
    .toReversed()
  const size = Number(of('rowsPerPage'))
  const first = Number(of('page')) * size
  return {
    status: true as const,
    data: matching.slice(first, first + size),
    total: matching.length,
  }
}

function Harness() {
  const filter = useActivityFilter(true)
  return (
    <>
      <ActivityTools filter={filter} />
      <ActivityTab filter={filter} />
    </>
  )
}

function open(lines: AuditEntry[]) {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON_MS })
  const api = makeFakeApi()
  api.on(listAudit).answer((asked) => replyOf(lines, asked))
  const router = makeRouterAt('/', () => <Harness />)
  const client = makeQueryClient()
  render(
    <Providers queryClient={client} nonce="">
      <RouterAt router={router} />
    </Providers>,
  )
  const row = async (title: string) =>
    screen.findByRole('row', { name: new RegExp(`\\b${title}\\b`) })
  const lists = () =>
    api
      .askedOf(listAudit)
      .map(({ query }) => Object.fromEntries(query))
      .filter((query) => query['rowsPerPage'] !== '1')
  return { api, client, router, row, lists, user: userEvent.setup() }
}

/** The operator comes back to this window: what is asked every few seconds is asked at once. */
function comeBack(): void {
  fireEvent(document, new Event('visibilitychange', { bubbles: true }))
}

const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)

test('T20 a line says when, who, what, to what, with which result, from where and why', async () => {
  const { row } = open([
    lineOf('a', {
      at: '2026-11-20T11:55:10Z',
      call: 'groups.remove',
      object: { kind: 'group', _id: 'g', title: 'Sports North' },
      result: 'refused',
      reason: 'It still has members.',
    }),
  ])
  const shown = await row('Delete group')
  for (const head of ['When', 'Who', 'What', 'Object', 'Result', 'From', 'Details']) {
    screen.getByRole('columnheader', { name: head })
  }
  expect(cells(shown)).toEqual([
    '',
    '11:55:104 min ago',
    'Night Deskadmin',
    'GroupSports North',
    'Refused',
    '192.0.2.7',
    'It still has members.',
  ])
  within(shown).getByRole('rowheader', { name: 'Delete group' })
})

test('the date is shown if it is not today, and an object without a title shows its id', async () => {
  const { row } = open([
    lineOf('a', {
      at: '2026-11-18T11:55:10Z',
      object: { kind: 'encoder', _id: 'enc-77', title: '' },
      actor: null,
      ip: '',
    }),
  ])
  expect(cells(await row('enc-77'))).toEqual([
    '',
    '2026-11-1811:55:102 d ago',
    'System',
    'Encoderenc-77',
    'Done',
    '–',
    '',
  ])
})

test('T20 a line summarises the change, and shows all of it when opened', async () => {
  const title = 'The long title of an input that no column has room for'
  const { row, user } = open([
    lineOf('a', {
      call: 'inputs.setStatus',
      object: { kind: 'input', _id: 'i', title },
      before: { isEnabled: true },
      after: { isEnabled: false },
    }),
    lineOf('b', { before: { title: 'Old', port: 1 }, after: { title: 'New', port: 2 } }),
  ])
  const disabled = await row('Disabled input')
  within(await row('Camera 1')).getByText('Title, Port')
  await user.click(within(disabled).getByRole('button', { name: /^Expand/ }))
  expect(screen.getByText(`${title} (Input i)`)).toBeDefined()
  expect(screen.getAllByText('Disabled input')).toHaveLength(2)
})

test('on a phone the filters stand behind one button, which says how many are set', async () => {
  const { row, user } = open([lineOf('a')])
  await row('Camera 1')
  const button = screen.getByRole('button', { name: 'Object, result, period', hidden: true })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  await user.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  await user.selectOptions(screen.getByLabelText('Result'), 'Refused')
  expect(screen.getByRole('button', { name: 'Object, result, period 1', hidden: true })).toBe(
    button,
  )
})

test('T20 a row opens to what differs, and closes; arrows do the same', async () => {
  const { row, user } = open([
    lineOf('a', {
      before: { title: 'Old', apiKey: '***', port: 8000 },
      after: { title: 'New', apiKey: '***', port: 8000 },
    }),
  ])
  const expander = within(await row('Camera 1')).getByRole('button', { name: /^Expand/ })
  await user.click(expander)
  const differences = screen.getByRole('table', { name: 'Before and after' })
  const lines = within(differences)
    .getAllByRole('row')
    .map((row) => row.textContent)
  expect(lines).toEqual(['FieldBeforeAfter', 'TitleOldNew'])
  screen.getByText('2 fields not changed.')
  screen.getByText('encoders.update')
  await user.keyboard('{ArrowLeft}')
  expect(screen.queryByRole('table', { name: 'Before and after' })).toBeNull()
  await user.keyboard('{ArrowRight}')
  screen.getByRole('table', { name: 'Before and after' })
})

test('a line without content says so when it is opened', async () => {
  const { row, user } = open([lineOf('a')])
  await user.click(within(await row('Camera 1')).getByRole('button', { name: /^Expand/ }))
  expect(screen.getByText('No content was recorded with this line.')).toBeDefined()
})

test('search, kind, result and period filter at the API and start at the first page', async () => {
  const { row, user, lists } = open(linesOf(30))
  await row('Group 29')
  await user.click(screen.getByRole('button', { name: /next page/i }))
  await row('Group 0')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Object' }), 'Group')
  await row('Group 29')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Result' }), 'Done')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'Today')
  await user.type(screen.getByRole('searchbox', { name: 'Search activity' }), 'Group 17')
  await waitFor(() =>
    expect(lists().at(-1)).toEqual({
      searchText: 'Group 17',
      objectKind: 'group',
      result: 'done',
      from: '2026-11-20T00:00:00.000Z',
      to: '',
      page: '0',
      rowsPerPage: '24',
    }),
  )
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
})

test('a custom period of days, and an error when From is later than To', async () => {
  const { row, user, lists, router } = open(linesOf(3))
  await row('Group 2')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'From … to …')
  fireEvent.change(screen.getByLabelText('From', { exact: true }), {
    target: { value: '2026-11-20' },
  })
  fireEvent.change(screen.getByLabelText('To', { exact: true }), {
    target: { value: '2026-11-21' },
  })
  await waitFor(() =>
    expect(lists().at(-1)).toMatchObject({
      from: '2026-11-20T00:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
    }),
  )
  expect(router.state.location.search).toMatchObject({
    period: 'days',
    from: '2026-11-20',
    to: '2026-11-21',
  })
  fireEvent.change(screen.getByLabelText('To', { exact: true }), {
    target: { value: '2026-11-19' },
  })
  await screen.findByText('From is later than To. Choose an earlier From or a later To.')
})

test('T20 new lines are counted, and shown on top on request', async () => {
  const lines = linesOf(30)
  const { row, user, lists } = open(lines)
  await row('Group 29')
  const asked = lists().length
  lines.push(...linesOf(32).slice(30))
  comeBack()
  const fresh = await screen.findByRole('button', { name: 'Show 2 new lines' })
  expect(lists()).toHaveLength(asked)
  expect(screen.queryByRole('row', { name: /Group 31\b/ })).toBeNull()
  await user.click(fresh)
  const first = await row('Group 31')
  expect(screen.queryByRole('button', { name: /new line/ })).toBeNull()
  await waitFor(() =>
    expect(document.activeElement).toBe(within(first).getByRole('button', { name: /^Expand/ })),
  )
})

test('T20 the lines stay as they were read when the live stream is back; new lines are counted', async () => {
  const lines = linesOf(30)
  const { client, row, lists } = open(lines)
  await row('Group 29')
  const asked = lists().length
  lines.push(...linesOf(32).slice(30))
  await invalidateMissed(client)
  await screen.findByRole('button', { name: 'Show 2 new lines' })
  expect(lists()).toHaveLength(asked)
  expect(screen.queryByRole('row', { name: /Group 31\b/ })).toBeNull()
})

test('later pages fit the first page although lines are added meanwhile', async () => {
  const lines = linesOf(30)
  const { row, user } = open(lines)
  await row('Group 29')
  lines.push(...linesOf(40).slice(30))
  await user.click(screen.getByRole('button', { name: /next page/i }))
  await row('Group 5')
  expect(screen.queryByRole('row', { name: /Group 6\b/ })).toBeNull()
  comeBack()
  await user.click(await screen.findByRole('button', { name: 'Show 10 new lines' }))
  await row('Group 39')
})

test('ERR-03 a failure is said in place, and can be tried again', async () => {
  const { api, row, user } = open(linesOf(1))
  await row('Group 0')
  api.on(listAudit).answer(() => refuse(500, 'no'))
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByText(/^The record of activity could not be read. Shown as of/)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Result' }), 'Failed')
  await screen.findByText('The record of activity could not be read.')
  api.on(listAudit).answer((asked) => replyOf([lineOf('a', { result: 'failed' })], asked))
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await row('Camera 1')).toBeDefined()
})

test('an empty list, and a list without matches, which can be cleared', async () => {
  const lines: AuditEntry[] = []
  const { row, user } = open(lines)
  await screen.findByText('Nothing is recorded yet')
  lines.push(...linesOf(1))
  await row('Group 0')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Result' }), 'Failed')
  await screen.findByText('Nothing matches these filters')
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  await row('Group 0')
  expect(screen.getByRole('combobox', { name: 'Result' })).toHaveProperty('value', '')
})
