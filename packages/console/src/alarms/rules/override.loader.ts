import { later } from '../../lib/later.ts'

export const RULES_VIEW = later(
  'alarm rules view',
  async () => (await import('./RulesView.tsx')).RulesView,
)

export const OVERRIDE_DIALOG = later(
  'alarm override dialog',
  async () => (await import('./OverrideDialog.tsx')).OverrideDialog,
)

export const OBJECT_RULES_DIALOG = later(
  'alarm rules of an object',
  async () => (await import('./ObjectRulesDialog.tsx')).ObjectRulesDialog,
)
