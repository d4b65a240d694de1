import { afterEach, expect, test, vi } from 'vitest'
import { openContributions } from '../../contributions/contributions.fixture.ts'
import { storage } from '../../lib/storage.ts'
import { inputOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'

vi.mock('./LongRows.tsx', () => {
  throw new Error('What draws long lists could not be fetched.')
})

afterEach(resetConsole)

test('All: where the drawing of long lists cannot be loaded the table says so, and the page stays', async () => {
  storage.rowsPerPage.write(0)
  const inputs = Array.from({ length: 101 }, (_, index) => inputOf(`${index + 1}`))
  const { screen } = await openContributions({ inputs })
  const words = await screen.findByText('This part of the console could not be loaded')
  expect(words.closest('table')?.getAttribute('aria-label')).toBe('Inputs')
  screen.getByRole('button', { name: 'Retry' })
  screen.getByRole('tab', { name: /Outputs/ })
})
