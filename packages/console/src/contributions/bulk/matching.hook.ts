/** Selects all that match a filter, on whatever page, without reading their rows. */
import { useQuery } from '@tanstack/react-query'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { MatchedState, MatchingLinks } from '@trunkline/contract/contributions/link.schema'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { ALL_ROWS_LIMIT } from '@trunkline/contract/paging.schema'
import { useMemo, useState } from 'react'
import { sentenceFor } from '../../lib/api-error.ts'
import { showToast } from '../../lib/toast.ts'
import * as text from '../contribution.messages.ts'
import { type BulkItem, type LinkKind, linkOf } from '../link.rules.ts'
import type { Selection } from '../list/selection.hook.ts'

export interface MatchingOffer {
  label: string
  isAsking: boolean
  onClick: () => void
}

interface Matching<T extends Input | Output> {
  kind: LinkKind
  /** Of all that match. */
  total: number
  selection: Selection<T>
  /** What they match. */
  list: object
  ask: () => Promise<MatchingLinks>
}

export function useMatching<T extends Input | Output>(props: Matching<T>) {
  const { kind, total, selection, list, ask } = props
  const [matched, setMatched] = useState<ReadonlyMap<string, BulkItem>>(new Map())
  const isLong = selection.rows.length > WATCHED_ITEMS
  const present = usePresent(isLong || selection.elsewhere > 0, kind, list, ask)
  const rows = new Map(selection.rows.map((row) => [row.id, row]))
  const items = selection.ids.flatMap((id): readonly BulkItem[] => {
    const row = rows.get(id)
    const now = present.get(id) ?? matched.get(id)
    if (row === undefined) return now === undefined ? [] : [now]
    const item = { ...linkOf(row), isRead: true, matchedState: now?.matchedState ?? null }
    if (now === undefined || selection.isHere(id)) return [item]
    // Its row was read when it was ticked, and may be another by now.
    return [{ ...item, isEnabled: now.isEnabled, outputs: now.outputs }]
  })
  const offer = useMatchingOffer(selection, { selected: items.length, total }, async () => {
    const found = itemsOf(kind, await ask())
    setMatched(new Map(found.map((item) => [item.id, item])))
    return found.map(({ id }) => id)
  })
  return { items, offer }
}

/** `ask`: the ids of all that match. Null where the page is not selected, or there are no more. */
export function useMatchingOffer<T extends { id: string }>(
  { page, pick }: Pick<Selection<T>, 'page' | 'pick'>,
  { selected, total }: { selected: number; total: number },
  ask: () => Promise<readonly string[]>,
): MatchingOffer | null {
  const [isAsking, setAsking] = useState(false)
  const selectAll = async () => {
    setAsking(true)
    try {
      pick(await ask())
    } catch (error) {
      showToast('failure', sentenceFor(error, text.MATCHING_FAILED), '')
    }
    setAsking(false)
  }
  if (page !== 'all' || selected >= Math.min(total, ALL_ROWS_LIMIT)) return null
  const label = text.selectMatchingLabel(total, ALL_ROWS_LIMIT)
  return { label, isAsking, onClick: () => void selectAll() }
}

/** So many states are watched; those of a longer selection of rows are asked for. */
export const WATCHED_ITEMS = 500
const NONE: ReadonlyMap<string, BulkItem> = new Map()

/** All that match as they are now: read again after each change and command. By id. */
function usePresent(
  isWanted: boolean,
  kind: LinkKind,
  list: object,
  ask: () => Promise<MatchingLinks>,
) {
  const { data } = useQuery({
    queryKey: [kind, 'matching', list],
    queryFn: async () => itemsOf(kind, await ask()),
    enabled: isWanted,
  })
  const present = useMemo(() => new Map(data?.map((item) => [item.id, item])), [data])
  return isWanted ? present : NONE
}

function itemsOf(kind: LinkKind, { states }: MatchingLinks): BulkItem[] {
  return states.flatMap(({ state, ids, names, outputs }) =>
    ids.map((id, at) => ({
      kind,
      id,
      name: names[at] ?? id,
      isRead: false,
      // Read when it is to be told.
      title: '',
      type: state === 'local' ? ('Local' as const) : ('SRT' as const),
      isEnabled: state !== 'disabled',
      outputs: outputs[at] ?? 0,
      matchedState: programStateOf(state),
    })),
  )
}

function programStateOf(state: MatchedState): BulkItem['matchedState'] {
  return state === 'disabled' || state === 'local' ? 'stopped' : state
}
