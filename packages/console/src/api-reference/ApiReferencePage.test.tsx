import { readOpenApi } from '@trunkline/contract/open-api/open-api.calls'
import type {
  OpenApiDocument,
  OpenApiOperation,
} from '@trunkline/contract/open-api/open-api.schema'
import { within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { refuse } from '../test/fake-api.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'

afterEach(resetConsole)

const text = { type: 'string', minLength: 1, maxLength: 120 }

function operation(name: string, more: Partial<OpenApiOperation>): OpenApiOperation {
  return {
    operationId: name,
    summary: name,
    description: 'Right: Test.',
    tags: [name.split('.')[0] ?? ''],
    parameters: [],
    responses: { 200: { description: 'Done.' }, 404: {} },
    'x-token-scope': 'operate',
    'x-roles': ['superadmin', 'admin'],
    ...more,
  }
}

const DOCUMENT: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Trunkline API', version: '1.2.3', description: 'Every call needs a token.' },
  paths: {
    '/api/group/{id}': {
      put: operation('groups.update', {
        summary: 'Change a group',
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', properties: { title: text } },
              example: { title: 'North' },
            },
          },
        },
      }),
    },
    '/api/health': {
      get: operation('fleet.health', { summary: 'Check that the API answers', 'x-roles': [] }),
    },
    '/api/encoder/status/{id}': {
      get: operation('encoders.status.1', { summary: 'Read the state', deprecated: true }),
    },
  },
  components: { responses: { Failure404: { description: '`not_found`: There is none.' } } },
}

function openPage() {
  return renderConsole({
    path: '/dashboard/userManager?tab=reference',
    role: 'monitor',
    prepare: (api) => api.on(readOpenApi).answer(() => DOCUMENT),
  })
}

test('the API reference lists each call with method, path and roles, old spellings as deprecated', async () => {
  const { screen } = openPage()
  const table = await screen.findByRole('table', { name: 'Calls of version 1.2.3' })
  const [, ...rows] = within(table).getAllByRole('row')
  expect(rows.map((row) => row.textContent)).toEqual([
    'GET/api/encoder/status/{id}deprecatedRead the statesuperadmin, admin',
    'GET/api/healthCheck that the API answersNo sign-in needed',
    'PUT/api/group/{id}Change a groupsuperadmin, admin',
  ])
})

test('a call opens to its parameters, body and failures', async () => {
  const { screen, user } = openPage()
  await user.click(await screen.findByRole('button', { name: 'Expand PUT /api/group/{id}' }))
  const rowsOf = (name: string) =>
    within(screen.getByRole('table', { name }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
  expect(rowsOf('Parameters')).toEqual(['id (path)text1 to 120 characters'])
  expect(rowsOf('Body')).toEqual(['title (optional)text1 to 120 characters'])
  const example = screen.getByRole('region', { name: 'Example of a body' })
  expect(JSON.parse(example.textContent)).toEqual({ title: 'North' })
  expect(rowsOf('Failures')).toEqual(['404not_found: There is none.'])
})

test('a search that finds nothing says so and is cleared by a click', async () => {
  const { screen, user } = openPage()
  await user.type(await screen.findByRole('searchbox', { name: 'Search calls' }), 'health{Enter}')
  expect(await screen.findAllByRole('button', { name: /^Expand/ })).toHaveLength(1)
  await user.type(screen.getByRole('searchbox', { name: 'Search calls' }), 'zzz{Enter}')
  await screen.findByText('No call matches this search')
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  expect(await screen.findAllByRole('button', { name: /^Expand/ })).toHaveLength(3)
})

test('a reference that cannot be read says why', async () => {
  const { screen } = renderConsole({
    path: '/dashboard/userManager?tab=reference',
    role: 'admin',
    prepare: (api) => api.on(readOpenApi).answer(() => refuse(503, 'The disk is full.')),
  })
  await screen.findByText('The API reference could not be read.')
  expect(screen.getByText('The disk is full.')).toBeDefined()
})

test('who waits on a link of the head for the calls stays on it when they come', async () => {
  const answer = Promise.withResolvers<void>()
  const { screen } = renderConsole({
    path: '/dashboard/userManager?tab=reference',
    role: 'admin',
    prepare: (api) =>
      api.on(readOpenApi).answer(async () => {
        await answer.promise
        return DOCUMENT
      }),
  })
  const main = within(await screen.findByRole('main'))
  const back = await main.findByRole('link', { name: 'Access' })
  back.focus()
  answer.resolve()
  await screen.findByText('Change a group')
  expect(document.activeElement).toBe(back)
})
