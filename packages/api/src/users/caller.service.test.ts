import { addServiceToken } from '@trunkline/contract/users/api-token.calls'
import { readCaller } from '@trunkline/contract/users/caller.calls'
import { expect, test } from 'vitest'
import { inject } from '../testing/inject.ts'
import { TEST_PASSWORD } from '../testing/people.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { addTestToken, personOwner } from './api-tokens/api-token.fixture.ts'

async function callerOf(site: TestApp, token: string) {
  return (await inject(site.app, readCaller, token, {})).answer.data
}

test('T5 who is signed in reads the own account, role and groups', async () => {
  await using site = await openTestApp()
  const { northManager } = site.people
  expect(await callerOf(site, northManager.token)).toEqual({
    kind: 'person',
    id: northManager.id,
    fullName: 'Test northManager',
    email: northManager.email,
    role: 'manager',
    groups: [{ _id: site.north, title: 'North' }],
    apiToken: null,
  })
})

test('T5 a token of each scope reads whose it is, what it may do and when it expires', async () => {
  await using site = await openTestApp()
  const { northMonitor } = site.people
  const owner = await personOwner(site.ctx, northMonitor.id)
  for (const scope of ['read', 'operate', 'all'] as const) {
    const { id, text } = await addTestToken(site.ctx, owner, { scope })
    expect(await callerOf(site, text)).toMatchObject({
      kind: 'person',
      id: northMonitor.id,
      role: 'monitor',
      groups: [{ title: 'North' }],
      apiToken: { id, title: 'Script', scope },
    })
  }
})

test('T5 the token of a service reads its own role and groups, and no account', async () => {
  await using site = await openTestApp()
  const { answer } = await inject(site.app, addServiceToken, site.people.admin.token, {
    body: {
      title: 'Grafana',
      scope: 'read',
      days: 7,
      currentPassword: TEST_PASSWORD,
      role: 'monitor',
      groupIds: [site.north],
    },
  })
  const { id, expiresAt } = answer.data
  expect(await callerOf(site, answer.token)).toEqual({
    kind: 'service',
    id,
    fullName: 'Grafana',
    email: '',
    role: 'monitor',
    groups: [{ _id: site.north, title: 'North' }],
    apiToken: { id, title: 'Grafana', scope: 'read', expiresAt },
  })
})
