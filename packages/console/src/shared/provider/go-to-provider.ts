/** Sign-in by the provider of the site: the way there (ADR 0069). */
import { beginOidc } from '@trunkline/contract/session/oidc.calls'
import { call } from '../../lib/call.ts'
import { storage } from '../../lib/storage.ts'

interface Going {
  /** The page that was asked for; '' for none. */
  from: string
  /** The provider asks who it is also where it knows. */
  again: boolean
}

/**
 * Leaves the console for the provider.
 * @throws ApiError, such as while the provider is away
 */
export async function goToProvider({ from, again }: Going): Promise<void> {
  const { url, binding } = await call(beginOidc, { body: { again } })
  storage.providerSignIn.write({ binding, from })
  window.location.assign(url)
}
