import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { Toasts } from './Toasts.tsx'

afterEach(cleanup)

const OFFER = {
  id: 1,
  family: 'ok',
  shape: 'disc',
  title: 'Channel is off.',
  detail: '',
  isUrgent: false,
  lastsMs: 60_000,
  actions: [{ label: 'Undo', does: () => {} }],
} as const

function Page() {
  const [toasts, setToasts] = useState<readonly (typeof OFFER)[]>([])
  return (
    <MantineProvider env="test">
      <button type="button" onClick={() => setToasts([OFFER])}>
        Switch off
      </button>
      <Toasts toasts={toasts} onClose={() => setToasts([])} />
    </MantineProvider>
  )
}

test.each(['pointer', 'keyboard'])(
  'a notice that is closed by %s gives the focus back to what had it',
  async (way) => {
    const user = userEvent.setup()
    render(<Page />)
    const button = screen.getByRole('button', { name: 'Switch off' })
    await user.click(button)
    const undo = await screen.findByRole('button', { name: 'Undo' })
    if (way === 'pointer') await user.click(undo)
    else await user.keyboard('{Tab}{Enter}')
    expect(screen.queryByText('Channel is off.')).toBeNull()
    expect(document.activeElement).toBe(button)
  },
)
