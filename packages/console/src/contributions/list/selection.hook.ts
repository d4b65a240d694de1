/**
 * Which rows of a table are ticked. Rows of other pages stay ticked while one turns the pages; the
 * selection ends with the table that it belongs to.
 */
import { useMemo, useRef, useState } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'

export interface Selection<T extends { id: string }> {
  /** As they were read last; without those that were picked by id alone. */
  rows: readonly T[]
  ids: readonly string[]
  has: (id: string) => boolean
  /** Whether the row of that id is on this page. */
  isHere: (id: string) => boolean
  /** Of the rows of this page. */
  page: 'all' | 'some' | 'none'
  /** How many of them are on other pages. */
  elsewhere: number
  toggle: (row: T, isOn: boolean, isRange: boolean) => void
  togglePage: (isOn: boolean) => void
  /** These and no others, whether their rows were read or not. */
  pick: (ids: readonly string[]) => void
  drop: (ids: readonly string[]) => void
  clear: () => void
}

/** `shown`: the rows of the present page; undefined while none came. */
export function useSelection<T extends { id: string }>(
  shown: readonly T[] | undefined,
): Selection<T> {
  const [picked, setPicked] = useState<ReadonlyMap<string, T | null>>(new Map())
  const lastId = useRef<string | null>(null)
  const clear = () => setPicked(new Map())
  useShortcut('Escape', clear)
  const page = shown ?? NO_ROWS
  const fresh = useFresh(picked, page as readonly T[])
  const pageIds = useMemo(() => new Set(page.map(({ id }) => id)), [page])
  const here = page.filter(({ id }) => picked.has(id)).length
  const change = (rows: readonly T[], isOn: boolean) =>
    setPicked((now) => withRows(now, rows, isOn))
  return {
    rows: fresh,
    ids: [...picked.keys()],
    has: (id) => picked.has(id),
    isHere: (id) => pageIds.has(id),
    page: here === 0 ? 'none' : here === page.length ? 'all' : 'some',
    elsewhere: picked.size - here,
    toggle: (row, isOn, isRange) => {
      const rows = page as readonly T[]
      change(isRange ? rangeOf(rows, lastId.current, row.id) : [row], isOn)
      lastId.current = row.id
    },
    togglePage: (isOn) => change(page as readonly T[], isOn),
    pick: (ids) => setPicked((now) => new Map(ids.map((id) => [id, now.get(id) ?? null]))),
    drop: (ids) => {
      const isGone = new Set(ids)
      setPicked((now) => new Map([...now].filter(([id]) => !isGone.has(id))))
    },
    clear,
  }
}

const NO_ROWS: readonly never[] = []

/** What is ticked and on this page is shown as it is now, not as it was when it was ticked. */
function useFresh<T extends { id: string }>(
  picked: ReadonlyMap<string, T | null>,
  page: readonly T[],
): readonly T[] {
  return useMemo(() => {
    const now = new Map(page.map((row) => [row.id, row]))
    return [...picked].flatMap(([id, row]) => now.get(id) ?? row ?? [])
  }, [picked, page])
}

function withRows<T extends { id: string }>(
  picked: ReadonlyMap<string, T | null>,
  rows: readonly T[],
  isOn: boolean,
): ReadonlyMap<string, T | null> {
  const next = new Map(picked)
  for (const row of rows) {
    if (isOn) next.set(row.id, row)
    else next.delete(row.id)
  }
  return next
}

/** From the row ticked last to this one; this one alone where that is not on the page. */
function rangeOf<T extends { id: string }>(
  rows: readonly T[],
  fromId: string | null,
  toId: string,
): readonly T[] {
  const from = rows.findIndex(({ id }) => id === fromId)
  const to = rows.findIndex(({ id }) => id === toId)
  if (from === -1) return rows.slice(to, to + 1)
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1)
}
