import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
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
