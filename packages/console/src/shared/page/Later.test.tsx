import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { later } from '../../lib/later.ts'
import { makeQueryClient } from '../../lib/query-client.ts'
import { LaterDialog, LaterPart } from './Later.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A dialog whose part is on its way until `delivered` is resolved; at first `before` is, where it is given. */
function renderDialog(before?: Promise<never>) {
  const delivered = Promise.withResolvers<ComponentType<{ onClose: () => void }>>()
  const load = vi.fn<() => typeof delivered.promise>(async () => delivered.promise)
  if (before !== undefined) load.mockReturnValueOnce(before)
  const part = later('part of a test', load)
  const client = makeQueryClient()
  const onClose = vi.fn<() => void>()
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <LaterDialog part={part} props={{ onClose }} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return { delivered, client, onClose }
}

test('a dialog that a hanging server does not deliver says so, and comes when it is delivered', async () => {
  const limit = Promise.withResolvers<never>()
  const { delivered, client } = renderDialog(limit.promise)
  expect(screen.queryByRole('dialog')).toBeNull()
  await act(async () => limit.reject(new Error('It took too long.')))
  await screen.findByRole('dialog', { name: 'This part of the console could not be loaded' })
  delivered.resolve(() => <p>Delivered</p>)
  // As the live stream does when it is back.
  await act(async () => client.invalidateQueries())
  expect(await screen.findByText('Delivered')).toBeDefined()
})

test('a dialog that is slow to come shows that it opens, and can be given up meanwhile', async () => {
  vi.useFakeTimers()
  const { delivered, onClose } = renderDialog()
  await act(async () => vi.advanceTimersByTimeAsync(299))
  expect(screen.queryByRole('dialog')).toBeNull()
  await act(async () => vi.advanceTimersByTimeAsync(51))
  screen.getByRole('dialog', { name: 'Opening…' })
  await act(async () => vi.advanceTimersByTimeAsync(100))
  // Space and Enter of what is typed ahead press nothing.
  expect(document.activeElement?.textContent).toMatch(/^Waiting for the console server/)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onClose).toHaveBeenCalledOnce()
  delivered.resolve(() => <p>Delivered</p>)
  await act(async () => vi.advanceTimersByTimeAsync(1))
  screen.getByText('Delivered')
  expect(screen.queryByRole('dialog', { name: 'Opening…' })).toBeNull()
})

function NameField() {
  return <input aria-label="Name" />
}

/** A part whose first `failures` attempts fail, beside a field of the page. */
function renderPart(failures: number) {
  const load = vi.fn<() => Promise<ComponentType>>(async () => Promise.resolve(NameField))
  for (let left = failures; left > 0; left -= 1) load.mockRejectedValueOnce(new Error('No answer'))
  vi.spyOn(console, 'warn').mockReturnValue()
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <MantineProvider env="test">
        <input aria-label="Title" />
        <div>
          <LaterPart part={later('tab of a test', load)} props={{}} waiting={null} />
        </div>
      </MantineProvider>
    </QueryClientProvider>,
  )
}

test('a tab that could not be loaded comes by its button, which hands the focus on', async () => {
  renderPart(1)
  await userEvent.type(screen.getByLabelText('Title'), 'Typed')
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  const field = await screen.findByLabelText('Name')
  expect(document.activeElement).toBe(field)
  expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Typed')
})

test('a tab that could not be loaded comes by itself, and its words stay until then', async () => {
  vi.useFakeTimers()
  renderPart(2)
  await act(async () => vi.advanceTimersByTimeAsync(1))
  screen.getByText('This part of the console could not be loaded')
  await act(async () => vi.advanceTimersByTimeAsync(5000))
  screen.getByText('This part of the console could not be loaded')
  await act(async () => vi.advanceTimersByTimeAsync(5000))
  expect(screen.queryByLabelText('Name')).not.toBeNull()
})
