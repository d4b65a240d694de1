/** What is done with API tokens: made, and revoked after a question. */
import { useQueryClient } from '@tanstack/react-query'
import {
  addApiToken,
  addServiceToken,
  revokeApiToken,
} from '@trunkline/contract/users/api-token.calls'
import {
  ApiTokenDraft,
  ServiceTokenDraft,
  type ApiToken,
} from '@trunkline/contract/users/api-token.schema'
import { sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { askFirst } from '../lib/confirm.ts'
import { invalidateKind } from '../lib/query-client.ts'
import { showToast } from '../lib/toast.ts'
import { draftOf, serviceDraftOf, type TokenValues } from './api-token-form.rules.ts'
import * as text from './api-token.messages.ts'

export interface MadeToken {
  title: string
  /** The whole of it, which nobody can read again. */
  token: string
}

/** @returns makes it; rejects with an ApiError for the form to show */
export function useMakeToken() {
  const client = useQueryClient()
  return async (values: TokenValues): Promise<MadeToken> => {
    const { token, data } =
      values.owner === 'self'
        ? await call(addApiToken, { body: ApiTokenDraft.parse(draftOf(values)) })
        : await call(addServiceToken, { body: ServiceTokenDraft.parse(serviceDraftOf(values)) })
    void invalidateKind(client, 'apiToken')
    return { title: data.title, token }
  }
}

/** @returns asks, then revokes; never throws, the toast says how it went */
export function useRevokeToken({ id, title }: ApiToken) {
  const client = useQueryClient()
  return async (): Promise<void> => {
    const isConfirmed = await askFirst({
      sentences: text.revokeSentences(title),
      doLabel: 'Revoke token',
      keepLabel: 'Keep token',
    })
    if (!isConfirmed) return
    try {
      await call(revokeApiToken, { params: { id } })
      showToast('success', text.REVOKED, text.REVOKED_MORE)
    } catch (error) {
      showToast('failure', sentenceFor(error, text.REVOKE_FAILED), title)
    }
    void invalidateKind(client, 'apiToken')
  }
}
