import { later } from '../../lib/later.ts'

export const LINK_TEST_DIALOG = later(
  'link test',
  async () => (await import('./LinkTestDialog.tsx')).LinkTestDialog,
)
