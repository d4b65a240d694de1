/** What a call with an API token may not do, whatever its owner may. */
import type { Route } from '@trunkline/contract/route'
import {
  includesScope,
  SCOPE_NAMES,
  scopeNeeded,
  type TokenScope,
} from '@trunkline/contract/users/token-scope.rules'
import { forbidden } from '../../errors.ts'
import type { Actor } from '../../security/actor.ts'

const NEVER =
  'An API token cannot do this. Sign in to make and revoke tokens, and to change users and sessions.'

const MAY: Readonly<Record<TokenScope, string>> = {
  read: 'may only read',
  operate: 'may only read and send commands',
  all: 'may do all that its owner may',
}

/** Throws Forbidden. `changes`: the call as it is made would change something. */
export function assertTokenMay(
  { apiToken: token }: Actor,
  { name }: Pick<Route, 'name'>,
  changes: () => boolean,
): void {
  if (token === undefined) return
  const needed = scopeNeeded(name, changes())
  if (needed === null) throw forbidden(NEVER)
  const refusal = scopeRefusal(token, needed)
  if (refusal !== null) throw forbidden(refusal)
}

/** Null where the token has that scope. */
export function scopeRefusal(
  { title, scope }: { title: string; scope: TokenScope },
  needed: TokenScope,
): string | null {
  if (includesScope(scope, needed)) return null
  return `The API token '${title}' ${MAY[scope]}. This call needs a token of the scope '${SCOPE_NAMES[needed]}'. Make one in the console, under Access, API tokens.`
}
