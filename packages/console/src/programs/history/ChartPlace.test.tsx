import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { makeQueryClient } from '../../lib/query-client.ts'
import { ChartPlace } from './ChartPlace.tsx'
import { CHART_FAILED } from './history.messages.ts'

vi.mock('./Chart.tsx', () => {
  throw new Error('Failed to fetch dynamically imported module')
})

test('a chart whose code cannot be fetched says so, and the page around it stays', async () => {
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <p>the links</p>
      <ChartPlace group="one" atMs={[]} lines={[]} hasBand={false} at={null} onPoint={() => {}} />
    </QueryClientProvider>,
  )
  await screen.findByText(CHART_FAILED)
  expect(screen.getByText('the links').isConnected).toBe(true)
})
