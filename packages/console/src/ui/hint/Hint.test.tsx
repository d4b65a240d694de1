import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { Hint } from './Hint.tsx'

afterEach(cleanup)

function open(text: string) {
  let clicks = 0
  render(
    <MantineProvider>
      <Hint text={text}>
        <button type="button" aria-describedby="more" onClick={() => (clicks += 1)}>
          Stop
        </button>
      </Hint>
      <button type="button">Other</button>
    </MantineProvider>,
  )
  return { button: screen.getByRole('button', { name: 'Stop' }), clicks: () => clicks }
}

test('a hint appears with the pointer, describes its button, and disappears with the pointer', async () => {
  const { button, clicks } = open('It is running.')
  await userEvent.hover(button)
  expect((await screen.findByRole('tooltip')).textContent).toContain('It is running.')
  const ids = button.getAttribute('aria-describedby')?.split(' ') ?? []
  expect(ids[0]).toBe('more')
  expect(document.getElementById(ids[1] ?? '')?.textContent).toBe('It is running.')
  await userEvent.click(button)
  expect(clicks()).toBe(1)
  await userEvent.unhover(button)
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull())
  expect(button.getAttribute('aria-describedby')).toBe('more')
})

test('it appears with the keyboard’s focus, and Escape hides it while the focus stays', async () => {
  const { button } = open('It is running.')
  await userEvent.tab()
  expect(document.activeElement).toBe(button)
  await screen.findByRole('tooltip')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('tooltip')).toBeNull()
  expect(document.activeElement).toBe(button)
  await userEvent.tab()
  await userEvent.tab({ shift: true })
  await screen.findByRole('tooltip')
})

test('a hint that gets a text keeps the focus', async () => {
  const button = (text: string) => (
    <MantineProvider>
      <Hint text={text}>
        <button type="button">Stop</button>
      </Hint>
    </MantineProvider>
  )
  const { rerender } = render(button(''))
  await userEvent.tab()
  expect(screen.queryByRole('tooltip')).toBeNull()
  const before = document.activeElement
  rerender(button('The host does not answer.'))
  await screen.findByRole('tooltip')
  expect(document.activeElement).toBe(before)
})
