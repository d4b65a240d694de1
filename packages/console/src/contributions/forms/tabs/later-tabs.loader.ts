/** Tabs of a link's form that few open. */
import { later } from '../../../lib/later.ts'

export const ENCRYPTION_TAB = later(
  'encryption tab of a link',
  async () => (await import('./EncryptionTab.tsx')).EncryptionTab,
)
export const ADVANCED_TAB = later(
  'advanced tab of a link',
  async () => (await import('./AdvancedTab.tsx')).AdvancedTab,
)
