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

test('what is typed after a choice, or after Escape, is a new search', async () => {
  render(<SelectField label="Server" choices={choices} value="id-7" onChange={() => {}} />)
  const field = screen.getByRole('combobox', { name: 'Server' })
  await userEvent.tab()
  await userEvent.keyboard('{ArrowDown}{Escape}31')
  expect(field).toHaveProperty('value', '31')
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Server 31'])
  await userEvent.keyboard('{Enter}12')
  expect(field).toHaveProperty('value', '12')
})

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
