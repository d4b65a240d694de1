import { waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { inputOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openForm, PATHS } from './link-form.fixture.ts'

afterEach(resetConsole)

test('the latency that the page was opened with stands in its field, is not saved, and can be edited', async () => {
  const { type, valueOf, saves } = await openForm(`${PATHS.input}?latency=240`)
  await waitFor(async () => expect(await valueOf('Latency')).toBe('240'), { timeout: 20_000 })
  expect(saves()).toEqual([])
  await type('Latency', '260')
  expect(await valueOf('Latency')).toBe('260')
})

test('a RIST link with a buffer of its own has the buffer filled in', async () => {
  const rist = inputOf('a', { inputType: 'RIST' })
  const { valueOf } = await openForm(`${PATHS.input}?bufferMin=240`, {
    inputs: [{ ...rist, config: { ...rist.config, bufferMin: 1000 } }],
  })
  await waitFor(async () => expect(await valueOf('Buffer min')).toBe('240'), { timeout: 20_000 })
  expect(await valueOf('Latency')).toBe(String(rist.config.latency))
})
