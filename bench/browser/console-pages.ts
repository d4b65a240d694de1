/** The pages of the header, and what shows that the first row of each is there. */
export interface ConsolePage {
  name: string
  path: string
  /** Selects the first real row. */
  useful: string
}

const ROW = 'main table tbody tr td'

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  { name: 'dashboard', path: '/', useful: 'article[data-word]' },
  { name: 'servers', path: '/dashboard/server', useful: ROW },
  { name: 'groups', path: '/dashboard/group', useful: ROW },
  { name: 'access', path: '/dashboard/userManager', useful: ROW },
  { name: 'encoders', path: '/dashboard/managerEncoder', useful: ROW },
  { name: 'channels', path: '/dashboard/channel', useful: ROW },
  { name: 'inputs', path: '/dashboard/contribution', useful: ROW },
  { name: 'outputs', path: '/dashboard/contribution?tab=outputs', useful: ROW },
]
