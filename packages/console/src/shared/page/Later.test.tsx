import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { later } from '../../lib/later.ts'
import { makeQueryClient } from '../../lib/query-client.ts'
import { LaterDialog } from './Later.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('a dialog that a hanging server does not deliver says so, and comes when it is delivered', async () => {
  const limit = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  const delivered = Promise.withResolvers<ComponentType<{ onClose: () => void }>>()
  const part = later('part of a test', async () => delivered.promise)
  const client = makeQueryClient()
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <LaterDialog part={part} props={{ onClose: () => {} }} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  expect(screen.queryByRole('dialog')).toBeNull()
  act(() => limit.abort())
  await screen.findByRole('dialog', { name: 'This part of the console could not be loaded' })
  delivered.resolve(() => <p>Delivered</p>)
  // As the live stream does when it is back.
  await act(async () => client.invalidateQueries())
  expect(await screen.findByText('Delivered')).toBeDefined()
})
