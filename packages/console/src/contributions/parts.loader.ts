/** What the page of contributions shows only after a click. */
import { later } from '../lib/later.ts'
import { LOG_DIALOG } from '../programs/log/log.loader.ts'

export const LINK_DETAIL = later(
  'link detail',
  async () => (await import('./detail/LinkDetail.tsx')).LinkDetail,
)
export const RENAME_CELL = later(
  'rename',
  async () => (await import('./list/RenameCell.tsx')).RenameCell,
)
export const ADD_INPUT = later(
  'add input',
  async () => (await import('./add/AddLinkDialogs.tsx')).AddInputDialog,
)
export const ADD_OUTPUT = later(
  'add output',
  async () => (await import('./add/AddLinkDialogs.tsx')).AddOutputDialog,
)
export const CLONE_LINK = later(
  'clone link',
  async () => (await import('./add/CloneDialogs.tsx')).CloneLinkDialog,
)
export const CLONE_DESTINATION = later(
  'clone destination',
  async () => (await import('./add/CloneDialogs.tsx')).CloneDestinationDialog,
)
export const CHANGE_SERVER = later(
  'change server',
  async () => (await import('./inputs/ChangeServerDialog.tsx')).ChangeServerDialog,
)
export const CHANGE_DESTINATION = later(
  'change destination',
  async () => (await import('./outputs/ChangeDestinationDialog.tsx')).ChangeDestinationDialog,
)
export const DESTINATION_DIALOG = later(
  'destination',
  async () => (await import('./destinations/DestinationDialog.tsx')).DestinationDialog,
)

export const BULK_BAR = later(
  'bulk bar',
  async () => (await import('./bulk/LinkBulkBar.tsx')).LinkBulkBar,
)
export const BULK_RESULT = later(
  'bulk result',
  async () => (await import('./bulk/BulkResultDialog.tsx')).BulkResultDialog,
)

/** So that a click waits for nothing. */
export const SOON_WANTED = [
  LINK_DETAIL,
  RENAME_CELL,
  LOG_DIALOG,
  ADD_INPUT,
  ADD_OUTPUT,
  CLONE_LINK,
  CLONE_DESTINATION,
  CHANGE_SERVER,
  CHANGE_DESTINATION,
  DESTINATION_DIALOG,
  BULK_BAR,
  BULK_RESULT,
]
