/** API tokens of who is signed in; for admins also those of services and of others. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { rowsOfPage } from '@trunkline/contract/search/sorted-rows.rules'
import { API_TOKEN_SORTS } from '@trunkline/contract/users/api-token.calls'
import type { ApiToken } from '@trunkline/contract/users/api-token.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { useRole } from '../lib/session.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { storage } from '../lib/storage.ts'
import { ListTools } from '../shared/list/ListTools.tsx'
import { PagedTable } from '../shared/list/PagedTable.tsx'
import { TABLE_PAGE_SIZES, usePaging, type Paging } from '../shared/list/paging.hook.ts'
import { useSortedPage, withSorting } from '../shared/list/sorted-rows.hook.ts'
import { TablePage } from '../shared/list/TablePage.tsx'
import { ButtonLink } from '../shared/page/ButtonLink.tsx'
import { LaterDialog } from '../shared/page/Later.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { Button } from '../ui/button/Button.tsx'
import { Segmented } from '../ui/choice/Segmented.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import { API_TOKEN_DIALOG } from './api-token.loader.ts'
import { API_TOKENS, LIST_FAILED, SEARCH_TOKENS } from './api-token.messages.ts'
import { allTokensQuery, ownTokensQuery, TOKEN_KEY } from './api-token.queries.ts'
import { ApiTokenRow, TOKEN_COLUMNS, TOKEN_SORT_VALUES } from './ApiTokenRow.tsx'

const ROW_HEIGHT = 36
const PAGING = { sizes: TABLE_PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }
/** Of everybody: a site may have thousands. */
const NAMED = { list: 'apiTokens' as const, sorts: API_TOKEN_SORTS, filters: {} }
const SORTED = { table: 'apiTokens', values: TOKEN_SORT_VALUES } as const
const VIEWS = [
  { value: 'own', label: 'Yours', count: null },
  { value: 'all', label: 'All', count: null },
] as const

export function ApiTokensPage() {
  const mayManage = mayDo(useRole(), 'manageApiTokens')
  const [view, setView] = useState<'own' | 'all'>('own')
  const [isAdding, setAdding] = useState(false)
  const ownPaging = usePaging(PAGING)
  const allPaging = usePaging({ ...PAGING, named: { ...NAMED, isShown: view === 'all' } })
  const add = () => setAdding(true)
  useShortcut('n', add)
  return (
    <TablePage>
      <PageHead
        title={API_TOKENS}
        views={
          mayManage && <Segmented label="View" segments={VIEWS} value={view} onChange={setView} />
        }
        tools={
          <ListTools
            kind={TOKEN_KEY}
            {...(view === 'all' ? { searchLabel: SEARCH_TOKENS } : {})}
            paging={view === 'all' ? allPaging : ownPaging}
            add={
              <Button tone="primary" icon="plus" onClick={add}>
                New token
              </Button>
            }
          >
            <OtherPages />
          </ListTools>
        }
      />
      {view === 'own' ? (
        <OwnTokens paging={ownPaging} onAdd={add} />
      ) : (
        <AllTokens paging={allPaging} onAdd={add} />
      )}
      {isAdding && (
        <LaterDialog
          part={API_TOKEN_DIALOG}
          props={{
            // A service is in the other list.
            onMade: (owner) => setView(owner === 'service' ? 'all' : view),
            onClose: () => setAdding(false),
          }}
        />
      )}
    </TablePage>
  )
}

function OtherPages() {
  return (
    <>
      <ButtonLink to="/dashboard/userManager" search={{ tab: 'reference' }} preload={false}>
        API reference
      </ButtonLink>
      <ButtonLink to="/dashboard/userManager" search={{}} preload={false}>
        Access
      </ButtonLink>
    </>
  )
}

function OwnTokens({ paging, onAdd }: { paging: Paging; onAdd: () => void }) {
  const { sorting, sorted } = useSortedPage(SORTED)
  const answer = useQuery(ownTokensQuery)
  return (
    <TokenTable
      answer={answer}
      rows={answer.data && rowsOfPage(sorted(answer.data.data), paging)}
      paging={withSorting(paging, sorting)}
      onAdd={onAdd}
    />
  )
}

function AllTokens({ paging, onAdd }: { paging: AllPaging; onAdd: () => void }) {
  const { search: searchText, page, rowsPerPage, sorted } = paging
  const answer = useQuery(allTokensQuery({ searchText, page, rowsPerPage, ...sorted }))
  return <TokenTable answer={answer} rows={answer.data?.data} paging={paging} onAdd={onAdd} />
}

type AllPaging = ReturnType<typeof usePaging<(typeof API_TOKEN_SORTS)[number]>>

interface TokenTableProps {
  answer: UseQueryResult<{ total: number }>
  rows: readonly ApiToken[] | undefined
  paging: Paging
  onAdd: () => void
}

function TokenTable({ answer, rows, paging, onAdd }: TokenTableProps) {
  return (
    <PagedTable
      label={API_TOKENS}
      columns={TOKEN_COLUMNS}
      answer={answer}
      rows={rows}
      total={answer.data?.total ?? 0}
      paging={paging}
      sizes={TABLE_PAGE_SIZES}
      rowHeight={ROW_HEIGHT}
      failedText={LIST_FAILED}
      empty={
        <Empty title="No API tokens yet" action={<Button onClick={onAdd}>New token</Button>}>
          A script calls the API with a token instead of a sign-in. A token may do at most what its
          owner may do, and it expires.
        </Empty>
      }
      rowOf={(token) => <ApiTokenRow key={token.id} token={token} />}
    />
  )
}
