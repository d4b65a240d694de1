/** API tokens for tests: put straight into the database, and made by the calls of the walk over every change. */
import { DAY_MS } from '@trunkline/contract/durations'
import {
  addApiToken,
  addServiceToken,
  revokeApiToken,
} from '@trunkline/contract/users/api-token.calls'
import type { TokenScope } from '@trunkline/contract/users/token-scope.rules'
import type { Context } from '../../context.ts'
import { newId } from '../../id.ts'
import type { Step } from '../../testing/change-walk.ts'
import { TEST_PASSWORD } from '../../testing/people.ts'
import type { TestSite } from '../../testing/test-site.ts'
import * as userService from '../user.service.ts'
import * as apiTokenStore from './api-token.store.ts'
import type { TokenOwner } from './api-token.store.ts'
import { newTokenText, tokenHash, tokenStart } from './token-text.ts'

export interface TestToken {
  id: string
  /** What a client sends. */
  text: string
}

/** `expiresInMs`: by the clock of that context. */
export async function addTestToken(
  ctx: Context,
  owner: TokenOwner,
  { scope = 'all' as TokenScope, title = 'Script', expiresInMs = DAY_MS } = {},
): Promise<TestToken> {
  const [id, text, nowMs] = [newId(), newTokenText(), ctx.clock()]
  const token = {
    id,
    title,
    start: tokenStart(text),
    scope,
    owner,
    createdAt: new Date(nowMs).toISOString(),
    createdBy: 'Test',
    expiresAt: new Date(nowMs + expiresInMs).toISOString(),
    usedAt: null,
    usedAddress: '',
  }
  await apiTokenStore.insert(ctx.db, token, tokenHash(text) ?? '')
  return { id, text }
}

/** Of that account as it is now. */
export async function personOwner(ctx: Context, userId: string): Promise<TokenOwner> {
  const user = await userService.find(ctx, userId)
  return { kind: 'person', userId, tokenVersion: user?.tokenVersion ?? 0 }
}

export async function walkApiTokens({ north }: TestSite, step: Step): Promise<void> {
  const draft = { title: 'Script', scope: 'read' as const, days: 7, currentPassword: TEST_PASSWORD }
  const id = await step(addApiToken, 'after', { body: draft })
  const service = { ...draft, role: 'monitor' as const, groupIds: [north] }
  await step(addServiceToken, 'after', { body: service })
  await step(revokeApiToken, 'before', { params: { id } })
}
