import { expect, test } from 'vitest'
import { allCalls } from './testing/all-calls.ts'
import { urlOf } from './testing/inject.ts'
import { openTestApp } from './testing/test-app.ts'

test('AUTH-23 without a session every call but sign-in, enrolment and health answers 401 with a sentence', async () => {
  await using test = await openTestApp()
  const params = {
    id: 'x',
    product: 'p',
    encoderId: 'x',
    feederName: 'x',
    channelId: 'x',
    contributionId: 'x',
    name: 'x',
    groupId: 'x',
  }
  const others: string[] = []
  const calls = await allCalls()
  for (const call of calls) {
    for (const path of [call.path, ...call.aliases]) {
      const url = urlOf({ ...call, path }, params)
      const { statusCode } = await test.app.inject({ method: call.method, url })
      if (statusCode !== 401) others.push(`${path} ${statusCode}`)
    }
  }
  const open = [
    '/api/health 200',
    '/api/hosts/enrol 400',
    '/api/users/login 400',
    '/api/users/loginCode 400',
    '/api/users/loginPasskey 400',
    '/api/users/loginSetUp 400',
    '/api/users/loginSetUpPasskey 400',
    '/api/users/oidc/begin 404',
    '/api/users/oidc/end 400',
    '/api/users/signInWays 200',
  ]
  expect(others.toSorted()).toEqual(open)
  expect(calls.length).toBeGreaterThan(35)
})

test.each([
  ['GET', '/api/nothing', 404, 'There is nothing at /api/nothing. Check the address.'],
  ['GET', '/api/', 404, 'There is nothing at /api/. Check the address.'],
  ['POST', '/login', 404, 'There is nothing at /login. Check the address.'],
  ['GET', `/api/encoder/${'x'.repeat(600)}`, 404, 'The address is too long.'],
  ['GET', '/api/users/login', 405, 'GET is not allowed here. Use POST.'],
  ['DELETE', '/api/servers', 405, 'DELETE is not allowed here. Use GET or POST.'],
  ['PATCH', '/api/servers/x', 405, 'PATCH is not allowed here. Use GET or PUT or DELETE.'],
] as const)('%s %s answers %i', async (method, url, status, sentence) => {
  await using test = await openTestApp()
  const answer = await test.app.inject({ method, url })
  expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([status, sentence])
  expect(answer.json()).toMatchObject({ status: false, msg: sentence, code: 'not_found' })
})

test('AUTH-19 a preflight with the tunnel’s header is answered, and lets no other origin in', async () => {
  await using test = await openTestApp()
  const answer = await test.app.inject({
    method: 'OPTIONS',
    url: '/api/contribution',
    headers: {
      origin: 'https://evil.example.org',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'ngrok-skip-browser-warning',
    },
  })
  expect(answer.statusCode).toBe(204)
  expect(answer.headers['access-control-allow-headers']).toContain('ngrok-skip-browser-warning')
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
})

test('AUTH-19 the header itself is accepted', async () => {
  await using test = await openTestApp()
  const answer = await test.app.inject({
    url: '/api/group',
    headers: {
      authorization: `Bearer ${test.people.admin.token}`,
      'ngrok-skip-browser-warning': 'true',
    },
  })
  expect(answer.statusCode).toBe(200)
})

test('every answer of the API is data: not kept, not sniffed, not framed', async () => {
  await using test = await openTestApp()
  for (const url of ['/api/group', '/api/nothing', '/api/%zz']) {
    const { headers } = await test.app.inject(url)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
  }
})
