/** T1 T5: what an API token may do is its scope within its owner's role, and never more. */
import { addGroup } from '@trunkline/contract/groups/group.calls'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { Route } from '@trunkline/contract/route'
import {
  TOKEN_SCOPES,
  scopeNeeded,
  type TokenScope,
} from '@trunkline/contract/users/token-scope.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCalls } from '../../testing/all-calls.ts'
import { inject } from '../../testing/inject.ts'
import { openTestApp, type TestApp } from '../../testing/test-app.ts'
import { addTestToken, personOwner } from './api-token.fixture.ts'
import { isChange } from '../../http/call-subject.ts'

const NEVER =
  'An API token cannot do this. Sign in to make and revoke tokens, and to change users and sessions.'

let site: TestApp
const tokens = new Map<TokenScope, string>()
beforeAll(async () => {
  site = await openTestApp({ callLimit: 100_000 })
  const owner = await personOwner(site.ctx, site.people.superadmin.id)
  for (const scope of TOKEN_SCOPES) {
    tokens.set(scope, (await addTestToken(site.ctx, owner, { scope })).text)
  }
})
afterAll(async () => site[Symbol.asyncDispose]())

async function refusalOf(call: Route, scope: TokenScope): Promise<string> {
  const names = [...call.path.matchAll(/:([A-Za-z]+)/g)].map(
    ([, name = '']) => [name, 'x'] as const,
  )
  const params = Object.fromEntries(names)
  const token = tokens.get(scope) ?? ''
  const { status, failure } = await inject(site.app, call, token, { params })
  return status === 403 ? failure.error : ''
}

test('T1 a token of each scope is refused exactly the calls beyond it, before their body is looked at', async () => {
  const calls = (await allCalls()).filter(({ may }) => may !== 'anyone')
  for (const scope of TOKEN_SCOPES) {
    const wrong: string[] = []
    for (const call of calls) {
      const needed = scopeNeeded(call.name, isChange(call, undefined))
      const refusal = await refusalOf(call, scope)
      const isBeyond = needed === null || TOKEN_SCOPES.indexOf(needed) > TOKEN_SCOPES.indexOf(scope)
      if ((refusal !== '') !== isBeyond) wrong.push(`${call.name}: ${refusal}`)
    }
    expect([scope, wrong]).toEqual([scope, []])
  }
})

test('T1 no token makes tokens or sessions, or changes users', async () => {
  const barred: string[] = []
  for (const call of await allCalls()) {
    if (call.may !== 'anyone' && (await refusalOf(call, 'all')) === NEVER) barred.push(call.name)
  }
  expect(barred.toSorted()).toEqual([
    'apiTokens.add',
    'apiTokens.addService',
    'apiTokens.revoke',
    'listViews.list',
    'listViews.save',
    'session.check',
    'session.signOut',
    'session.signOutEverywhere',
    'users.add',
    'users.addPasskey',
    'users.beginPasskey',
    'users.beginSecondFactor',
    'users.confirmSecondFactor',
    'users.endSession',
    'users.remove',
    'users.removePasskey',
    'users.renamePasskey',
    'users.requireFactor',
    'users.resetSecondFactor',
    'users.turnOffSecondFactor',
    'users.update',
  ])
})

test('a log is read by the call of commands with a token that may only read', async () => {
  const control = async (command: 'tail' | 'start') => {
    const input = { params: { id: 'x' }, body: { data: { name: 'x', command } } }
    return (await inject(site.app, controlEncoder, tokens.get('read') ?? '', input)).status
  }
  expect([await control('tail'), await control('start')]).toEqual([404, 403])
})

test('the refusal names the token and the scope that is needed, and is in the record of activity', async () => {
  const body = { title: 'West', description: 'd', manager: site.people.loneManager.id }
  const { failure } = await inject(site.app, addGroup, tokens.get('operate') ?? '', { body })
  expect(failure.error).toBe(
    "The API token 'Script' may only read and send commands. This call needs a token of the scope 'All that its owner may do'. Make one in the console, under Access, API tokens.",
  )
  const lines = site.ctx.db.selectFrom('audit').selectAll().where('reason', '=', failure.error)
  const [line] = await lines.where('call', '=', 'groups.add').execute()
  expect(line).toMatchObject({ token: 'Script', result: 'refused' })
})
