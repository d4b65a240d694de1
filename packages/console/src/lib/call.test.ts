import {
  controlEncoder,
  findEncoder,
  listAllEncoders,
} from '@trunkline/contract/encoders/encoder.calls'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import { frenchReader } from '@trunkline/contract/language/french'
import { readSentencesBy } from '@trunkline/contract/sentence.schema'
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeFakeApi, refuse, refuseOddly, type FakeApi } from '../test/fake-api.ts'
import { userOf } from '../test/samples.ts'
import { forgetAwaited, LATE_AFTER_MS, useLateSince } from './answer/late-answer.ts'
import { ApiError, CANNOT_CONTACT, readFailureText, sentenceFor } from './api-error.ts'
import { call, READ_LIMIT_MS } from './call.ts'
import { beginSession, endSession, onSessionEnd, readSession } from './session.ts'

let api: FakeApi
beforeEach(() => {
  api = makeFakeApi()
  beginSession(userOf('admin'), 'tok')
})
afterEach(() => {
  endSession('')
  forgetAwaited()
  vi.unstubAllGlobals()
})

async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error('It did not fail as an ApiError.')
  return error
}

test('AUTH-18 method, path, body and token are the contract’s', async () => {
  api
    .on(controlEncoder)
    .answer(() => ({ status: true, results: 'encoder0 RUNNING', state: 'running' }))
  const body = { data: { name: 'encoder0', command: 'start' as const } }
  await call(controlEncoder, { params: { id: 'a b' }, body })
  expect(api.asked).toHaveLength(1)
  expect(api.asked[0]).toMatchObject({
    method: 'POST',
    path: '/api/encoder/controlApi/a%20b',
    body,
  })
  expect(api.asked[0]?.headers.get('authorization')).toBe('Bearer tok')
})

test('a refusal calls its fields as people do, in English and in French', async () => {
  const message = 'config.port must be 1 to 65535.'
  const field = 'config.port'
  const issues = [
    { field, message },
    { field: 'times.days.0', message: 'times.days.0 is required.' },
  ]
  const failure = { status: false, error: message, msg: message, code: 'invalid', field, issues }
  api.on(listInputs).answer(() => refuseOddly(400, failure))
  const refused = await failureOf(call(listInputs, {}))
  expect([refused.sentence, ...refused.issues.map((issue) => issue.message)]).toEqual([
    'Port must be 1 to 65535.',
    'Port must be 1 to 65535.',
    'Days is required.',
  ])
  readSentencesBy(frenchReader())
  onTestFinished(() => readSentencesBy(null))
  expect((await failureOf(call(listInputs, {}))).sentence).toMatch(/^Port (?!must)/)
})

test('AUTH-20 Q1 a call goes to the one address of the API, which is where the page came from', async () => {
  const user = userOf('admin')
  api.on(login).answer(() => ({ status: true, user, token: 'new' }))
  await call(login, { body: { email: 'a@b.co', password: 'x' } })
  expect(vi.mocked(fetch).mock.calls.map(([url]) => url)).toEqual(['/api/users/login'])
})

test('AUTH-08 login goes without a token', async () => {
  const user = userOf('admin')
  api.on(login).answer(() => ({ status: true, user, token: 'new' }))
  await call(login, { body: { email: 'a@b.co', password: 'x' } })
  expect(api.asked[0]?.headers.has('authorization')).toBe(false)
})

test('AUTH-19 Q13 contribution calls carry the skip header, a query, and no body', async () => {
  api.on(listInputs).answer(() => ({ status: true, contributions: [], total: 0 }))
  await call(listInputs, { query: { page: 2, searchValue: 'a&b' } })
  const [asked] = api.asked
  expect(asked?.headers.get('ngrok-skip-browser-warning')).toBe('true')
  expect(asked?.query.get('page')).toBe('2')
  expect(asked?.query.get('searchValue')).toBe('a&b')
  expect(asked?.body).toBeUndefined()
})

test('a refusal keeps the server’s sentence, field and code', async () => {
  api.on(findEncoder).answer(() =>
    refuseOddly(409, {
      status: false,
      error: 'Somebody else changed it.',
      msg: 'Somebody else changed it.',
      code: 'conflict',
      field: 'title',
      current: { version: 3 },
      changed: ['title'],
    }),
  )
  const error = await failureOf(call(findEncoder, { params: { id: 'a' } }))
  expect(error).toMatchObject({
    kind: 'refused',
    status: 409,
    sentence: 'Somebody else changed it.',
    code: 'conflict',
    field: 'title',
    current: { version: 3 },
    changed: ['title'],
  })
})

test('Q11 401 ends the session with its sentence; any other answer does not', async () => {
  const ends: (string | null)[] = []
  const stop = onSessionEnd((reason) => ends.push(reason))
  api.on(listAllEncoders).answer(() => refuse(500, 'Out of order.'))
  await failureOf(call(listAllEncoders, {}))
  expect(readSession()).not.toBeNull()
  api.on(listAllEncoders).answer(() => refuse(401, 'Your session has expired.'))
  await failureOf(call(listAllEncoders, {}))
  expect(readSession()).toBeNull()
  expect(ends).toEqual(['Your session has expired.'])
  stop()
})

test('a late 401 to an old token leaves the new session alone', async () => {
  api.on(listAllEncoders).answer(() => {
    beginSession(userOf('admin'), 'slid')
    return refuse(401, 'Too old.')
  })
  await failureOf(call(listAllEncoders, {}))
  expect(readSession()?.token).toBe('slid')
})

test('AUTH-11 a missing answer and a gateway’s own page both count as no answer', async () => {
  api.on(listAllEncoders).answer(() => refuseOddly(502, '<html>'))
  expect((await failureOf(call(listAllEncoders, {}))).kind).toBe('no-answer')
  api.setReachable(false)
  const error = await failureOf(call(listAllEncoders, {}))
  expect(error.kind).toBe('no-answer')
  expect(sentenceFor(error, 'Something else')).toBe(CANNOT_CONTACT)
})

test('a reply that does not match the contract is a separate error', async () => {
  api.on(listAllEncoders).answer(() => refuseOddly(200, { result: 'none' }))
  expect((await failureOf(call(listAllEncoders, {}))).kind).toBe('odd-answer')
})

test('a failed read names its cause and what to do', async () => {
  api.on(listAllEncoders).answer(() => refuse(503, 'The database is busy. Try again in a minute.'))
  const causes = [await failureOf(call(listAllEncoders, {}))]
  api.on(listAllEncoders).answer(() => refuseOddly(500, {}))
  causes.push(await failureOf(call(listAllEncoders, {})))
  api.on(listAllEncoders).answer(() => refuseOddly(200, { result: 'none' }))
  causes.push(await failureOf(call(listAllEncoders, {})))
  api.setReachable(false)
  causes.push(await failureOf(call(listAllEncoders, {})))
  expect(causes.map(readFailureText)).toEqual([
    'The database is busy. Try again in a minute.',
    'The console server refused, with status 500 and no reason.',
    'The answer is not what this page expects. The console may have been updated: reload the page.',
    'The console server does not answer. Check your network and that the server runs.',
  ])
})

test('ERR-02 ERR-47 the server’s sentence, else the fallback, never an object', async () => {
  api.on(listAllEncoders).answer(() => refuseOddly(400, { error: { a: 1 } }))
  const error = await failureOf(call(listAllEncoders, {}))
  expect(sentenceFor(error, 'Failed to read')).toBe('Failed to read')
  expect(sentenceFor(new Error('stack'), 'Failed to read')).toBe('Failed to read')
})

test('ERR-47 of an error text with a stack the first line outside the stack is shown, else the fallback', async () => {
  const stack = 'at save (/srv/api/store.ts:12:5)'
  const answers = [`The disk is full.\n    ${stack}`, stack, '[object Object]', 'undefined']
  const shown: string[] = []
  for (const answer of answers) {
    api.on(listAllEncoders).answer(() => refuse(500, answer))
    // oxlint-disable-next-line no-await-in-loop -- one answer after the other
    shown.push(sentenceFor(await failureOf(call(listAllEncoders, {})), 'Failed to read'))
  }
  expect(shown).toEqual(['The disk is full.', 'Failed to read', 'Failed to read', 'Failed to read'])
})

test('ERR-47 the issues of fields and of objects are cleaned too', async () => {
  const message = 'Error: taken\n    at save (/srv/api/store.ts:12:5)'
  const issues = [
    { field: 'title', message },
    { field: 'ip', message: '[object Object]' },
  ]
  const failed = [{ name: 'a', error: message }]
  api
    .on(listAllEncoders)
    .answer(() => refuseOddly(409, { status: false, error: 'No.', msg: 'No.', issues, failed }))
  expect(await failureOf(call(listAllEncoders, {}))).toMatchObject({
    issues: [{ field: 'title', message: 'Error: taken' }],
    failed: [{ name: 'a', error: 'Error: taken' }],
  })
})

test('an abort is an abort, not a failure of the API', async () => {
  const unanswered = Promise.withResolvers<ReturnType<typeof refuse>>()
  api.on(listAllEncoders).answer(async () => unanswered.promise)
  const controller = new AbortController()
  const work = call(listAllEncoders, { signal: controller.signal })
  controller.abort()
  await expect(work).rejects.toMatchObject({ name: 'AbortError' })
})

test('a read that a server hangs on ends without an answer at its limit; a change is waited for', async () => {
  const limits: AbortController[] = []
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    expect(ms).toBe(READ_LIMIT_MS)
    const limit = new AbortController()
    limits.push(limit)
    return limit.signal
  })
  onTestFinished(() => {
    timeout.mockRestore()
  })
  const unanswered = Promise.withResolvers<ReturnType<typeof refuse>>()
  api.on(listAllEncoders).answer(async () => unanswered.promise)
  api.on(controlEncoder).answer(async () => unanswered.promise)
  const read = failureOf(call(listAllEncoders, { signal: new AbortController().signal }))
  void call(controlEncoder, {
    params: { id: 'a' },
    body: { data: { name: 'encoder0', command: 'start' } },
  })
  expect(limits).toHaveLength(1)
  limits[0]?.abort(new DOMException('Timed out', 'TimeoutError'))
  const error = await read
  expect(error).toMatchObject({ kind: 'no-answer', isLate: true })
  expect(readFailureText(error)).toMatch(/^The console server does not answer\./)
})

test('DLG-14 a change without an answer counts as late until it is answered; reads and the session check do not', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { result } = renderHook(useLateSince)
  const unanswered = Promise.withResolvers<ReturnType<typeof refuse>>()
  api.on(listAllEncoders).answer(async () => unanswered.promise)
  api.on(jwtLogin).answer(async () => unanswered.promise)
  const unasked = [
    failureOf(call(listAllEncoders, { signal: new AbortController().signal })),
    failureOf(call(jwtLogin, {})),
  ]
  await act(async () => vi.advanceTimersByTimeAsync(LATE_AFTER_MS))
  expect(result.current).toBeNull()

  const sentMs = Date.now()
  const answer = Promise.withResolvers<ReturnType<typeof refuse>>()
  api.on(controlEncoder).answer(async () => answer.promise)
  const body = { data: { name: 'encoder0', command: 'stop' as const } }
  const refused = failureOf(call(controlEncoder, { params: { id: 'a' }, body }))
  await act(async () => vi.advanceTimersByTimeAsync(LATE_AFTER_MS - 1))
  expect(result.current).toBeNull()
  await act(async () => vi.advanceTimersByTimeAsync(1))
  expect(result.current).toBe(sentMs)
  answer.resolve(refuse(409, 'Busy.'))
  await act(async () => refused)
  expect(result.current).toBeNull()
  unanswered.resolve(refuse(409, 'Busy.'))
  await Promise.all(unasked)
})

test('a failure of the API itself names its request, and nothing else does', async () => {
  const failing = (status: number) => async () =>
    Promise.resolve(
      Response.json(
        { status: false, error: 'It failed.', msg: 'It failed.' },
        { status, headers: { 'x-request-id': '0123456789ab' } },
      ),
    )
  vi.stubGlobal('fetch', failing(500))
  const ours = await failureOf(call(listAllEncoders, {}))
  expect(sentenceFor(ours, '')).toBe('It failed. Request 0123456789ab.')
  vi.stubGlobal('fetch', failing(409))
  const refused = await failureOf(call(listAllEncoders, {}))
  expect(sentenceFor(refused, '')).toBe('It failed.')
})
