import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { linkStatusOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { OFFERED_PORT, openForm, PATHS } from './link-form.fixture.ts'

afterEach(resetConsole)

test('an input that somebody deletes meanwhile says so, keeps what was typed, and is not saved', async () => {
  const { type, press, saves, valueOf, held, api } = await openForm(PATHS.input, {
    programs: [linkStatusOf('input', 'a')],
  })
  await type('Latency', '400')
  held.inputs = []
  api.stream.push({ event: 'object', data: { kind: 'input', id: 'a', change: 'removed' } })
  await screen.findByText(/^This input was deleted or moved/)
  screen.getByText('It cannot be saved.')
  expect(await valueOf('Latency')).toBe('400')
  await press('Save')
  expect(saves()).toEqual([])
})

test('IN-FORM-05 a feeder’s own port that is taken offers the next free one at once', async () => {
  const { pick, press, valueOf } = await openForm(PATHS.newInput)
  await pick('Input type', 'aCANFeeder')
  await screen.findByText(`6000 is taken on this server; ${OFFERED_PORT} is free.`)
  await press(`Use ${OFFERED_PORT}`)
  expect(await valueOf('Port')).toBe(String(OFFERED_PORT))
})

test('Q163 errors of a field and between fields are shown together', async () => {
  const { pick, press } = await openForm(PATHS.newInput)
  await pick('Input type', 'RIST')
  await pick('Mode', 'Push (call host)')
  await press('Save')
  await screen.findByText(/^A link in mode Push needs a host/)
  expect(screen.getAllByText('This field is required')).toHaveLength(2)
})

test('Q177 saving as Local stops the program: the panel says so, and saving asks first', async () => {
  const { type, pick, press, answer, saves, openTab } = await openForm(PATHS.input, {
    programs: [linkStatusOf('input', 'a')],
  })
  await screen.findByText('Saving restarts nothing.')
  await pick('Input type', 'Local')
  await openTab(/^Input Settings/)
  screen.getByText('Saving stops its program at once.')
  expect(screen.queryByRole('button', { name: 'Save and restart' })).toBeNull()
  await type('Multicast', '239.1.2.3')
  await press('Save')
  await answer('Keep it running')
  expect(saves()).toEqual([])
  await press('Save')
  await answer('Save and stop it')
  await waitFor(() => expect(saves()).toMatchObject([{ inputType: 'Local' }]))
})

test('Q177 saving as Local asks as well while the state of the program is not known', async () => {
  const { type, pick, press, answer, saves } = await openForm(PATHS.input)
  await pick('Input type', 'Local')
  await type('Multicast', '239.1.2.3')
  await press('Save')
  await screen.findByText(/Its state is not known, and it may be running; saving stops it/)
  await answer('Keep it running')
  expect(saves()).toEqual([])
})
