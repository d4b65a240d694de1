/**
 * Answers of real calls fit the schemas that the API reference gives for them. With
 * TRUNKLINE_WRITE_EXAMPLES=1 they are also written down as its examples.
 */
import { writeFileSync } from 'node:fs'
import { readOpenApi } from '@trunkline/contract/open-api/open-api.calls'
import type { OpenApiDocument } from '@trunkline/contract/open-api/open-api.schema'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, inject as provided, test } from 'vitest'
import { inject } from '../testing/inject.ts'
import { RECIPES } from '../testing/role-walk/recipes.ts'
import type { Recipe } from '../testing/role-walk/rules.ts'
import { openWalkSite, tokenOf, type WalkSite } from '../testing/role-walk/site.ts'
import { exampleOf } from './call-example.fixture.ts'
import type { CallExample } from './call-examples.ts'
import { templateOf } from './open-api.rules.ts'

const stack = new AsyncDisposableStack()
const ajv = new Ajv2020({ strict: false, validateFormats: false })
let walk: WalkSite
let document: OpenApiDocument
beforeAll(async () => {
  walk = await openWalkSite(stack)
  document = (await inject(walk.site.app, readOpenApi, await tokenOf(walk.site, 'admin'), {}))
    .answer
})
afterAll(async () => {
  await stack.disposeAsync()
  if (!provided('writesExamples')) return
  const inOrder = [...examples].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const file = new URL('call-examples.json', import.meta.url)
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`)
})

function validatorOf({ call }: Recipe, status: number): ValidateFunction {
  const operation = document.paths[templateOf(call.path)]?.[call.method.toLowerCase()]
  const listed = operation?.responses[String(status)]
  const shared = document.components.responses[`Failure${status}`]
  const schema = (shared ?? listed)?.content?.['application/json']?.schema
  if (listed === undefined || schema === undefined)
    throw new Error(`${call.name} lists no answer with status ${status}.`)
  return ajv.compile(schema)
}

/** Status, and what does not fit; '' when all does. */
async function answerFault(recipe: Recipe): Promise<{ status: number; fault: string }> {
  const [place = 'none'] = recipe.places
  const input = await recipe.input(walk, place, 'superadmin')
  const token = await tokenOf(walk.site, 'superadmin')
  const { status, answer } = await inject(walk.site.app, recipe.call, token, input)
  const validate = validatorOf(recipe, status)
  const { name, successStatus } = recipe.call
  // The first variant is the usual one; the reference itself is its own example.
  const isWanted = status === successStatus && name !== readOpenApi.name
  if (isWanted && !examples.has(name)) examples.set(name, exampleOf(recipe.call, input, answer))
  return { status, fault: validate(answer) ? '' : ajv.errorsText(validate.errors) }
}

const answered = new Set<string>()
const examples = new Map<string, CallExample>()

test.each(RECIPES.map((recipe) => [recipe.call.name, recipe.variant, recipe] as const))(
  'the answer of %s %s fits its schema',
  async (name, _, recipe) => {
    const { status, fault } = await answerFault(recipe)
    expect(fault).toBe('')
    if (status === recipe.call.successStatus) answered.add(name)
  },
)

test('every call has answered with success, but for the live stream that nobody has open', () => {
  const others = new Set(RECIPES.map(({ call }) => call.name).filter((name) => !answered.has(name)))
  expect([...others].toSorted()).toEqual(['fleet.watch'])
})
