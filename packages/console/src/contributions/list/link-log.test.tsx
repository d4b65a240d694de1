import { screen, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { afterEach, expect, test } from 'vitest'
import { refuse } from '../../test/fake-api.ts'
import { inputOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openContributions } from '../contributions.fixture.ts'

afterEach(resetConsole)

const LOG = ['[INFO] connected', '[WARN] late packet', '[ERROR] no route'].join('\n')

async function openLog(parts: Partial<Input>) {
  const { api, row, user } = await openContributions({
    inputs: [inputOf('a', parts)],
    prepare: (fake) => fake.on(contributionAction).answer(() => ({ status: true, results: LOG })),
  })
  await user.click(within(await row('Input a')).getByRole('button', { name: 'Log of Input a' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Input log' }))
  const lines = () => dialog.queryAllByRole('listitem').map((line) => line.textContent)
  await waitFor(() => expect(lines()).not.toEqual([]))
  return { api, dialog, lines, user }
}

const rist = (logLevel: 1 | 2 | 3): Partial<Input> => ({
  inputType: 'RIST',
  config: { ...inputOf('a').config, logLevel },
})

const ERROR = 'errorno route'
const WARNING = 'warnlate packet'
const INFO = 'infoconnected'

test('a log that could not be read again says as of when it is', async () => {
  const { api, dialog, lines, user } = await openLog({ inputType: 'SRT' })
  api.on(contributionAction).answer(() => refuse(502, 'Gateway 1 is unreachable.'))
  await user.click(dialog.getByRole('button', { name: 'Read the log again' }))
  await dialog.findByText(/^The log could not be read\. Shown as of \d\d:\d\d:\d\d UTC\.$/)
  expect(lines()).toEqual([INFO, WARNING, ERROR])
})

test.each([
  [1, [ERROR]],
  [2, [WARNING, ERROR]],
  [3, [INFO, WARNING, ERROR]],
] as const)('IN-FORM-10 Q171 the log of a RIST input of level %i', async (level, shown) => {
  const { lines } = await openLog(rist(level))
  expect(lines()).toEqual(shown)
})

test('IN-FORM-10 Q203 what the level hides is counted, and all of it can be shown', async () => {
  const { dialog, lines, user } = await openLog(rist(1))
  dialog.getByText('2 of 3 lines hidden: only errors are shown.')
  await user.click(dialog.getByRole('button', { name: 'Show all lines' }))
  expect(lines()).toEqual([INFO, WARNING, ERROR])
  expect(dialog.queryByText(/hidden/)).toBeNull()
  await user.selectOptions(dialog.getByLabelText('Lines shown'), 'Errors, warnings')
  expect(lines()).toEqual([WARNING, ERROR])
})

test('Q171 the level is of RIST: the log of an SRT input shows all lines', async () => {
  const { lines } = await openLog({ inputType: 'SRT' })
  expect(lines()).toEqual([INFO, WARNING, ERROR])
})
