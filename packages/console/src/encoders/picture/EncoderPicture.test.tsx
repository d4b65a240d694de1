import { act, waitFor, within } from '@testing-library/react'
import { readThumbnail } from '@trunkline/contract/encoders/encoder.calls'
import { afterEach, expect, test, vi } from 'vitest'
import type { FakeApi } from '../../test/fake-api.ts'
import { makeFakePainting } from '../../test/fake-painting.ts'
import { makeFakeSight } from '../../test/fake-sight.ts'
import { FOUND_WITHIN_MS } from '../../test/limits.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { encoderOf, statusOf } from '../../test/samples.ts'
import { openDashboard, STOPPED } from '../dashboard/dashboard.fixture.ts'

afterEach(resetConsole)

/** The encoder's own newest picture, taken when it is asked for. */
function givePictures(api: FakeApi): void {
  api.on(readThumbnail).answer(({ path }) => ({
    status: true,
    data: { jpegBase64: btoa(path), takenAtMs: Date.now() },
  }))
}

function pathsOf(api: FakeApi): string[] {
  return api.askedOf(readThumbnail).map(({ path }) => path)
}

test('a visible card shows the newest picture and its age; a card out of view requests none', async () => {
  const painting = makeFakePainting()
  const sight = makeFakeSight()
  const { card, api } = await openDashboard({
    encoders: [encoderOf('a'), encoderOf('b')],
    programs: [statusOf('a'), statusOf('b')],
    prepare: givePictures,
  })
  const shown = await card('Camera a')
  await within(await card('Camera b')).findByText('Running')
  expect(pathsOf(api)).toEqual([])
  act(() => sight.set(shown, true))
  const picture = await within(shown).findByRole('img', { name: 'Picture of Camera a' })
  await waitFor(() => expect(painting.on(picture)).toBe('/api/encoder/thumbnail/a'))
  expect(shown.textContent).toMatch(/\d s/)
  expect(pathsOf(api)).toEqual(['/api/encoder/thumbnail/a'])
})

test('only a newer picture is requested; without one the old picture stays', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const painting = makeFakePainting()
  const sight = makeFakeSight()
  const takenAtMs = Date.now()
  const { card, api } = await openDashboard({
    programs: [statusOf('a')],
    prepare: (fake) =>
      fake.on(readThumbnail).answer(({ query }) => ({
        status: true,
        data: query.get('after') === '0' ? { jpegBase64: 'AAAA', takenAtMs } : null,
      })),
  })
  const shown = await card('Camera a')
  await within(shown).findByText('Running')
  act(() => sight.set(shown, true))
  const picture = await within(shown).findByRole('img', { name: 'Picture of Camera a' })
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1000)
    expect(pathsOf(api)).toHaveLength(2)
  }, FOUND_WITHIN_MS)
  const asked = api.askedOf(readThumbnail).map(({ query }) => query.get('after'))
  expect(asked).toEqual(['0', String(takenAtMs)])
  expect(painting.on(picture)).toBe(atob('AAAA'))
  act(() => sight.set(shown, false))
  const before = pathsOf(api).length
  await vi.advanceTimersByTimeAsync(10_000)
  expect(pathsOf(api)).toHaveLength(before)
})

test('an encoder that stops loses its picture; if its host is silent the picture turns grey', async () => {
  const sight = makeFakeSight()
  const { card, api } = await openDashboard({
    programs: [statusOf('a')],
    prepare: givePictures,
  })
  const shown = await card('Camera a')
  await within(shown).findByText('Running')
  act(() => sight.set(shown, true))
  await within(shown).findByRole('img', { name: 'Picture of Camera a' })
  api.stream.push({ event: 'program', data: statusOf('a', { state: 'unreachable' }) })
  await within(shown).findByText(/^Last picture \d\d:\d\d:\d\d$/)
  within(shown).getByRole('img', { name: /^Last picture .* of Camera a$/ })
  api.stream.push({ event: 'program', data: statusOf('a', STOPPED) })
  await within(shown).findByText(/^Not running for /)
  expect(within(shown).queryByRole('img', { name: /picture/i })).toBeNull()
})

test.each([
  ['manager', 'the way to fill it', '/dashboard/editEncoder/a'],
  ['monitor', 'no more', null],
] as const)('DASH-25 not configured: an empty frame, and for a %s %s', async (role, _, address) => {
  const sight = makeFakeSight()
  const { card, api } = await openDashboard({
    role,
    encoders: [encoderOf('a', { config: null })],
    prepare: givePictures,
  })
  const shown = await card('Camera a')
  act(() => sight.set(shown, true))
  await within(shown).findByText('No picture yet')
  const link = within(shown).queryByRole('link', { name: 'Configure Camera a' })
  expect(link?.getAttribute('href') ?? null).toBe(address)
  expect(pathsOf(api)).toEqual([])
})

test('pictures that cannot be read leave the card unchanged', async () => {
  const sight = makeFakeSight()
  const { card, api } = await openDashboard({ programs: [statusOf('a')] })
  const shown = await card('Camera a')
  await within(shown).findByText('Running')
  act(() => sight.set(shown, true))
  await waitFor(() => expect(pathsOf(api)).toHaveLength(1))
  await within(shown).findByText('No picture')
  within(shown).getByRole('button', { name: 'Stop Camera a' })
})
