/** What a host gets for calls, and what it reports of itself. */
import { afterEach, expect, test } from 'vitest'
import type { AppError } from '../errors.ts'
import { closeAll, faultOf, openHost, openLink, SOON_MS } from './host-link.fixture.ts'

afterEach(closeAll)

const START = { programId: 'input-a', command: 'start' } as const

test('a call that timed out is not confirmed to the host, and the message says so', async () => {
  const host = await openHost()
  host.confirmsCalls = true
  const { link, until, timing } = openLink(host.port)
  await until(() => link.status.online)
  host.silentOn.add('controlProgram')
  timing.callLimitMs = SOON_MS
  const error = await faultOf(link.call('controlProgram', START))
  expect((error as AppError).code).toBe('host_timeout')
  expect((error as AppError).message).toContain('was not carried out, and will not be')
  host.tell({ type: 'confirm', id: 1 })
  await host.confirmed(1)
  expect(host.confirmations).toEqual([{ confirmed: 1, remainingMs: 0 }])
})

test('a call that its host began with, or that an older host was sent, may have been carried out', async () => {
  const host = await openHost()
  host.confirmsCalls = true
  const { link, until } = openLink(host.port)
  await until(() => link.status.online)
  host.silentOn.add('controlProgram')
  const begun = faultOf(link.call('controlProgram', START))
  await host.asked('controlProgram')
  host.tell({ type: 'confirm', id: 1 })
  await host.confirmed(1)
  const [confirmation] = host.confirmations
  expect(confirmation?.remainingMs).toBeGreaterThan(0)
  host.confirmsCalls = false
  host.cut()
  await until(() => !link.status.online)
  await until(() => link.status.online)
  const older = faultOf(link.call('controlProgram', START))
  await host.asked('controlProgram', 2)
  host.cut()
  for (const error of [await begun, await older]) {
    expect((error as AppError).code).toBe('host_unreachable')
    expect((error as AppError).message).toContain('may have carried out the command')
  }
})

const FULL = { path: '/srv/data', freeBytes: 0, totalBytes: 20_000_000_000, state: 'full' } as const

test('a full disk is reported while the host answers, and not after it is gone', async () => {
  const host = await openHost()
  const { link, events, until } = openLink(host.port)
  await until(() => link.status.online)
  expect(link.knownHealth).toBeNull()
  host.tell({ type: 'health', health: { disk: FULL } })
  await until(() => events.some(({ type }) => type === 'health'))
  expect(link.knownHealth?.disk.state).toBe('full')
  // The same once more is no news.
  host.tell({ type: 'health', health: { disk: FULL } })
  await link.call('probePort', { port: 6000 })
  expect(events.filter(({ type }) => type === 'health')).toHaveLength(1)
  await host[Symbol.asyncDispose]()
  await until(() => !link.status.online)
  expect(link.knownHealth).toBeNull()
})

test('a host whose supervisor is silent answers a command with a timeout, in its own words', async () => {
  const host = await openHost()
  const { link, events, until } = openLink(host.port)
  await until(() => link.status.online)
  host.tell({ type: 'health', health: { disk: { ...FULL, state: 'ok' }, supervisorSilent: true } })
  await until(() => events.some(({ type }) => type === 'health'))
  expect(link.knownHealth?.supervisorSilent).toBe(true)
  host.silentOn.add('controlProgram')
  const asked = faultOf(link.call('controlProgram', START))
  await host.asked('controlProgram')
  host.tell({ type: 'failure', id: 1, failure: { code: 'timeout', message: 'Not carried out.' } })
  expect(await asked).toMatchObject({ code: 'host_timeout', message: 'Not carried out.' })
})
