import { screen, within } from '@testing-library/react'
import {
  cancelLinkTest,
  type LinkTest,
  readLinkTest,
  readLinkTestHost,
  startLinkTest,
  type TestedDirection,
} from '@trunkline/contract/link-tests/link-test.calls'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { type FakeApi, refuse } from '../../test/fake-api.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { hostOf, serverOf } from '../../test/place.samples.ts'
import { renderConsole, resetConsole } from '../../test/render-console.tsx'

afterEach(resetConsole)

const OUT: TestedDirection = {
  sentPackets: 11_398,
  receivedPackets: 11_170,
  sentKbps: 8000,
  receivedKbps: 7840,
  lossPercent: 2.0003,
  duplicates: 0,
  reordered: 3,
  jitterMs: 0.4,
  droppedByHost: 0,
  rttMs: { samples: 155, median: 20, p95: 24, highest: 31 },
  needed: { latencyMs: 100, multiplier: 4 },
}
const DONE: LinkTest = { state: 'done', elapsedMs: 30_000, findings: [], out: OUT, back: OUT }
const SENDING: LinkTest = {
  ...DONE,
  state: 'out',
  elapsedMs: 6200,
  out: { ...OUT, needed: null },
  back: null,
}
const STARTED = {
  id: '0f'.repeat(16),
  fromKind: 'server',
  fromId: 'a',
  toServerId: 'b',
  address: '203.0.113.21',
  port: 6000,
  rateKbps: 8000,
  durationS: 30,
} as const

/** The dialog from the row of server a, with server b chosen. */
async function openTest(now: () => LinkTest, prepare: (api: FakeApi) => void = () => undefined) {
  const servers = [serverOf('a'), serverOf('b'), serverOf('m', { serverType: 'channel' })]
  const scene = renderConsole({
    path: '/dashboard/server',
    role: 'admin',
    prepare: (api) => {
      api.on(listServers).answer(({ query }) => {
        const type = query.get('type') ?? 'all'
        const data = servers.filter((row) => ['all', row.serverType].includes(type))
        return { status: true, data, total: data.length }
      })
      api.on(readLinkTestHost).answer(({ path }) => {
        const id = path.split('/').at(-1) ?? ''
        const addresses = ['203.0.113.21', '10.0.0.21']
        return { status: true, data: { title: `Server ${id}`, addresses, unable: '' } }
      })
      api.on(startLinkTest).answer(() => ({ status: true, data: STARTED }))
      api.on(readLinkTest).answer(() => ({ status: true, data: now() }))
      api.on(cancelLinkTest).answer(() => ({ status: true, id: STARTED.id }))
      prepare(api)
    },
  })
  await vi.waitFor(() => expect(scene.api.stream.isConnected()).toBe(true), { timeout: 20_000 })
  scene.api.stream.push(snapshotOf({ hosts: servers.map(({ id }) => hostOf(id)) }))
  const { user } = scene
  await user.click(await screen.findByRole('button', { name: 'Test a link from Server a' }))
  const dialog = await screen.findByRole('dialog', { name: 'Test a link' })
  const shown = within(dialog)
  const to = shown.getByRole('combobox', { name: 'To server' })
  await user.selectOptions(to, await within(to).findByRole('option', { name: 'Server b' }))
  await shown.findByText(/^Sends UDP packets at 8,000 kbit\/s for 15 s from Server a to Server b/)
  return { ...scene, shown }
}

async function start({ user, shown }: Awaited<ReturnType<typeof openTest>>) {
  await user.click(shown.getByRole('button', { name: 'Start test' }))
  await screen.findByText('UDP 203.0.113.21:6000')
  return within(screen.getByRole('dialog', { name: 'Test a link' }))
}

test('a media server cannot test, and its button says why', async () => {
  await openTest(() => DONE)
  const button = screen.getByRole('button', { name: 'Test a link from Server m', hidden: true })
  expect(button.getAttribute('aria-disabled')).toBe('true')
})

test('a test is started as asked, and shows what each direction needs', async () => {
  const scene = await openTest(() => DONE)
  const { api, user, shown } = scene
  await user.selectOptions(shown.getByRole('combobox', { name: 'Address to reach' }), '10.0.0.21')
  await user.type(shown.getByRole('textbox', { name: 'UDP port' }), '6010')
  const result = await start(scene)
  const out = within(await result.findByRole('region', { name: 'Server a to Server b' }))
  await out.findByText('Set a latency of 100 ms or more')
  for (const text of [
    '7,840 kbit/s, 11,170 packets',
    '2.00 %',
    'median 20 ms, 95th percentile 24 ms, highest 31 ms',
    /RTT × 4 at this loss/,
  ]) {
    out.getByText(text)
  }
  result.getByText('Finished')
  expect(api.askedOf(startLinkTest).map(({ body }) => body)).toEqual([
    {
      fromKind: 'server',
      fromId: 'a',
      toServerId: 'b',
      address: '10.0.0.21',
      port: '6010',
      rateKbps: '8000',
      durationS: '30',
    },
  ])
  await user.click(result.getByRole('button', { name: 'Done' }))
  expect(api.askedOf(cancelLinkTest)).toEqual([])
})

test('progress is read until the end, and closing the dialog cancels a test that runs', async () => {
  let now = SENDING
  const scene = await openTest(() => now)
  const result = await start(scene)
  await result.findByText('Sending: 6 of 30 s')
  expect(result.getByRole('progressbar').getAttribute('value')).toBe('6200')
  result.getByText('Not tested yet.')
  now = { ...SENDING, state: 'back', elapsedMs: 21_000 }
  await result.findByText('Sending back: 21 of 30 s', {}, { timeout: 20_000 })
  await scene.user.click(result.getByRole('button', { name: 'Cancel test' }))
  await vi.waitFor(() => expect(scene.api.askedOf(cancelLinkTest)).toHaveLength(1), {
    timeout: 20_000,
  })
})

test('a failed test says what to do, and can be started again with the same settings', async () => {
  const sentence = 'No packets arrived on UDP port 6000 of Server b: open it in the firewall.'
  const scene = await openTest(() => ({
    ...DONE,
    state: 'failed',
    elapsedMs: 0,
    findings: [sentence],
    out: null,
    back: null,
  }))
  const result = await start(scene)
  await result.findByText(sentence)
  await scene.user.click(result.getByRole('button', { name: 'Test again…' }))
  const again = await screen.findByRole('combobox', { name: 'To server' })
  expect((again as HTMLSelectElement).value).toBe('b')
})

test('an end that cannot test is the reason why the test cannot be started', async () => {
  const unable = 'The host agent of Server b is of an older version that cannot test links.'
  const { user, shown } = await openTest(
    () => DONE,
    (api) =>
      api.on(readLinkTestHost).answer(({ path }) => {
        const id = path.split('/').at(-1) ?? ''
        const data = { title: `Server ${id}`, addresses: [], unable: id === 'b' ? unable : '' }
        return { status: true, data }
      }),
  )
  const button = shown.getByRole('button', { name: 'Start test' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await user.hover(button)
  await screen.findByText(unable)
})

test('what the API refuses is shown at its field', async () => {
  const scene = await openTest(
    () => DONE,
    (api) =>
      api
        .on(startLinkTest)
        .answer(() => refuse(409, 'Port 6000 is taken by input Main. Choose another.')),
  )
  await scene.user.click(scene.shown.getByRole('button', { name: 'Start test' }))
  await scene.shown.findByText('Port 6000 is taken by input Main. Choose another.')
  expect(scene.api.askedOf(readLinkTest)).toEqual([])
})
