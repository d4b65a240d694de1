import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Leaving } from './Leaving.tsx'

test('a field of several controls is left by the focus, and not by a press on a label of its own', async () => {
  const user = userEvent.setup()
  const onLeave = vi.fn<() => void>()
  render(
    <>
      <Leaving onLeave={onLeave}>
        <p>Days</p>
        <label>
          <input type="checkbox" />
          <span>Mon</span>
        </label>
        <label>
          <input type="checkbox" />
          <span>Tue</span>
        </label>
      </Leaving>
      <button type="button">Save</button>
    </>,
  )
  await user.click(screen.getByText('Mon'))
  await user.click(screen.getByText('Tue'))
  await user.click(screen.getByText('Days'))
  expect(onLeave).not.toHaveBeenCalled()
  await user.click(screen.getByText('Mon'))
  await user.click(screen.getByRole('button'))
  expect(onLeave).toHaveBeenCalledOnce()
})
