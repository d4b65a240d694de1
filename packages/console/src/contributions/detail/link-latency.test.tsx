import { screen, within } from '@testing-library/react'
import { type LatencyAdvice, readLatencyAdvice } from '@trunkline/contract/paths/latency.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { ADVICE_FAILED } from '../../programs/latency/latency.messages.ts'
import { refuse } from '../../test/fake-api.ts'
import { LOW_ADVICE } from '../../test/latency.samples.ts'
import { inputOf, linkStatusOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openContributions } from '../contributions.fixture.ts'

afterEach(resetConsole)

async function openAdvice(data: LatencyAdvice | null, inputs = [inputOf('a')]) {
  const scene = await openContributions({
    inputs,
    programs: [linkStatusOf('input', 'a')],
    prepare: (fake) =>
      fake
        .on(readLatencyAdvice)
        .answer(() => (data === null ? refuse(500, 'no') : { status: true, data })),
  })
  await scene.row('Input a')
  await scene.user.click(screen.getByRole('button', { name: 'Expand Input a' }))
  const group = await screen.findByRole('group', { name: 'Latency of Input a' })
  return { ...scene, shown: within(group), group }
}

test('a latency that is too low is shown with evidence and rule, and opens the form with it filled in', async () => {
  const { shown, group, user, router } = await openAdvice(LOW_ADVICE)
  await shown.findByRole('heading', {
    name: 'Latency: 120 ms set, 240 ms needed by RTT 60 ms and loss 2.1 % of the last hour',
  })
  for (const text of [
    /Too low: .* Set 240 ms at this end\./,
    /SRT uses the higher latency of both ends\. 'Camera 1' at the other end has 80 ms set\./,
    /RTT: median 48 ms, 95th percentile 60 ms, highest 71 ms\. Loss: 0\.8 % of all packets, 2\.1 %/,
    /Read for 20:00 of the last hour, last .* ago/,
    /RTT × 4 at this loss, by the multipliers of the SRT Deployment Guide/,
  ]) {
    expect(group.textContent).toMatch(text)
  }
  await user.click(shown.getByRole('button', { name: 'Use 240 ms…' }))
  await vi.waitFor(() => expect(router.state.location.search).toEqual({ latency: 240 }), {
    timeout: 20_000,
  })
})

test('a right latency offers nothing to set', async () => {
  const data = {
    ...LOW_ADVICE,
    negotiatedMs: null,
    ownMs: 300,
    needed: { latencyMs: 240, multiplier: 4, verdict: 'right' as const },
  }
  const { shown, group } = await openAdvice(data)
  await shown.findByText('Right.')
  expect(group.textContent).toContain('Latency: 300 ms set')
  expect(shown.queryByRole('button')).toBeNull()
})

test('a latency far above the need names the delay, and where to set it', async () => {
  const data = {
    ...LOW_ADVICE,
    ownMs: 200,
    other: null,
    negotiatedMs: 3000,
    needed: { latencyMs: 240, multiplier: 4, verdict: 'high' as const },
  }
  const { shown } = await openAdvice(data)
  await shown.findByText(
    'Higher than needed: 2,760 ms more delay on air. Set 240 ms at the other end.',
  )
  expect(shown.queryByRole('button')).toBeNull()
})

test('RIST says which buffer counts', async () => {
  const data = { ...LOW_ADVICE, protocol: 'rist' as const, negotiatedMs: null, other: null }
  const { shown } = await openAdvice(data)
  await shown.findByText(/the receiver's buffer is the delay.* is not known here\.$/)
  expect(shown.getAllByRole('button', { name: 'Use 240 ms…' })).toHaveLength(1)
})

test('too little history says how long it takes', async () => {
  const measured = { ...LOW_ADVICE.measured, steps: 13 } as LatencyAdvice['measured']
  const { shown } = await openAdvice({ ...LOW_ADVICE, measured, needed: null })
  await shown.findByRole('heading', {
    name: /RTT was read for 2:10 of the last hour, and 5:00 with a connected peer are needed\.$/,
  })
  expect(shown.queryByRole('button')).toBeNull()
})

test('advice that cannot be read is asked for again', async () => {
  const { shown, api, user } = await openAdvice(null)
  await shown.findByText(new RegExp(`^${ADVICE_FAILED} .+`))
  api.on(readLatencyAdvice).answer(() => ({ status: true, data: LOW_ADVICE }))
  await user.click(shown.getByRole('button', { name: 'Retry' }))
  await shown.findByText(/Too low/)
  expect(shown.queryByText(/could not be read/)).toBeNull()
})

test('figures from an old reading show its age; those from a fresh one do not', async () => {
  const ageMs = 50 * 60_000
  const measured = { ...LOW_ADVICE.measured, lastAtMs: Date.now() - ageMs }
  const { shown } = await openAdvice({ ...LOW_ADVICE, measured })
  await shown.findByText(/The last RTT was read 50:0\d ago: these figures are old/)
  resetConsole()
  const fresh = { ...measured, lastAtMs: Date.now() }
  const again = await openAdvice({ ...LOW_ADVICE, measured: fresh })
  await again.shown.findByText(/Too low/)
  expect(again.shown.queryByText(/The last RTT was read/)).toBeNull()
})

test('advice that could not be read again stays, as of when it was read', async () => {
  const { api, shown } = await openAdvice(LOW_ADVICE)
  await shown.findByText(/Too low/)
  api.on(readLatencyAdvice).answer(() => refuse(500, 'no'))
  // Whoever comes back to the window reads it again.
  window.dispatchEvent(new Event('visibilitychange'))
  await shown.findByText(/The advice on latency could not be read\. Shown as of/)
  expect(shown.queryByText(/Too low/)).not.toBeNull()
})
