/** The tools of a list: search, the page's own filters, refresh, and what adds a row. */
import type { CsvKind } from '@trunkline/contract/as-text/csv-columns.rules'
import type { ReactNode } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'
import { IconButton } from '../../ui/button/Button.tsx'
import { CsvButton } from '../csv/CsvButton.tsx'
import type { Paging } from './paging.hook.ts'
import { useRefresh } from './refresh.hook.ts'
import { SavedFilters } from './SavedFilters.tsx'
import { SearchBar } from './SearchBar.tsx'

interface ListToolsProps {
  /** First part of the query keys that refresh reads anew: 'user'. */
  kind: string
  /** 'Search users'; absent where a list is not searched. */
  searchLabel?: string
  paging: Paging
  suggestions?: readonly string[] | undefined
  onSuggest?: ((text: string) => void) | undefined
  /** Filters, between search and refresh. */
  children?: ReactNode
  /** Of a list that is also read from CSV files and written to them. */
  csv?: CsvKind
  /** After refresh: the button that adds. */
  add?: ReactNode
}

export function ListTools(props: ListToolsProps) {
  const { kind, paging } = props
  const { isWaiting, refresh } = useRefresh(kind)
  useShortcut('r', refresh)
  return (
    <>
      {props.searchLabel !== undefined && (
        <SearchBar
          key={`${kind} ${paging.searchKey}`}
          label={props.searchLabel}
          searched={paging.search}
          suggestions={props.suggestions}
          onSuggest={props.onSuggest}
          onSearch={paging.setSearch}
        />
      )}
      {props.children}
      {paging.saved !== null && <SavedFilters paging={paging} />}
      <IconButton
        icon="refresh"
        label="Refresh"
        disabledReason={isWaiting ? '' : null}
        onClick={refresh}
      />
      {props.csv !== undefined && <CsvButton kind={props.csv} />}
      {props.add}
    </>
  )
}
