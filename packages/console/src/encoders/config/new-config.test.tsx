import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { resetConsole } from '../../test/render-console.tsx'
import { encoderOf } from '../../test/samples.ts'
import { HOST, openConfig, STOPPED } from './config-page.fixture.ts'

afterEach(resetConsole)

async function valueOf(field: (label: string) => Promise<HTMLElement>, label: string) {
  const element = await field(label)
  return element instanceof HTMLInputElement || element instanceof HTMLSelectElement
    ? element.value
    : ''
}

test('CFG-12 CFG-13 CFG-36 a new configuration begins on a card, port and PIDs that its host has free', async () => {
  const encoder = encoderOf('a', { config: null, title: 'New camera' })
  const taken = [{ cardIdx: 0, title: 'Camera b' }]
  const proposed = { cardIdx: 1, targetPort: 5002, videoPid: 513, audioPid: 4113, pmtPid: 257 }
  const host = { ...HOST, taken, proposed }
  const { field, press, saves } = await openConfig({ encoder, host, status: STOPPED })
  await waitFor(async () => expect(await valueOf(field, 'Card index')).toBe('1'))
  expect(screen.queryByText(/Card 0 belongs to/)).toBeNull()
  await press('Save')
  await waitFor(() => expect(saves()).toHaveLength(1))
  expect(saves()).toMatchObject([
    {
      config: {
        'card-idx': 1,
        'video-stream': { pid: 513 },
        'audio-stream': { pid: 4113 },
        muxer: { 'pmt-pid': 257, 'pcr-pid': 513 },
        output: [{ target: 'udp://127.0.0.1:5002?ttl=12' }],
      },
    },
  ])
})

test('Q78 a preset that needs more than the mux rate is reported, and corrected by one click', async () => {
  const encoder = encoderOf('a', { config: null, title: 'New camera' })
  const { press, openTab, field } = await openConfig({ encoder, status: STOPPED })
  await screen.findByText(/need a mux rate of 4,881,121 bit\/s/)
  await press('Set mux rate to 4,881,121')
  expect(screen.queryByText(/need a mux rate of/)).toBeNull()
  await openTab(/^Mux/)
  expect(await valueOf(field, 'TS muxrate')).toBe('4881121')
})
