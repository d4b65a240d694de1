import { afterEach, expect, test, vi } from 'vitest'
import { renderConsole, resetConsole } from '../test/render-console.tsx'

vi.mock('../channels/list/ChannelsPage.tsx', () => {
  throw new Error('The code of this page could not be fetched.')
})

afterEach(resetConsole)

test('a page that cannot be loaded shows a message, and the header stays', async () => {
  const { screen } = renderConsole({ path: '/dashboard/channel', role: 'admin' })
  await screen.findByText('This page could not be shown.')
  screen.getByRole('button', { name: 'Reload the console' })
  expect(screen.getAllByRole('navigation', { name: 'Main' }).length).toBeGreaterThan(0)
})
