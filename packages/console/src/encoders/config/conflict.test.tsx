import { screen, waitFor, within } from '@testing-library/react'
import { listEvents } from '@trunkline/contract/events/event.calls'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, test } from 'vitest'
import { resetConsole } from '../../test/render-console.tsx'
import { configSample, encoderOf } from '../../test/samples.ts'
import { answerConflictOnce, configWith, openConfig } from './config-page.fixture.ts'

afterEach(resetConsole)

const valueOf = (element: HTMLElement) => (element as HTMLInputElement).value
const THEIRS = encoderOf('a', {
  version: 9,
  config: configWith({
    title: 'Their title',
    'video-stream': { ...configSample['video-stream'], keyint: 50 },
  }),
})

const SAVED_BY_NORTH_DESK = {
  status: true as const,
  next: '',
  data: [
    {
      id: 'e1',
      at: '2026-11-20T08:00:00.000Z',
      kind: 'saved' as const,
      since: null,
      state: '',
      cause: '',
      call: 'encoders.update',
      result: 'done' as const,
      actor: 'North Desk',
    },
  ],
}

function cellsOf(field: string) {
  const table = within(screen.getByRole('table', { name: 'What they changed' }))
  const row = table.getByRole('rowheader', { name: field }).closest('tr')
  return within(row ?? document.body)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)
}

test('decisions 16 a save over another’s shows field by field what they changed, and keeps what was typed', async () => {
  const { type, press, saves, field } = await openConfig({
    prepare: (api) => answerConflictOnce(api, THEIRS),
  })
  await type('Keyint', '12')
  await press('Save')
  await screen.findByText('Somebody else has saved this encoder since you opened it.')
  expect(cellsOf('Keyint')).toEqual(['25', '50', '12'])
  expect(cellsOf('Title')).toEqual(['Demo camera', 'Their title', 'changed by them'])
  expect(valueOf(await field('Keyint'))).toBe('12')
  expect(valueOf(await field('Title'))).toBe('Their title')
  await press('Save')
  await screen.findByText('Choose theirs or mine first.')
  expect(saves()).toHaveLength(1)
})

test.each([
  ['Keep mine', 12],
  ['Take theirs', 50],
])('decisions 16 %s, then save, and nothing else is lost', async (choice, keyint) => {
  const { type, press, saves, pathname, field } = await openConfig({
    prepare: (api) => answerConflictOnce(api, THEIRS),
  })
  await type('Keyint', '12')
  await type('Threads', '3')
  await press('Save')
  await screen.findByRole('table', { name: 'What they changed' })
  await press(choice)
  expect(screen.queryByRole('table', { name: 'What they changed' })).toBeNull()
  expect(document.activeElement).toBe(await field('Keyint'))
  await press('Save')
  await waitFor(() => expect(pathname()).toBe('/'))
  expect(saves()[1]).toMatchObject({
    version: 9,
    config: { title: 'Their title', 'video-stream': { keyint, threads: 3 } },
  })
})

test('decisions 16 another operator’s save is shown at once, and untouched fields follow', async () => {
  const { type, api, held, field, press } = await openConfig()
  await type('Threads', '3')
  held.encoder = THEIRS
  api.stream.push({ event: 'object', data: { kind: 'encoder', id: 'a', change: 'changed' } })
  await screen.findByText('Somebody else has saved this encoder since you opened it.')
  expect(valueOf(await field('Keyint'))).toBe('50')
  expect(valueOf(await field('Threads'))).toBe('3')
  await press('Understood')
  expect(screen.queryByRole('table', { name: 'What they changed' })).toBeNull()
  screen.getByText('1 unsaved change')
})

test('decisions 16 the band of a refused save names who saved, to every role', async () => {
  const { type, press, api } = await openConfig({
    role: 'manager',
    prepare: (fake) => answerConflictOnce(fake, THEIRS, 'North Desk'),
  })
  await type('Keyint', '12')
  await press('Save')
  await screen.findByText('North Desk has saved this encoder since you opened it.')
  expect(api.askedOf(listEvents)).toEqual([])
})

test.each<[Role, string, number]>([
  ['admin', 'North Desk', 1],
  ['manager', 'Somebody else', 0],
])(
  'decisions 16 a save that is heard of names who saved: %s reads %s',
  async (role, who, asked) => {
    const { type, api, held } = await openConfig({
      role,
      prepare: (fake) => fake.on(listEvents).answer(() => SAVED_BY_NORTH_DESK),
    })
    await type('Threads', '3')
    held.encoder = THEIRS
    api.stream.push({ event: 'object', data: { kind: 'encoder', id: 'a', change: 'changed' } })
    await screen.findByText(`${who} has saved this encoder since you opened it.`)
    const queries = api.askedOf(listEvents).map(({ query }) => query.toString())
    expect(queries).toEqual(
      Array.from({ length: asked }, () => 'kind=encoder&id=a&show=saved&limit=1'),
    )
  },
)

test('a save that conflicts in the version only, as after saving a feeder, is retried silently', async () => {
  const { type, press, saves, pathname } = await openConfig({
    prepare: (api) => answerConflictOnce(api, encoderOf('a', { version: 9 })),
  })
  await type('Keyint', '12')
  await press('Save')
  await waitFor(() => expect(pathname()).toBe('/'))
  expect(saves()).toMatchObject([{ version: 4 }, { version: 9 }])
})
