/** All signal paths of a group, or of everything that this person may see, worst first. */
import { useEffect, useRef } from 'react'
import { useCounts } from '../lib/live/live-hooks.ts'
import { usePageQuery } from '../shared/page/page-query.hook.ts'
import { useRole, useSession } from '../lib/session.ts'
import { storage } from '../lib/storage.ts'
import { useCalmRefresh } from '../shared/calm-refresh.hook.ts'
import { seesAllGroups, startingGroup } from '../shared/choices/first-group.rules.ts'
import { GroupPicker } from '../shared/choices/GroupPicker.tsx'
import { ListTools } from '../shared/list/ListTools.tsx'
import { PagedTable } from '../shared/list/PagedTable.tsx'
import { usePaging } from '../shared/list/paging.hook.ts'
import { StatesChanged } from '../shared/list/StatesChanged.tsx'
import { TablePage } from '../shared/list/TablePage.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { Button } from '../ui/button/Button.tsx'
import { Segmented } from '../ui/choice/Segmented.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import {
  PATHS,
  PATHS_FAILED,
  PATHS_FOOT,
  PATHS_NONE,
  PATHS_NONE_WHY,
  PATHS_WELL,
} from './path.messages.ts'
import { PATHS_KEY, READ_EVERY_MS, signalPathsQuery, type PathList } from './path.queries.ts'
import classes from './PathLine.module.css'
import { PATH_COLUMNS, PathRow } from './PathRow.tsx'

const ROW_HEIGHT = 40
/** Each path follows the states of all its hops. */
const SIZES = [24, 50, 100] as const
const PAGING = { sizes: SIZES, rowsEntry: storage.tableRowsPerPage }

export function FleetPathsPage() {
  const role = useRole()
  const session = useSession()
  const ownGroupIds = session?.user.groups.map((group) => group._id) ?? []
  const paging = usePaging({
    ...PAGING,
    named: {
      list: 'paths',
      sorts: [],
      filters: {
        show: () => 'all',
        group: () => startingGroup({ role, ownGroupIds, remembered: storage.pathGroupId.read() }),
      },
    },
  })
  const { filters, setFilters } = paging
  const show: PathList['show'] = filters.show === 'attention' ? 'attention' : 'all'
  const groupId = filters.group
  const { search: searchText, page, rowsPerPage } = paging
  const answer = usePageQuery(signalPathsQuery({ groupId, show, searchText, page, rowsPerPage }))
  const choose = (next: PathList['show']) => setFilters({ show: next })
  const refresh = () => void answer.refetch()
  const calm = useWorstFirst(groupId, answer.dataUpdatedAt, refresh)
  const { data, total = 0, attention = null } = answer.data ?? {}
  return (
    <TablePage>
      <PageHead
        title={PATHS}
        views={
          <Segmented
            label="Show"
            segments={[
              { value: 'all', label: 'All', count: null },
              { value: 'attention', label: 'Needs attention', count: attention },
            ]}
            value={show}
            onChange={choose}
          />
        }
        tools={
          <ListTools kind={PATHS_KEY} searchLabel="Search signal paths" paging={paging}>
            <GroupPicker
              value={groupId}
              onChange={(next) => {
                storage.pathGroupId.write(next)
                setFilters({ group: next })
              }}
              hasAll={seesAllGroups(role)}
            />
          </ListTools>
        }
      />
      <div className={classes.hold} {...calm.handlers}>
        <PagedTable
          label={PATHS}
          columns={PATH_COLUMNS}
          answer={answer}
          rows={data}
          total={total}
          // Two columns, which both stay.
          paging={{ ...paging, hidden: null }}
          sizes={SIZES}
          rowHeight={ROW_HEIGHT}
          failedText={PATHS_FAILED}
          foot={PATHS_FOOT}
          bar={calm.isOutdated && <StatesChanged onShow={refresh} />}
          empty={<NoPaths show={show} onAll={() => choose('all')} />}
          rowOf={(path) => <PathRow key={beginOf(path)} path={path} />}
        />
      </div>
    </TablePage>
  )
}

type Path = Parameters<typeof PathRow>[0]['path']

function beginOf({ hops }: Path): string {
  return hops.find(({ side }) => side === 'self')?.key ?? ''
}

/**
 * Read again once states have changed, and now and then for hops of other groups, which are not among
 * the counts; but not under the hands of whoever reads the list.
 */
function useWorstFirst(groupId: string, readAtMs: number, refresh: () => void) {
  const counts = useCounts('all', groupId)
  const calm = useCalmRefresh({
    change: counts === null ? null : JSON.stringify(counts.families),
    readAtMs,
    refresh,
  })
  const latest = useRef(refresh)
  useEffect(() => {
    latest.current = refresh
  })
  const { isHeld } = calm
  useEffect(() => {
    if (isHeld) return
    const timer = setInterval(() => latest.current(), READ_EVERY_MS)
    return () => clearInterval(timer)
  }, [isHeld])
  return calm
}

function NoPaths({ show, onAll }: { show: PathList['show']; onAll: () => void }) {
  if (show === 'all') return <Empty title={PATHS_NONE}>{PATHS_NONE_WHY}</Empty>
  return <Empty title={PATHS_WELL} action={<Button onClick={onAll}>Show all paths</Button>} />
}
