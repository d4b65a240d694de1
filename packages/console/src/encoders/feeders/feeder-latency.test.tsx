import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { LOW_ADVICE } from '../../test/latency.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { fedBy, feederOf, feederStatusOf, openFeeders } from './feeder.fixture.ts'

afterEach(resetConsole)

const SCENE = {
  encoder: fedBy([feederOf('west')]),
  programs: [feederStatusOf('west')],
  opened: 'west',
  advice: LOW_ADVICE,
}

async function openAdvice(parts: Partial<Parameters<typeof openFeeders>[0]> = {}) {
  const scene = await openFeeders({ ...SCENE, ...parts })
  const group = within(await screen.findByRole('group', { name: 'Latency of to west' }))
  await group.findByText(/Too low/)
  return { ...scene, group }
}

test('the needed latency is filled into the feeder dialog, unsaved', async () => {
  const { group, user, api } = await openAdvice()
  await user.click(group.getByRole('button', { name: 'Use 240 ms…' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Edit feeder/ }))
  const field = () => dialog.getByRole<HTMLInputElement>('textbox', { name: 'Latency' })
  await waitFor(() => expect(field().value).toBe('240'), { timeout: 20_000 })
  // What is typed afterwards counts.
  await user.clear(field())
  await user.type(field(), '260')
  expect(field().value).toBe('260')
  expect(api.asked.filter(({ method }) => method === 'PUT')).toEqual([])
})

test('whoever may not edit feeders reads the advice and is offered nothing', async () => {
  const { group } = await openAdvice({ role: 'monitor' })
  expect(group.queryByRole('button')).toBeNull()
})
