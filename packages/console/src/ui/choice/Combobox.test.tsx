import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { SelectField } from './SelectField.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const choices = Array.from({ length: 40 }, (_, at) => ({
  value: `id-${at}`,
  label: `Server ${at}`,
}))

test('the choice that the arrows reach is scrolled into sight', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  render(<SelectField label="Server" choices={choices} value="id-0" onChange={() => {}} />)
  const field = screen.getByRole('combobox', { name: 'Server' })
  await userEvent.click(field)
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  const marked = document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
  expect(marked?.textContent).toBe('Server 2')
  expect(scroll.mock.instances.at(-1)).toBe(marked)
})
