import { screen, waitFor } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { askOnAir } from '@trunkline/contract/on-air/on-air.calls'
import { afterEach, expect, test } from 'vitest'
import { inputOf, linkStatusOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openForm, PATHS } from './link-form.fixture.ts'

afterEach(resetConsole)

test('Save and restart asks once about what is on air; the restart carries the title', async () => {
  const effect = { kind: 'channel' as const, id: 'c', title: 'News', effect: 'dark' as const }
  const { type, press, api, saves, user } = await openForm(PATHS.input, {
    inputs: [inputOf('a', { outputIds: ['x'] })],
    programs: [linkStatusOf('input', 'a')],
  })
  const refusal = { effects: [effect], more: 0, hidden: 0, mayOverride: false }
  api.on(askOnAir).answer(() => ({ status: true, data: refusal }))
  await type('Latency', '400')
  await screen.findByText(/TARGET STATUS: CONNECTED/)
  await press('Save and restart')
  await user.type(await screen.findByLabelText('Type News to interrupt it'), 'News')
  await user.click(screen.getByRole('button', { name: 'Restart input' }))
  await waitFor(() => expect(api.askedOf(contributionAction)).toHaveLength(1))
  expect(saves()).toHaveLength(1)
  expect(api.askedOf(contributionAction)[0]?.headers.get('x-trunkline-on-air')).toBe('News')
})
