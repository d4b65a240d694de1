/** What a list shows stands in the address: a link shows the same list, and Back what was shown before. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

type Texts<N extends string> = Readonly<Record<N, string>>

interface ListAddress<N extends string> {
  /** Of what the address does not name, as it is when the list appears. */
  usual: Readonly<Record<N, () => string>>
  /** Where it is kept instead: 'page', as long as the page is open. */
  place: 'address' | 'page'
  /** Of several lists on a page: whether the address is about this one. */
  isShown: boolean
}

/** Left out of the address where they are empty. */
const BRIEF: ReadonlySet<string> = new Set(['page', 'search'])

export function useListAddress<N extends string>({ usual, place, isShown }: ListAddress<N>) {
  const address: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [first, setFirst] = useState(() => readAll(usual))
  const [kept, setKept] = useState<Partial<Texts<N>>>({})
  const [wasShown, setWasShown] = useState(isShown)
  if (isShown !== wasShown) {
    setWasShown(isShown)
    if (isShown) setFirst(readAll(usual))
  }
  const named = isShown && place === 'address' ? address : {}
  const values = place === 'page' ? { ...first, ...kept } : namedOr(first, named)
  /** 'replace': Back leads past what was shown until now. */
  const change = (next: Partial<Texts<N>>, how: 'push' | 'replace') => {
    if (place === 'page') return setKept((now) => ({ ...now, ...next }))
    void navigate({
      to: '.',
      // All of it, so that whoever follows a link sees none of their own choices in it; a change just
      // before this one is in the address, and not yet in what is shown.
      search: (was: Readonly<Record<string, unknown>>) => ({
        ...was,
        ...inAddress({ ...namedOr(first, was), ...next }),
      }),
      replace: how === 'replace',
    })
  }
  return { values, change }
}

function readAll<N extends string>(usual: Readonly<Record<N, () => string>>): Texts<N> {
  const entries = Object.entries<() => string>(usual).map(([name, read]) => [name, read()])
  return Object.fromEntries(entries) as Texts<N>
}

function namedOr<N extends string>(
  first: Texts<N>,
  named: Readonly<Record<string, unknown>>,
): Texts<N> {
  const entries = Object.entries<string>(first).map(([name, usual]) => [
    name,
    textOf(named[name]) ?? usual,
  ])
  return Object.fromEntries(entries) as Texts<N>
}

/** The router reads digits as a number. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function inAddress(values: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (value === '' && BRIEF.has(name)) return [name, undefined]
      // A text of digits would stand in quotation marks.
      return [name, name === 'page' ? Number(value) : value]
    }),
  )
}
