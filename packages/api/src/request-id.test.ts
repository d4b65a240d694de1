import { health } from '@trunkline/contract/fleet/fleet.calls'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { listOnAir } from '@trunkline/contract/on-air/on-air.calls'
import { expect, test, vi } from 'vitest'
import { currentRequestId } from './request-id.ts'
import { inject } from './testing/inject.ts'
import { openTestApp } from './testing/test-app.ts'
import { addTestEncoder, openTestSite } from './testing/test-site.ts'

const ID = /^[0-9a-f]{12}$/

test('each answer says the name of its request, also one that fails before it is understood', async () => {
  await using site = await openTestSite()
  const first = await inject(site.app, health, '', {})
  const second = await inject(site.app, health, '', {})
  const unreadable = await site.app.inject({ url: '/api/%zz' })
  const ids = [first, second, unreadable].map(({ headers }) => String(headers['x-request-id']))
  for (const id of ids) expect(id).toMatch(ID)
  expect(new Set(ids).size).toBe(3)
})

test('a command of a person reaches the host with the name of its request', async () => {
  await using site = await openTestSite()
  const { id } = await addTestEncoder(site, 0)
  const { headers } = await site.call('admin', controlEncoder, {
    params: { id },
    body: { data: { name: 'encoder0', command: 'start' } },
  })
  expect([...site.encoderHost.requestIds]).toContain(headers['x-request-id'])
  expect(currentRequestId()).toBeUndefined()
})

test('a failure of ours is logged with the name that its answer has', async () => {
  await using site = await openTestApp()
  vi.spyOn(site.ctx.onAir, 'open').mockImplementation(() => {
    throw new Error('planted')
  })
  const { admin } = site.people
  const { status, headers } = await inject(site.app, listOnAir, admin.token, { query: {} })
  expect(status).toBe(500)
  expect(site.logged).toContainEqual(
    expect.objectContaining({ requestId: headers['x-request-id'], call: 'GET /api/on-air' }),
  )
})
