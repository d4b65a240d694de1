/** Search with suggestions, the tab's own filters, refresh. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ListTools } from '../../shared/list/ListTools.tsx'
import type { Paging } from '../../shared/list/paging.hook.ts'
import { suggestionsQuery } from '../contribution.queries.ts'
import { type ObjectWord, PLURALS } from '../contribution.messages.ts'

interface LinkToolsProps {
  kind: ObjectWord
  paging: Paging
  /** The button that adds one. */
  add: ReactNode
  children?: ReactNode
}

export function LinkTools({ kind, paging, add, children }: LinkToolsProps) {
  const [typed, setTyped] = useState('')
  const { data: suggestions = [] } = useQuery(suggestionsQuery(kind, typed))
  return (
    <ListTools
      kind={kind}
      searchLabel={`Search ${PLURALS[kind]}`}
      paging={paging}
      suggestions={typed === '' ? [] : suggestions}
      onSuggest={setTyped}
      csv={kind}
      add={add}
    >
      {children}
    </ListTools>
  )
}
