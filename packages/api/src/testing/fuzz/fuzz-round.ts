/**
 * Calls of the contract as somebody of a role, against a whole site: right ones with some of it spoiled,
 * and others with values by their own schemas.
 * Whatever is sent: no answer is a fault of ours, none holds a secret, a stack or what that person may
 * not see, and a refusal changes nothing.
 */
import { noBody, type Route } from '@trunkline/contract/route'
import { isAdminLevel, type Role } from '@trunkline/contract/roles'
import fc from 'fast-check'
import { createPostgresDatabase } from '../databases.ts'
import { PLANTED_SECRETS, urlOf } from '../inject.ts'
import { MOVE_RECIPES } from '../role-walk/moves.ts'
import { RECIPES } from '../role-walk/recipes.ts'
import type { Place, Recipe } from '../role-walk/rules.ts'
import { openWalkSite, tokenOf, type WalkSite } from '../role-walk/site.ts'
import { withKnownTexts } from './known-texts.ts'
import { valuesOf } from './schema-values.ts'
import { spoils, type Spoil } from './spoils.ts'
import { changedTables, openStoredState, type StoredStateReader } from './stored-state.ts'

export interface FuzzRound {
  seed: number
  requests: number
  role: Role
  database: 'SQLite' | 'PostgreSQL'
}

export interface FuzzOutcome {
  requests: number
  accepted: number
  refused: number
  /** How often each call was accepted. */
  acceptedOf: Map<string, number>
  /** What was sent, and what is wrong with the answer. */
  violations: string[]
}

interface Request {
  call: Route
  url: string
  query: Record<string, string>
  body: string | undefined
}

const NEVER_IN_AN_ANSWER = [
  '$argon2',
  'password_hash',
  'passwordHash',
  '[object ',
  ...PLANTED_SECRETS,
]
/** A host of the site is away: 502, 504. */
const HOST_FAULTS: ReadonlySet<number> = new Set([502, 504])
/** What recipes call whatever is not of the own group, also when the person acting has moved it there. */
const HIDDEN_TITLE = 'Hidden'
/** The same for everybody, with examples that were printed from such a site. */
const HOLDS_EXAMPLES: ReadonlySet<string> = new Set(['openApi.read'])
const STACK = /\n\s+at |node:internal|\.ts:\d+:\d+/
/** Written by the API at its own time, or of refused calls too. */
const FOLLOWS = new Set([
  'api_processes',
  'audit',
  'backups',
  'sessions',
  'kept_programs',
  'program_copies',
  'left_hosts',
  'stream_turns',
])
/**
 * What these calls may change although they refuse: a right password that a second step must follow is
 * answered by 401, wrong codes are counted, and an answer of the provider is used up in whichever browser.
 */
const COUNTED = new Map([
  ['oidc_flows', /^session\.endOidc$/],
  ['sign_in_challenges', /^session\./],
  ['second_factors', /^session\.|^users\.(confirm|turnOff)SecondFactor$/],
])
/** So many requests in which a site lacks what the calls before have removed: it is used up. */
const MOST_MISSING = 20

interface Fuzzed {
  walk: WalkSite
  role: Role
  stored: StoredStateReader
  outcome: FuzzOutcome
  /** What only others may see, and this person has guessed and saved, such as the name of a view. */
  guessed: Set<string>
}

export async function fuzzRound({
  seed,
  requests,
  role,
  database,
}: FuzzRound): Promise<FuzzOutcome> {
  await using stack = new AsyncDisposableStack()
  const databaseUrl = database === 'SQLite' ? null : stack.use(await createPostgresDatabase()).url
  const walk = await openWalkSite(stack, { databaseUrl })
  walk.site.dialSlowly()
  const stored = stack.use(await openStoredState(walk.site.ctx.config))
  const outcome: FuzzOutcome = {
    requests: 0,
    accepted: 0,
    refused: 0,
    acceptedOf: new Map(),
    violations: [],
  }
  const fuzzed: Fuzzed = { walk, role, stored, outcome, guessed: new Set() }
  const known = await knownTextsOf(walk)
  let token = ''
  let missing = 0
  for (const plan of plansOf(role, { seed, requests })) {
    const request = await requestOf(walk, role, plan, known).catch(() => null)
    if (token === '') token = await tokenOf(walk.site, role).catch(() => '')
    if (token === '' || missing === MOST_MISSING) break
    if (request === null) {
      missing += 1
      continue
    }
    const status = await tryOut(fuzzed, request, token)
    // Its session may have ended.
    if (status === 401 || request.call.name.startsWith('session.')) token = ''
  }
  return outcome
}

async function tryOut(fuzzed: Fuzzed, request: Request, token: string): Promise<number> {
  const { walk, stored, outcome, guessed } = fuzzed
  const before = await stored.read()
  const { status, text } = await send(walk, request, token)
  const wrong = wrongOf(fuzzed, request, { status, text })
  const { name } = request.call
  outcome.requests += 1
  if (status < 300) {
    if (request.call.method !== 'GET') {
      for (const item of walk.hidden) if (sentBy(request).includes(item)) guessed.add(item)
    }
    outcome.accepted += 1
    outcome.acceptedOf.set(name, (outcome.acceptedOf.get(name) ?? 0) + 1)
  } else {
    outcome.refused += 1
    const changed = changedTables(before, await stored.read()).filter(
      (table) => !FOLLOWS.has(table) && COUNTED.get(table)?.test(name) !== true,
    )
    if (changed.length > 0) wrong.push(`A refusal changed what is stored: ${changed.join(', ')}.`)
  }
  for (const what of wrong) outcome.violations.push(sentenceOf(request, status, text, what))
  return status
}

/** What is to be sent: a right request with some of it spoiled, or all of it by the schemas. */
interface Plan {
  recipe: Recipe
  place: Place
  /** Null: by the schemas. */
  spoil: Spoil | null
  bySchema: { params: unknown; query: unknown; body: unknown }
}

/** Made once: that takes a second. */
const planOf = new Map<Recipe, fc.Arbitrary<Plan>>()

function plansOf(role: Role, { seed, requests }: { seed: number; requests: number }): Plan[] {
  // What was moved onto a hidden server shows its name, to those who may see what was moved.
  const moved = new Set(isAdminLevel(role) ? [] : MOVE_RECIPES)
  const plans = RECIPES.filter((recipe) => !moved.has(recipe)).map((recipe) => {
    const plan = planOf.get(recipe) ?? planFor(recipe)
    planOf.set(recipe, plan)
    return plan
  })
  // Each call as often as any other, in an order of its own each time: chance alone leaves some out.
  const turns = Math.ceil(requests / plans.length)
  const inOrder = fc.tuple(...plans).chain((turn) => {
    return fc.shuffledSubarray(turn, { minLength: turn.length })
  })
  return fc.sample(inOrder, { seed, numRuns: turns }).flat().slice(0, requests)
}

function planFor(recipe: Recipe): fc.Arbitrary<Plan> {
  const { params, query, body } = recipe.call
  return fc.record({
    recipe: fc.constant(recipe),
    place: fc.constantFrom(...recipe.places),
    spoil: fc.oneof(
      { weight: 2, arbitrary: spoils() },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    bySchema: fc.record({
      params: valuesOf(params),
      query: valuesOf(query),
      body: body === noBody ? fc.constant(undefined) : valuesOf(body),
    }),
  })
}

async function requestOf(
  walk: WalkSite,
  role: Role,
  { recipe, place, spoil, bySchema }: Plan,
  known: readonly string[],
): Promise<Request> {
  const { call } = recipe
  const made = spoil === null ? bySchema : spoil(await recipe.input(walk, place, role))
  const whole = withKnownTexts(made, known)
  return {
    call,
    url: urlOf(call, flat(whole.params)),
    query: flat(whole.query),
    body: whole.body === undefined ? undefined : JSON.stringify(whole.body),
  }
}

/** What stands in an address is text, and half a character cannot. */
function flat(query: unknown): Record<string, string> {
  if (typeof query !== 'object' || query === null) return {}
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === null
        ? []
        : [[name, (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()]],
    ),
  )
}

/** Ids, names, ports and addresses of the site, of what its people may see and of what they may not. */
async function knownTextsOf({ site, own, foreign, unassigned }: WalkSite): Promise<string[]> {
  const { db } = site.ctx
  const tables = [
    'users',
    'groups',
    'servers',
    'encoders',
    'channels',
    'inputs',
    'outputs',
  ] as const
  const ids: string[] = []
  for (const table of tables) {
    const rows = await db.selectFrom(table).select('id').execute()
    ids.push(...rows.map(({ id }) => id))
  }
  // Whoever wants one of them is told who has it, as far as they may see that.
  const claims = await db.selectFrom('port_claims').select('port').distinct().execute()
  const ports = claims.map(({ port }) => String(port))
  const { feederName, streamName } = own
  const names = [feederName, streamName, foreign.feederName, unassigned.feederName]
  return [
    ...ids,
    ...names,
    ...ports,
    'encoder0',
    'start',
    'stop',
    'restart',
    String(site.linkHost.port),
  ]
}

async function send(
  { site }: WalkSite,
  { call, url, query, body }: Request,
  token: string,
): Promise<{ status: number; text: string }> {
  const answer = await site.app.inject({
    method: call.method,
    url,
    query,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status: answer.statusCode, text: answer.payload }
}

function wrongOf(
  { walk: { hidden }, role, guessed }: Fuzzed,
  request: Request,
  { status, text }: { status: number; text: string },
): string[] {
  const wrong: string[] = []
  if (status >= 500 && !HOST_FAULTS.has(status)) wrong.push('It is a fault of ours.')
  const sent = sentBy(request)
  const seesAll = isAdminLevel(role) || HOLDS_EXAMPLES.has(request.call.name)
  const unseen = seesAll ? [] : hidden.filter((item) => item !== HIDDEN_TITLE && !guessed.has(item))
  const mayNotHold = [...NEVER_IN_AN_ANSWER, ...unseen]
  for (const secret of mayNotHold) {
    // What somebody sent is known already.
    if (text.includes(secret) && !sent.includes(secret)) wrong.push(`It holds '${secret}'.`)
  }
  if (STACK.test(text)) wrong.push('It holds a stack.')
  if (status >= 400 && !isRefusal(text)) wrong.push('It says no reason.')
  return wrong
}

function sentBy({ url, query, body }: Request): string {
  return `${decoded(url)} ${JSON.stringify(query)} ${body ?? ''}`
}

function isRefusal(text: string): boolean {
  try {
    const { status, error } = JSON.parse(text) as Record<string, unknown>
    return status === false && typeof error === 'string' && error !== ''
  } catch {
    return false
  }
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

const SHOWN = 600

function sentenceOf(
  { call, url, query, body }: Request,
  status: number,
  text: string,
  what: string,
) {
  const sent = `${call.method} ${url} ${JSON.stringify(query)} ${body ?? ''}`
  return `${call.name}: ${what} Sent: ${sent.slice(0, SHOWN)} Answered ${status}: ${text.slice(0, SHOWN)}`
}
