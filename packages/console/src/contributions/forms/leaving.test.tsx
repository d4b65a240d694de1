import { screen, waitFor, within } from '@testing-library/react'
import { updateInput } from '@trunkline/contract/contributions/input.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { afterEach, expect, test } from 'vitest'
import { type FakeApi, refuseOddly } from '../../test/fake-api.ts'
import { inputOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openForm, PATHS } from './link-form.fixture.ts'

afterEach(resetConsole)

const SENTENCE = 'Somebody else has saved this input since you opened it.'

test('Q89 leaving with unsaved changes asks, and not without', async () => {
  const { type, user, answer, pathname, valueOf, api } = await openForm(PATHS.input)
  await type('Latency', '400')
  const back = within(screen.getByRole('main')).getByRole('link', { name: 'Contributions' })
  await user.click(back)
  await answer('Stay here')
  expect(pathname()).toBe(PATHS.input)
  expect(await valueOf('Latency')).toBe('400')
  expect(api.askedOf(updateInput)).toEqual([])
  await type('Latency', '300')
  await user.click(back)
  await waitFor(() => expect(pathname()).toBe('/dashboard/contribution'))
  // The first question may still be fading away.
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('Q89 leaving an untouched new form does not ask; offered values are not changes', async () => {
  const { user, pathname, valueOf } = await openForm(PATHS.newInput)
  await waitFor(async () => expect(await valueOf('Multicast')).not.toBe(''))
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Contributions' }))
  await waitFor(() => expect(pathname()).toBe('/dashboard/contribution'))
})

test('Discard asks, and shows what is saved again', async () => {
  const { type, press, answer, valueOf } = await openForm(PATHS.input)
  await type('Latency', '400')
  await press('Discard')
  await answer('Discard')
  await waitFor(async () => expect(await valueOf('Latency')).toBe('300'))
})

test('DLG-14 two clicks are one save', async () => {
  const answered = Promise.withResolvers<void>()
  const { type, press, saves, pathname } = await openForm(PATHS.input, {
    prepare: (api) =>
      api.on(updateInput).answer(async () => {
        await answered.promise
        return { status: true, data: inputOf('a'), warnings: [] }
      }),
  })
  await type('Latency', '400')
  await press('Save')
  await press('Save')
  expect(saves()).toHaveLength(1)
  answered.resolve()
  await waitFor(() => expect(pathname()).toBe('/dashboard/contribution'))
})

function conflictOnce(api: FakeApi, theirs: Input): void {
  let isFirst = true
  api.on(updateInput).answer(() => {
    if (!isFirst) return { status: true, data: theirs, warnings: [] }
    isFirst = false
    const body = {
      status: false,
      error: SENTENCE,
      msg: SENTENCE,
      current: theirs,
      changed: ['config'],
      savedBy: 'North Desk',
    }
    return refuseOddly(409, body)
  })
}

const THEIRS = inputOf('a', {
  version: 9,
  title: 'Their title',
  config: { ...inputOf('a').config, latency: 800 },
})

function cellsOf(field: string) {
  const table = within(screen.getByRole('table', { name: 'What they changed' }))
  const row = table.getByRole('rowheader', { name: field }).closest('tr')
  return within(row ?? document.body)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)
}

test.each([
  ['Keep mine', 400],
  ['Take theirs', 800],
])('decisions 16 after a conflict %s, and nothing else is lost', async (choice, latency) => {
  const { type, press, saves, pathname } = await openForm(PATHS.input, {
    prepare: (api) => conflictOnce(api, THEIRS),
  })
  await type('Latency', '400')
  await type('TTL', '4')
  await press('Save')
  await screen.findByText('North Desk has saved this input since you opened it.')
  expect(cellsOf('Latency')).toEqual(['300 ms', '800 ms', '400 ms'])
  expect(cellsOf('Title')).toEqual(['Input a', 'Their title', 'changed by them'])
  await press('Save')
  await screen.findByText('Choose theirs or mine first.')
  expect(saves()).toHaveLength(1)
  await press(choice)
  await press('Save')
  await waitFor(() => expect(pathname()).toBe('/dashboard/contribution'))
  expect(saves()[1]).toMatchObject({
    version: 9,
    title: 'Their title',
    config: { latency, ttl: 4 },
  })
})

test('decisions 16 another operator’s save is shown at once, and untouched fields follow', async () => {
  const { type, held, api, valueOf, press } = await openForm(PATHS.input)
  await type('TTL', '4')
  held.inputs = [THEIRS]
  api.stream.push({ event: 'object', data: { kind: 'input', id: 'a', change: 'changed' } })
  await screen.findByText(SENTENCE)
  expect(await valueOf('Latency')).toBe('800')
  expect(await valueOf('TTL')).toBe('4')
  await press('Understood')
  expect(screen.queryByText(SENTENCE)).toBeNull()
})

test('a save that conflicts in the version only, as after enabling, is retried silently', async () => {
  const { type, press, saves, pathname } = await openForm(PATHS.input, {
    prepare: (api) => conflictOnce(api, inputOf('a', { version: 9 })),
  })
  await type('Latency', '400')
  await press('Save')
  await waitFor(() => expect(pathname()).toBe('/dashboard/contribution'))
  expect(saves()).toMatchObject([{ version: 1 }, { version: 9 }])
})
