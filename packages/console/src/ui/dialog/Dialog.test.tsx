import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
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

test('the focus returns also after a dialog that stood in for one that stood in', () => {
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
