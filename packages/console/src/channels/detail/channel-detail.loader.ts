/** What a click on a channel opens, with all its panels. */
import { later } from '../../lib/later.ts'

export const CHANNEL_DETAIL = later(
  'channel detail',
  async () => (await import('./ChannelDetailDialog.tsx')).ChannelDetailDialog,
)
