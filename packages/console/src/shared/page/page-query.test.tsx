import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { usePageQuery } from './page-query.hook.ts'
import { makeQueryClient } from '../../lib/query-client.ts'

const read = vi.fn<() => Promise<string>>(async () => Promise.resolve('rows'))

/** Draws what is known, and how often it was asked for until then. */
function Page({ enabled = true }) {
  const { data = 'nothing' } = usePageQuery({ queryKey: ['page'], queryFn: read, enabled })
  return `${data} after ${read.mock.calls.length}`
}

function show(page: React.ReactElement): HTMLElement {
  read.mockClear()
  const client = makeQueryClient()
  return render(<QueryClientProvider client={client}>{page}</QueryClientProvider>).container
}

test('W8 a page asks for its list while it is drawn for the first time, and once', async () => {
  const page = show(<Page />)
  expect(page.textContent).toBe('nothing after 1')
  await expect.poll(() => page.textContent).toBe('rows after 1')
})

test('Q128 a list that is not wanted now is not asked for', () => {
  expect(show(<Page enabled={false} />).textContent).toBe('nothing after 0')
})
