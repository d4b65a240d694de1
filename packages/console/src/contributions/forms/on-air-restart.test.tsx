import { screen, waitFor } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { updateInput } from '@trunkline/contract/contributions/input.calls'
import { askOnAir } from '@trunkline/contract/on-air/on-air.calls'
import { afterEach, expect, test } from 'vitest'
import { inputOf, linkStatusOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openForm, PATHS } from './link-form.fixture.ts'

afterEach(resetConsole)

const effect = { kind: 'channel' as const, id: 'c', title: 'News', effect: 'dark' as const }
const refusal = { effects: [effect], more: 0, hidden: 0, mayOverride: false }

test('Save and restart asks once about what is on air; both calls carry the title', async () => {
  const { type, press, api, saves, user } = await openForm(PATHS.input, {
    inputs: [inputOf('a', { outputIds: ['x'] })],
    programs: [linkStatusOf('input', 'a')],
  })
  api.on(askOnAir).answer(() => ({ status: true, data: refusal }))
  await type('Latency', '400')
  await screen.findByText(/TARGET STATUS: CONNECTED/)
  await press('Save and restart')
  await user.type(await screen.findByLabelText('Type News to interrupt it'), 'News')
  await user.click(screen.getByRole('button', { name: 'Restart input' }))
  await waitFor(() => expect(api.askedOf(contributionAction)).toHaveLength(1))
  expect(saves()).toHaveLength(1)
  const [saved] = api.askedOf(updateInput)
  const [restarted] = api.askedOf(contributionAction)
  for (const sent of [saved, restarted]) {
    expect(sent?.headers.get('x-trunkline-on-air')).toBe('News')
  }
  const [asked] = api.askedOf(askOnAir)
  expect(asked?.body).toMatchObject({
    call: contributionAction.name,
    body: restarted?.body,
    others: [{ call: updateInput.name, params: { id: 'a' }, body: saved?.body }],
  })
})

test('Q177 saving as Local asks once: what stops, and the title of what is on air', async () => {
  const { pick, press, api, saves, user } = await openForm(PATHS.input, {
    inputs: [inputOf('a', { outputIds: ['x'] })],
    programs: [linkStatusOf('input', 'a')],
  })
  api.on(askOnAir).answer(() => ({ status: true, data: refusal }))
  await pick('Input type', 'Local')
  await press('Save')
  await user.type(await screen.findByLabelText('Type News to interrupt it'), 'News')
  await user.click(screen.getByRole('button', { name: 'Save and stop it' }))
  await waitFor(() => expect(saves()).toHaveLength(1))
  expect(api.askedOf(updateInput)[0]?.headers.get('x-trunkline-on-air')).toBe('News')
})
