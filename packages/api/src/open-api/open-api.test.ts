import { readFileSync } from 'node:fs'
import { LIVE_PATH } from '@trunkline/contract/fleet/fleet.schema'
import { readOpenApi } from '@trunkline/contract/open-api/open-api.calls'
import type { OpenApiDocument } from '@trunkline/contract/open-api/open-api.schema'
import { PRODUCT_VERSION } from '@trunkline/contract/product'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCalls } from '../testing/all-calls.ts'
import { inject } from '../testing/inject.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { CALL_SUMMARIES } from './call-summaries.ts'
import { templateOf } from './open-api.rules.ts'

let site: TestApp
let document: OpenApiDocument
beforeAll(async () => {
  site = await openTestApp()
  document = (await inject(site.app, readOpenApi, site.people.northMonitor.token, {})).answer
})
afterAll(async () => site[Symbol.asyncDispose]())

test('the description of the API is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document))
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test('every call of the contract is described, other spellings of its path as deprecated', async () => {
  const calls = await allCalls()
  const missing = calls.flatMap(({ name, method, path, aliases }) =>
    [path, ...aliases].filter((each, index) => {
      const found = document.paths[templateOf(each)]?.[method.toLowerCase()]
      const isRight = found?.operationId === (index === 0 ? name : `${name}.${index}`)
      return !isRight || (found.deprecated === true) !== index > 0
    }),
  )
  expect(missing).toEqual([])
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const spellings = calls.reduce((sum, { aliases }) => sum + 1 + aliases.length, 0)
  // The live stream is no call of the contract.
  expect(operations).toHaveLength(spellings + 1)
  const live = document.paths[LIVE_PATH]?.['post']
  expect([live?.operationId, live?.['x-token-scope']]).toEqual(['fleet.live', 'read'])
})

test('every call has a summary, its roles, its parameters and its body', async () => {
  const calls = await allCalls()
  expect(Object.keys(CALL_SUMMARIES).toSorted()).toEqual(calls.map(({ name }) => name).toSorted())
  const rename = document.paths['/api/channel/{channelId}']?.['put']
  expect(rename?.['x-roles']).toEqual(['superadmin', 'admin', 'manager'])
  expect(rename?.parameters.map(({ name, in: place }) => `${place} ${name}`)).toEqual([
    'path channelId',
  ])
  expect(rename?.requestBody?.content['application/json']?.schema).toMatchObject({ type: 'object' })
  expect(Object.keys(rename?.responses ?? {})).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '409', '422', '502', '504']),
  )
})

test('every path parameter is described', () => {
  const missing = Object.entries(document.paths).flatMap(([path, methods]) => {
    const wanted = [...path.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name]) => name)
    return Object.values(methods).flatMap(({ operationId, parameters }) =>
      wanted
        .filter((name) => !parameters.some((item) => item.in === 'path' && item.name === name))
        .map((name) => `${operationId} ${name}`),
    )
  })
  expect(missing).toEqual([])
})

test('the version of the API is that of its package', () => {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  expect([PRODUCT_VERSION, document.info.version]).toEqual([version, version])
})

test('a client that has the description gets 304, another the whole, a guest neither', async () => {
  const headers = { authorization: `Bearer ${site.people.northEditor.token}` }
  const first = await site.app.inject({ url: readOpenApi.path, headers })
  const { etag = '' } = first.headers
  expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'private, no-cache'])
  const again = async (tag: string) =>
    site.app.inject({ url: readOpenApi.path, headers: { ...headers, 'if-none-match': tag } })
  expect([(await again(etag)).statusCode, (await again(etag)).payload]).toEqual([304, ''])
  expect((await again(`W/${etag}`)).statusCode).toBe(304)
  expect((await again('"another"')).payload).toBe(first.payload)
  const guest = { 'if-none-match': etag }
  expect((await site.app.inject({ url: readOpenApi.path, headers: guest })).statusCode).toBe(401)
})
