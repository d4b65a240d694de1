import { screen } from '@testing-library/react'

/**
 * What a click opens, and not what stands in its place while it is loaded, as on a busy machine: that is
 * called 'Opening…', and for its first moment has no name at all.
 */
export async function openedDialog(): Promise<HTMLElement> {
  return screen.findByRole('dialog', { name: (name) => name !== '' && name !== 'Opening…' })
}
