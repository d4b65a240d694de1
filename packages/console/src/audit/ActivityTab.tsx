/** The record of activity: who did what, to what, when, from where, with which result. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AUDIT_RESULTS } from '@trunkline/contract/audit/audit.schema'
import { OBJECT_KINDS } from '@trunkline/contract/fleet/fleet.schema'
import { useEffect, useRef, useState } from 'react'
import { usePageQuery } from '../shared/page/page-query.hook.ts'
import { KIND_WORDS, RESULT_VIEWS } from '../shared/activity/activity.messages.ts'
import { ListTools } from '../shared/list/ListTools.tsx'
import { PagedTable } from '../shared/list/PagedTable.tsx'
import { TABLE_PAGE_SIZES } from '../shared/list/paging.hook.ts'
import { Button } from '../ui/button/Button.tsx'
import { Select } from '../ui/choice/Select.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import type { ActivityFilter } from './activity-filter.hook.ts'
import { PERIOD_KINDS } from './activity-period.rules.ts'
import { LIST_FAILED, PERIOD_WORDS } from './activity.messages.ts'
import { ACTIVITY_KEY, activityQuery, countSinceQuery } from './activity.queries.ts'
import { ActivityBar } from './ActivityBar.tsx'
import { ActivityRow } from './ActivityRow.tsx'
import classes from './ActivityTable.module.css'

export function ActivityTools({ filter }: { filter: ActivityFilter }) {
  const [isOpen, setOpen] = useState(false)
  const { objectKind, result, period } = filter
  const set = [objectKind, result, period.kind === 'all' ? '' : period.kind]
  const count = set.filter((value) => value !== '').length
  return (
    <ListTools kind={ACTIVITY_KEY} searchLabel="Search activity" paging={filter}>
      {/* Of a phone only: a desk has room for the filters themselves. */}
      <Button
        className={classes.fold}
        icon={isOpen ? 'up' : 'down'}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? 'Object, result, period' : `Object, result, period ${count}`}
      </Button>
      <div className={classes.filters} data-open={isOpen || undefined}>
        <Filters filter={filter} />
      </div>
    </ListTools>
  )
}

function Filters({ filter }: { filter: ActivityFilter }) {
  const { period } = filter
  return (
    <>
      <Select
        label="Object"
        isLabelShown
        className={classes.filter}
        choices={[
          { value: '', label: 'All' },
          ...OBJECT_KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind] })),
        ]}
        value={filter.objectKind}
        onChange={filter.setObjectKind}
      />
      <Select
        label="Result"
        isLabelShown
        className={classes.filter}
        choices={[
          { value: '', label: 'All' },
          ...AUDIT_RESULTS.map((result) => ({ value: result, label: RESULT_VIEWS[result].word })),
        ]}
        value={filter.result}
        onChange={filter.setResult}
      />
      <Select
        label="Period"
        isLabelShown
        className={classes.filter}
        choices={PERIOD_KINDS.map((kind) => ({ value: kind, label: PERIOD_WORDS[kind] }))}
        value={period.kind}
        onChange={filter.setPeriodKind}
      />
    </>
  )
}

const ROW_HEIGHT = 36

export function ActivityTab({ filter }: { filter: ActivityFilter }) {
  const { answer, newCount, showNew } = useActivityLines(filter)
  const lines = answer.data?.data
  const { panel, focusNext } = useFocusOnNext(lines?.[0]?._id)
  return (
    <div ref={panel} className={classes.panel}>
      <ActivityBar
        filter={filter}
        newCount={newCount}
        onShowNew={() => {
          focusNext()
          showNew()
        }}
      />
      <PagedTable
        label="Activity"
        columns={[
          { head: 'Expand', isHeadHidden: true, width: 50 },
          { head: 'When', width: [218, 158] },
          { head: 'Who', width: [240, 210] },
          { head: 'What', stays: true, width: [250, 220] },
          { head: 'Object' },
          { head: 'Result', width: 104 },
          { head: 'From', width: 134 },
          { head: 'Details' },
        ]}
        answer={answer}
        rows={lines}
        total={answer.data?.total ?? 0}
        paging={filter}
        sizes={TABLE_PAGE_SIZES}
        rowHeight={ROW_HEIGHT}
        failedText={LIST_FAILED}
        empty={<NoLines filter={filter} />}
        rowOf={(entry) => <ActivityRow key={entry._id} entry={entry} />}
      />
    </div>
  )
}

/** The button goes with the lines that it announces, so the focus goes to the first of them. */
function useFocusOnNext(firstId: string | undefined) {
  const panel = useRef<HTMLDivElement>(null)
  const isAsked = useRef(false)
  useEffect(() => {
    if (!isAsked.current) return
    isAsked.current = false
    panel.current?.querySelector<HTMLElement>('[data-row-focus]')?.focus()
  }, [firstId])
  const focusNext = () => {
    isAsked.current = true
  }
  return { panel, focusNext }
}

function NoLines({ filter }: { filter: ActivityFilter }) {
  if (filter.isNarrowed) {
    return (
      <Empty
        title="Nothing matches these filters"
        action={<Button onClick={filter.clear}>Clear</Button>}
      />
    )
  }
  return (
    <Empty title="Nothing is recorded yet">
      Each change, each command and each refused attempt leaves a line here: who, when, from where,
      and what it was before.
    </Empty>
  )
}

/** The lines of the page that is shown, and how many newer ones wait to be shown. */
function useActivityLines(filter: ActivityFilter) {
  const client = useQueryClient()
  const { list } = filter
  const first = usePageQuery(activityQuery({ ...list, page: 0 }))
  const newest = first.data?.data[0]?.at ?? ''
  // Later pages end where the first one begins, so that no line slips to the next page meanwhile.
  const to = list.page === 0 || newest === '' ? list.to : justAfter(newest)
  const answer = useQuery(activityQuery({ ...list, to }))
  const { data: sinceCount } = useQuery({
    ...countSinceQuery(list, newest),
    enabled: newest !== '' && !first.isPlaceholderData,
  })
  const shownCount = first.data?.data.filter((line) => line.at === newest).length ?? 0
  return {
    answer,
    newCount: Math.max(0, (sinceCount ?? shownCount) - shownCount),
    showNew: () => {
      filter.setPage(0)
      void client.invalidateQueries({ queryKey: [ACTIVITY_KEY, 'list'] })
    },
  }
}

function justAfter(at: string): string {
  return new Date(Date.parse(at) + 1).toISOString()
}
