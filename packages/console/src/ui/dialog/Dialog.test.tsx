import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { Dialog } from './Dialog.tsx'

afterEach(cleanup)

function Scene() {
  const [isOpen, setOpen] = useState(false)
  return (
    <MantineProvider env="test">
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog title="Keys" width={440} isOpen={isOpen} onClose={() => setOpen(false)}>
        Content
      </Dialog>
    </MantineProvider>
  )
}

test('the first dialog opens in the same step', () => {
  render(<Scene />)
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(screen.getByRole('dialog', { name: 'Keys' })).toBeDefined()
})

/** As one that is loaded, then read, then shown: each in the place of the one before. */
function Steps({ step }: { step: number }) {
  return (
    <MantineProvider env="test">
      <button type="button">Open</button>
      {step > 0 && (
        <Dialog key={step} title={`Step ${step}`} width={440} isOpen onClose={() => {}}>
          Content
        </Dialog>
      )}
    </MantineProvider>
  )
}

test('the focus returns after a dialog that replaced one that had replaced another', () => {
  const { rerender } = render(<Steps step={0} />)
  const opener = screen.getByRole('button', { name: 'Open' })
  opener.focus()
  for (const step of [1, 2, 3]) {
    rerender(<Steps step={step} />)
    const dialog = screen.getByRole('dialog', { name: `Step ${step}` })
    act(() => within(dialog).getByRole('button', { name: 'Close' }).focus())
  }
  rerender(<Steps step={0} />)
  expect(document.activeElement).toBe(opener)
})

test('the dialog keeps the focus of a control that goes with its step', () => {
  const shown = (step: string) => (
    <MantineProvider env="test">
      <Dialog title="Import" width={440} isOpen onClose={() => {}}>
        <button key={step} type="button">
          {step}
        </button>
      </Dialog>
    </MantineProvider>
  )
  const { rerender } = render(shown('Choose'))
  act(() => screen.getByRole('button', { name: 'Choose' }).focus())
  rerender(shown('Send'))
  expect(document.activeElement).toBe(screen.getByRole('dialog', { name: 'Import' }))
})

function SaveScene({ onBehind }: { onBehind: () => void }) {
  const [isOpen, setOpen] = useState(true)
  return (
    <MantineProvider env="test">
      <button type="button" onClick={onBehind}>
        Behind
      </button>
      <Dialog title="Edit" width={440} isOpen={isOpen} onClose={() => setOpen(false)}>
        <button type="button" onClick={() => setOpen(false)}>
          Save
        </button>
      </Dialog>
    </MantineProvider>
  )
}

test('the second click of a double click on Save does not reach the page behind the dialog', () => {
  const onBehind = vi.fn<() => void>()
  render(<SaveScene onBehind={onBehind} />)
  const behind = screen.getByRole('button', { name: 'Behind', hidden: true })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }), { detail: 1 })
  fireEvent.click(behind, { detail: 2 })
  expect(onBehind).not.toHaveBeenCalled()
  fireEvent.click(behind, { detail: 1 })
  fireEvent.click(behind, { detail: 2 })
  expect(onBehind).toHaveBeenCalledTimes(2)
})

test('the second click of a double click beside a dialog does not close it, a single click does', () => {
  const onClose = vi.fn<() => void>()
  render(
    <MantineProvider env="test">
      <Dialog title="Moving" width={440} isOpen onClose={onClose}>
        Content
      </Dialog>
    </MantineProvider>,
  )
  const beside = document.querySelector('.mantine-Modal-overlay')
  if (beside === null) throw new Error('There is nothing beside the dialog.')
  fireEvent.click(beside, { detail: 2 })
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.click(beside, { detail: 1 })
  expect(onClose).toHaveBeenCalledOnce()
})

test('what has the focus at first is in sight', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  onTestFinished(() => scroll.mockRestore())
  render(
    <MantineProvider env="test">
      <Dialog title="Long" width={440} isOpen onClose={() => {}}>
        <button type="button" data-autofocus>
          Turn on
        </button>
      </Dialog>
    </MantineProvider>,
  )
  const button = await screen.findByRole('button', { name: 'Turn on' })
  await vi.waitFor(() => expect(document.activeElement).toBe(button))
  expect(scroll.mock.contexts).toEqual([button])
})
