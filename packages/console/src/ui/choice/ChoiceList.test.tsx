import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { ChoiceList, type ListedChoice } from './ChoiceList.tsx'

afterEach(cleanup)

function many(count: number): ListedChoice[] {
  return Array.from({ length: count }, (_, at) => ({
    value: `id-${at}`,
    label: `Person ${at}`,
    detail: 'manager',
  }))
}

function Held(props: { kind: 'one' | 'many'; choices: ListedChoice[] }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  return (
    <>
      <ChoiceList
        {...props}
        label="Managers"
        chosen={chosen}
        onChange={setChosen}
        emptyText="None."
      />
      <output>{chosen.join(' ')}</output>
    </>
  )
}

test('single choice: choosing another replaces the first', async () => {
  render(<Held kind="one" choices={many(3)} />)
  await userEvent.click(screen.getByRole('radio', { name: 'Person 0 manager' }))
  await userEvent.click(screen.getByRole('radio', { name: 'Person 2 manager' }))
  expect(screen.getByRole('status').textContent).toBe('id-2')
})

test('several: each click adds or takes away', async () => {
  render(<Held kind="many" choices={many(3)} />)
  for (const at of [0, 2, 0]) {
    await userEvent.click(screen.getByRole('checkbox', { name: `Person ${at} manager` }))
  }
  expect(screen.getByRole('status').textContent).toBe('id-2')
  expect(screen.getByRole('group').textContent).toContain('(1)')
})

test('of ten thousand a hundred are drawn; typing finds any of them, and Enter sends no form', async () => {
  let sent = 0
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault()
        sent += 1
      }}
    >
      <Held kind="one" choices={many(10_000)} />
    </form>,
  )
  expect(screen.getAllByRole('radio')).toHaveLength(100)
  expect(screen.getByText('9,900 more: type to narrow the list.')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Narrow Managers'), 'person 9876{Enter}')
  expect(screen.getAllByRole('radio')).toHaveLength(1)
  expect(screen.getByRole('radio', { name: 'Person 9876 manager' })).toBeTruthy()
  expect(sent).toBe(0)
  await userEvent.type(screen.getByLabelText('Narrow Managers'), 'x')
  expect(screen.getByText("Nothing matches 'person 9876x'.")).toBeTruthy()
})

test('a list with nothing in it says why', () => {
  render(<Held kind="one" choices={[]} />)
  expect(screen.getByText('None.')).toBeTruthy()
})
