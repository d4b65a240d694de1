/** API tokens of who is signed in; for admins also those of services and of others. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ApiToken } from '@trunkline/contract/users/api-token.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { useRole } from '../lib/session.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { storage } from '../lib/storage.ts'
import { PagedTable } from '../shared/list/PagedTable.tsx'
import { TABLE_PAGE_SIZES, usePaging } from '../shared/list/paging.hook.ts'
import { useRefresh } from '../shared/list/refresh.hook.ts'
import { rowsOfPage, useSortedPage, withSorting } from '../shared/list/sorted-rows.hook.ts'
import { TablePage } from '../shared/list/TablePage.tsx'
import { LaterDialog } from '../shared/page/Later.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { Button, IconButton } from '../ui/button/Button.tsx'
import buttonLink from '../ui/button/ButtonLink.module.css'
import { Segmented } from '../ui/choice/Segmented.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import { API_TOKEN_DIALOG } from './api-token.loader.ts'
import { API_TOKENS, LIST_FAILED } from './api-token.messages.ts'
import { allTokensQuery, ownTokensQuery, TOKEN_KEY } from './api-token.queries.ts'
import { ApiTokenRow, TOKEN_COLUMNS, TOKEN_SORT_VALUES } from './ApiTokenRow.tsx'

const ROW_HEIGHT = 36
const PAGING = { sizes: TABLE_PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }
const SORTED = { table: 'apiTokens', values: TOKEN_SORT_VALUES } as const
const VIEWS = [
  { value: 'own', label: 'Yours', count: null },
  { value: 'all', label: 'All', count: null },
] as const

export function ApiTokensPage() {
  const mayManage = mayDo(useRole(), 'manageApiTokens')
  const [view, setView] = useState<'own' | 'all'>('own')
  const [isAdding, setAdding] = useState(false)
  const add = () => setAdding(true)
  const { isWaiting, refresh } = useRefresh(TOKEN_KEY)
  useShortcut('n', add)
  useShortcut('r', refresh)
  return (
    <TablePage>
      <PageHead
        title={API_TOKENS}
        views={
          mayManage && <Segmented label="View" segments={VIEWS} value={view} onChange={setView} />
        }
        tools={
          <>
            <Link
              className={buttonLink.link}
              to="/dashboard/userManager"
              search={{ tab: 'reference' }}
              preload={false}
            >
              API reference
            </Link>
            <Link
              className={buttonLink.link}
              to="/dashboard/userManager"
              search={{}}
              preload={false}
            >
              Access
            </Link>
            <IconButton
              icon="refresh"
              label="Refresh"
              disabledReason={isWaiting ? '' : null}
              onClick={refresh}
            />
            <Button tone="primary" icon="plus" onClick={add}>
              New token
            </Button>
          </>
        }
      />
      {view === 'own' ? <OwnTokens onAdd={add} /> : <AllTokens onAdd={add} />}
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

function OwnTokens({ onAdd }: { onAdd: () => void }) {
  return <TokenTable answer={useQuery(ownTokensQuery)} onAdd={onAdd} />
}

function AllTokens({ onAdd }: { onAdd: () => void }) {
  return <TokenTable answer={useQuery(allTokensQuery)} onAdd={onAdd} />
}

interface TokenTableProps {
  answer: UseQueryResult<{ data: ApiToken[]; total: number }>
  onAdd: () => void
}

function TokenTable({ answer, onAdd }: TokenTableProps) {
  const { sorting, sorted } = useSortedPage(SORTED)
  const paging = withSorting(usePaging(PAGING), sorting)
  return (
    <PagedTable
      label={API_TOKENS}
      columns={TOKEN_COLUMNS}
      minWidth={980}
      answer={answer}
      rows={answer.data && rowsOfPage(sorted(answer.data.data), paging)}
      total={answer.data?.total ?? 0}
      paging={paging}
      sizes={TABLE_PAGE_SIZES}
      rowHeight={ROW_HEIGHT}
      failedText={LIST_FAILED}
      empty={
        <Empty title="No API tokens yet" action={<Button onClick={onAdd}>New token</Button>}>
          A script calls the API with a token in place of a sign-in. It does at most what its owner
          may do, and ends by itself.
        </Empty>
      }
      rowOf={(token) => <ApiTokenRow key={token.id} token={token} />}
    />
  )
}
