import { expect, test } from 'vitest'
import { beginState, type FormAction, type FormRules, reducerOf } from './form-state.rules.ts'

interface Values {
  title: string
  rate: string
  cap: string
  port: string
  rows: readonly string[]
  /** No field: it follows what is saved. */
  hasKey: boolean
}

const RULES: FormRules<Values> = {
  names: ['title', 'rate', 'cap', 'port', 'rows'],
  follow: (_, { rate }) =>
    rate === undefined ? {} : { change: { cap: rate }, why: 'follows rate' },
  mayOffer: ({ title }) => title !== 'closed',
}
const VALUES: Values = { title: 'North', rate: '1', cap: '1', port: '', rows: [], hasKey: false }
const reduce = reducerOf(RULES)

function after(version: number | null, ...actions: readonly FormAction<Values>[]) {
  return actions.reduce(reduce, beginState({ values: VALUES, version }))
}

test('an edit changes the dependent fields with a reason; the typed field has none', () => {
  const state = after(1, { step: 'edit', change: { rate: '2' } })
  expect([state.values.cap, state.reasons]).toEqual(['2', { cap: 'follows rate' }])
  const typed = after(1, { step: 'edit', change: { rate: '2', cap: '3' } })
  expect([typed.values.cap, typed.reasons]).toEqual(['3', {}])
})

test('an edit that changes nothing does not count', () => {
  const state = after(1)
  expect(reduce(state, { step: 'edit', change: { title: 'North', rows: [] } })).toBe(state)
})

test('a change of many fields is undone, except what was typed after it', () => {
  const apply = {
    step: 'apply',
    change: { rate: '9', title: 'Demo' },
    title: 'Demo',
    kind: 't',
  } as const
  const state = after(1, apply, { step: 'edit', change: { title: 'Typed' } })
  expect(state.bulk).toMatchObject({ title: 'Demo', count: 2 })
  const undone = reduce(state, { step: 'undo' })
  expect(undone.values).toEqual({ ...VALUES, title: 'Typed' })
  expect([undone.reasons, undone.bulk]).toEqual([{}, null])
})

test('an offer fills an empty field, and counts as a change of a saved object only', () => {
  const offer = { step: 'offer', change: { port: '6000', rate: '7' } } as const
  expect(after(null, offer)).toMatchObject({
    values: { port: '6000', rate: '1' },
    base: { port: '6000' },
  })
  expect(after(1, offer)).toMatchObject({ values: { port: '6000' }, base: { port: '' } })
  const closed = after(null, { step: 'edit', change: { title: 'closed' } }, offer)
  expect([closed.values.port, closed.offered]).toEqual(['', { port: '6000', rate: '7' }])
})

test('a newer saved object keeps the typed text, and Discard shows the newer values', () => {
  const begin = {
    step: 'begin',
    values: { ...VALUES, title: 'South', port: '1' },
    version: 4,
  } as const
  const state = after(1, { step: 'edit', change: { title: 'Typed' } }, begin)
  expect([state.values.title, state.values.port, state.version]).toEqual(['Typed', '1', 4])
  expect(reduce(state, { step: 'discard' }).values).toEqual(begin.values)
})

test('lists are merged as a single field, and other values follow the saved object', () => {
  const theirs = { ...VALUES, rows: ['theirs'], hasKey: true }
  const read = { step: 'read', values: theirs, version: 2 } as const
  expect(after(1, read).values).toEqual(theirs)
  const mine = after(1, { step: 'edit', change: { rows: ['mine'] } }, read)
  expect(mine.news?.clashes).toEqual(['rows'])
  expect([mine.values.rows, mine.values.hasKey]).toEqual([['mine'], true])
  expect(reduce(mine, { step: 'take-theirs' }).values.rows).toEqual(['theirs'])
})
