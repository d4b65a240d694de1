/** What scripts need, under Access: API tokens, and the reference of the calls. Loaded when first opened. */
import { later } from '../lib/later.ts'

export const API_TOKENS_PAGE = later(
  'API tokens',
  async () => (await import('../api-tokens/ApiTokensPage.tsx')).ApiTokensPage,
)

export const API_REFERENCE_PAGE = later(
  'API reference',
  async () => (await import('../api-reference/ApiReferencePage.tsx')).ApiReferencePage,
)
