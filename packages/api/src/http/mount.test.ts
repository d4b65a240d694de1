import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import { route } from '@trunkline/contract/route'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import fastify, { type FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { record } from '../audit/audit.service.ts'
import {
  type AppError,
  conflict,
  forbidden,
  hostTimeout,
  hostUnreachable,
  invalid,
  notFound,
  refused,
} from '../errors.ts'
import { addPeople, type People } from '../testing/people.ts'
import { makeTestContext, type TestContext } from '../testing/test-context.ts'
import { installErrorHandler } from './error-handler.ts'
import { takeJsonBodies } from './json-body.ts'
import { mount, mountOpen } from './mount.ts'

interface Opened extends People, AsyncDisposable {
  app: FastifyInstance
  test: TestContext
}

/** An application of nothing but the given calls. */
async function openApp(mounts: (app: FastifyInstance, test: TestContext) => void): Promise<Opened> {
  const context = await makeTestContext()
  const people = await addPeople(context.ctx)
  const app = fastify()
  installErrorHandler(app)
  takeJsonBodies(app)
  mounts(app, context)
  return {
    app,
    test: context,
    ...people,
    async [Symbol.asyncDispose]() {
      await app.close()
      await context[Symbol.asyncDispose]()
    },
  }
}

const rename = route({
  name: 'encoders.rename',
  method: 'PUT',
  path: '/api/thing/:id',
  aliases: ['/api/other/:id'],
  action: 'readAudit',
  params: z.object({ id: z.string() }),
  query: z.strictObject({ dry: z.enum(['0', '1']).default('0') }),
  body: z.strictObject({ title: z.string().max(10) }),
  reply: z.object({ status: z.literal(true), title: z.string() }),
  bodyLimitBytes: 100,
})

function mountRename(app: FastifyInstance, { ctx }: TestContext): void {
  mount(app, ctx, rename, async ({ body }) => Promise.resolve({ status: true, title: body.title }))
}

function put(app: FastifyInstance, token: string, payload: string, more: object = {}) {
  return app.inject({
    method: 'PUT',
    url: '/api/thing/x',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload,
    ...more,
  })
}

test('denied by default: only roles that the call names, and only with a session', async () => {
  await using opened = await openApp(mountRename)
  const { app, people, test: context } = opened
  const statuses: Record<string, number> = {}
  for (const [name, person] of Object.entries(people)) {
    statuses[name] = (await put(app, person.token, '{"title":"a"}')).statusCode
  }
  expect(statuses).toEqual(
    Object.fromEntries(
      Object.keys(people).map((name) => [name, name.endsWith('admin') ? 200 : 403]),
    ),
  )
  const denied = await put(app, people.northMonitor.token, '{"title":"a"}')
  expect(denied.json()).toEqual({
    status: false,
    error: NOT_AUTHORIZED,
    msg: NOT_AUTHORIZED,
    code: 'forbidden',
  })
  expect((await put(app, 'nonsense', '{"title":"a"}')).statusCode).toBe(401)
  const lines = await context.ctx.db.selectFrom('audit').selectAll().execute()
  expect(lines).toHaveLength(Object.keys(people).length - 1)
  expect(lines[0]).toMatchObject({
    call: 'encoders.rename',
    object_kind: 'encoder',
    object_id: 'x',
    result: 'refused',
    reason: NOT_AUTHORIZED,
  })
})

test('a refused role is answered before the body is read', async () => {
  await using opened = await openApp(mountRename)
  expect((await put(opened.app, opened.people.northEditor.token, '{{{')).statusCode).toBe(403)
  expect((await put(opened.app, '', '{{{')).statusCode).toBe(401)
})

test('aliases answer like the path itself', async () => {
  await using opened = await openApp(mountRename)
  const answer = await put(opened.app, opened.people.admin.token, '{"title":"a"}', {
    url: '/api/other/x',
  })
  expect(answer.json()).toEqual({ status: true, title: 'a' })
})

test.each<[string, string, object, number, string]>([
  [
    'malformed',
    '{"title":',
    {},
    400,
    'The body is not valid JSON. Check its commas, quotes and brackets.',
  ],
  [
    'malformed inside',
    '{"title":"a",}',
    {},
    400,
    'The body is not valid JSON at character 14. Check its commas, quotes and brackets.',
  ],
  ['empty', '', {}, 400, 'The body is missing. Add it.'],
  ['unknown field', '{"title":"a","x":1}', {}, 400, "There is no field 'x' here. Remove it."],
  [
    'unknown query',
    '{"title":"a"}',
    { query: { all: '1' } },
    400,
    "There is no field 'all' here. Remove it.",
  ],
  ['prototype', '{"__proto__":{"a":1}}', {}, 400, "There is no field '__proto__' here. Remove it."],
  [
    'too deep',
    '['.repeat(40) + ']'.repeat(40),
    {},
    400,
    'The body is nested deeper than 20 levels. Flatten it.',
  ],
  [
    'too large',
    `{"title":"${'x'.repeat(200)}"}`,
    {},
    413,
    'The body is too large for this call. Send less.',
  ],
  [
    'another type',
    'title=a',
    { type: 'application/x-www-form-urlencoded' },
    415,
    'The body must be JSON. Send it with the header content-type: application/json.',
  ],
])('body %s', async (_, payload, more, status, sentence) => {
  await using opened = await openApp(mountRename)
  const { type = 'application/json', query = {} } = more as { type?: string; query?: object }
  const answer = await opened.app.inject({
    method: 'PUT',
    url: '/api/thing/x',
    query: query as Record<string, string>,
    headers: { authorization: `Bearer ${opened.people.admin.token}`, 'content-type': type },
    payload,
  })
  expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([status, sentence])
})

test('a reply is cut to the fields of the call, and an invalid reply is an internal error', async () => {
  let answer: unknown = { status: true, title: 'a', passwordHash: 'x' }
  await using opened = await openApp((app, { ctx }) => {
    mount(app, ctx, rename, async () => Promise.resolve(answer as { status: true; title: string }))
  })
  const { app, people } = opened
  expect((await put(app, people.admin.token, '{"title":"a"}')).json()).toEqual({
    status: true,
    title: 'a',
  })
  answer = { status: true, title: 5 }
  const wrong = await put(app, people.admin.token, '{"title":"a"}')
  expect(wrong.statusCode).toBe(500)
  expect(wrong.json<{ error: string }>().error).toMatch(/could not be built/)
})

test.each<[AppError, number, object]>([
  [notFound('encoder'), 404, { code: 'not_found' }],
  [
    invalid('config.port', 'must be even.'),
    400,
    { code: 'invalid', field: 'config.port', error: 'config.port must be even.' },
  ],
  [refused('Not now.'), 422, { code: 'refused', error: 'Not now.' }],
  [refused('Not now.', { httpStatus: 409 }), 409, { code: 'refused' }],
  [
    conflict('Changed.', { current: { version: 3 }, changed: ['title'] }),
    409,
    { current: { version: 3 }, changed: ['title'] },
  ],
  [forbidden(), 403, { error: NOT_AUTHORIZED }],
  [hostTimeout('Silent.'), 504, { code: 'host_timeout' }],
])('%s', async (error, status, body) => {
  await using opened = await openApp((app, { ctx }) => {
    mount(app, ctx, rename, async () => Promise.reject(error))
  })
  const answer = await put(opened.app, opened.people.admin.token, '{"title":"a"}')
  expect(answer.statusCode).toBe(status)
  expect(answer.json()).toMatchObject({ status: false, msg: error.message, ...body })
})

test('an internal error is answered neutrally: no stack, no message', async () => {
  await using opened = await openApp((app, { ctx }) => {
    mount(app, ctx, rename, async () => Promise.reject(new Error('SELECT secret FROM x')))
  })
  const answer = await put(opened.app, opened.people.admin.token, '{"title":"a"}')
  expect(answer.statusCode).toBe(500)
  expect(answer.payload).not.toMatch(/SELECT|at /)
})

test('the path of the feeder call contains the product name', async () => {
  const seen: string[] = []
  await using opened = await openApp((app, { ctx }) => {
    mount(app, ctx, saveFeeder, async ({ params }) => {
      seen.push(params.product)
      return Promise.reject(refused('seen'))
    })
  })
  const response = await opened.app.inject({
    method: 'PUT',
    url: '/api/encoder/update-acan-feeder',
    headers: { authorization: `Bearer ${opened.people.admin.token}` },
    payload: {
      _id: 'e',
      feederPost: {
        serverId: 's',
        input: { title: 't', addr: '127.0.0.1:5000', port: 5000 },
        output: [{ addr: '192.0.2.1:6000', port: 6000 }],
      },
    },
  })
  expect([response.statusCode, seen]).toEqual([422, ['acan']])
})

test('an open call is not mounted as a protected call, nor the reverse', async () => {
  const open = route({
    name: 'fleet.any',
    method: 'GET',
    path: '/api/any',
    action: 'anyone',
    reply: z.object({ status: z.literal(true) }),
  })
  await using context = await makeTestContext()
  const app = fastify()
  expect(() =>
    mount(app, context.ctx, open, async () => Promise.resolve({ status: true })),
  ).toThrow(/mountOpen/)
  expect(() =>
    mountOpen(app, rename, async () => Promise.resolve({ status: true, title: '' })),
  ).toThrow(/needs a role/)
})

const look = route({
  name: 'encoders.look',
  method: 'GET',
  path: '/api/look/:id',
  action: 'readAudit',
  params: z.object({ id: z.string() }),
  reply: z.object({ status: z.literal(true) }),
})

async function linesOf({ test: context }: Opened) {
  return context.ctx.db.selectFrom('audit').selectAll().orderBy('at').orderBy('id').execute()
}

test.each<[AppError, 'refused' | 'failed']>([
  [notFound('encoder'), 'refused'],
  [conflict('Changed.'), 'refused'],
  [refused('Not now.'), 'refused'],
  [forbidden(), 'refused'],
  [hostTimeout('Silent.'), 'failed'],
  [hostUnreachable('Away.'), 'failed'],
])('T20 a change that ends with %s leaves one line of it', async (error, result) => {
  await using opened = await openApp((app, { ctx }) => {
    mount(app, ctx, rename, async () => Promise.reject(error))
  })
  await put(opened.app, opened.people.admin.token, '{"title":"a"}')
  expect(await linesOf(opened)).toMatchObject([
    {
      actor_id: opened.people.admin.id,
      call: 'encoders.rename',
      object_kind: 'encoder',
      object_id: 'x',
      ip: '127.0.0.1',
      result,
      reason: error.message,
      before: null,
      after: null,
    },
  ])
})

test('T20 a typing error, a fault of ours and a missing session leave no line', async () => {
  await using opened = await openApp((app, { ctx }) => {
    mount(app, ctx, rename, async () => Promise.reject(new Error('ours')))
    mount(app, ctx, look, async () => Promise.reject(invalid('id', 'must be even.')))
  })
  const { app, people } = opened
  await put(app, people.admin.token, '{"title":5}')
  await put(app, people.admin.token, '{"title":"a"}')
  await put(app, 'nonsense', '{"title":"a"}')
  expect(await linesOf(opened)).toEqual([])
})

test('T20 reading leaves a line only when it is refused', async () => {
  await using opened = await openApp((app, { ctx }) => {
    mount(app, ctx, look, async () => Promise.reject(notFound('encoder')))
  })
  const get = async (token: string) =>
    opened.app.inject({ url: '/api/look/y', headers: { authorization: `Bearer ${token}` } })
  expect((await get(opened.people.admin.token)).statusCode).toBe(404)
  expect(await linesOf(opened)).toEqual([])
  expect((await get(opened.people.northEditor.token)).statusCode).toBe(403)
  expect(await linesOf(opened)).toMatchObject([
    { call: 'encoders.look', object_id: 'y', result: 'refused', reason: NOT_AUTHORIZED },
  ])
})

test('T20 a failure that a call has recorded itself is not recorded again', async () => {
  await using opened = await openApp((app, { ctx }) => {
    mount(app, ctx, rename, async (_, actor) => {
      const failure = hostTimeout('Silent.')
      const entry = { actor, call: rename.name, object: null, ip: '' }
      await record(ctx, { ...entry, result: 'failed', reason: 'recorded', failure })
      throw failure
    })
  })
  await put(opened.app, opened.people.admin.token, '{"title":"a"}')
  expect((await linesOf(opened)).map(({ reason }) => reason)).toEqual(['recorded'])
})
