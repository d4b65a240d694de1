/** What the palette opens that its page has at hand, and others do not. */
import { later } from '../../lib/later.ts'

export const FEEDER_DIALOG = later(
  'feeder dialog',
  async () => (await import('../../encoders/feeders/FeederDialog.tsx')).FeederDialog,
)
export const SERVER_DIALOG = later(
  'server dialog',
  async () => (await import('../../servers/ServerDialog.tsx')).ServerDialog,
)
export const SERVER_TIMELINE = later(
  'server timeline',
  async () => (await import('../../servers/ServerTimeline.tsx')).ServerTimeline,
)
export const GROUP_DIALOG = later(
  'group dialog',
  async () => (await import('../../groups/GroupDialog.tsx')).GroupDialog,
)
export const EDIT_USER = later(
  'edit user',
  async () => (await import('../../users/form/EditUserDialog.tsx')).EditUserDialog,
)
export const SELECT_GROUP = later(
  'select group',
  async () => (await import('../../users/form/SelectGroupDialog.tsx')).SelectGroupDialog,
)
export const TEMPLATES_DIALOG = later(
  'templates',
  async () => (await import('../../encoders/templates/TemplatesDialog.tsx')).TemplatesDialog,
)
export const RENAME_TEMPLATE = later(
  'rename template',
  async () =>
    (await import('../../encoders/templates/RenameTemplateDialog.tsx')).RenameTemplateDialog,
)
export const RENAME_DIALOG = later(
  'rename dialog',
  async () => (await import('./RenameDialog.tsx')).RenameDialog,
)
