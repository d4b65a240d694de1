/** The alarms of everything that this person may see: what is open, by first cause, and what was. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ALARM_SORTS, ALARMS_AT_ONCE } from '@trunkline/contract/alarms/alarm.calls'
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import { SEVERITIES, type Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { type ReactNode, useEffect, useState } from 'react'
import { useApiNow, useOpenAlarms } from '../lib/live/live-hooks.ts'
import { ButtonLink } from '../shared/page/ButtonLink.tsx'
import { usePageQuery } from '../shared/page/page-query.hook.ts'
import { useRole } from '../lib/session.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { storage } from '../lib/storage.ts'
import { TimelineDialog } from '../programs/timeline/TimelineDialog.tsx'
import { ListTools } from '../shared/list/ListTools.tsx'
import { NewestFirstTable } from '../shared/list/NewestFirstTable.tsx'
import { PagedTable } from '../shared/list/PagedTable.tsx'
import { TABLE_PAGE_SIZES, type Paging, usePaging } from '../shared/list/paging.hook.ts'
import { TablePage } from '../shared/list/TablePage.tsx'
import { LaterPart } from '../shared/page/Later.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { Button } from '../ui/button/Button.tsx'
import { Segmented } from '../ui/choice/Segmented.tsx'
import { Select } from '../ui/choice/Select.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import { Skeleton } from '../ui/notice/Skeleton.tsx'
import { disabledReasonOf, isQuiet, titleOf } from './alarm-view.rules.ts'
import { ALARMS, HISTORY_FAILED, LIST_FAILED, NONE_LOUD, SEVERITY_WORDS } from './alarm.messages.ts'
import { ALARM_KEY, alarmsQuery, historyQuery } from './alarm.queries.ts'
import { AlarmDialog, type AlarmQuestion } from './AlarmDialog.tsx'
import { ALARM_COLUMNS, AlarmRow } from './AlarmRow.tsx'
import { CallSettings } from './CallSettings.tsx'
import { MAINTENANCE_VIEW } from './maintenance/maintenance.loader.ts'
import { MaintenanceTools } from './maintenance/MaintenanceTools.tsx'
import { RULES_VIEW } from './rules/override.loader.ts'
import classes from './AlarmsPage.module.css'

const ROW_HEIGHT = 36
const PAGING = { sizes: TABLE_PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }
const VIEWS = [
  { value: 'open', label: 'Open', count: null },
  { value: 'history', label: 'History', count: null },
  { value: 'maintenance', label: 'Maintenance', count: null },
  { value: 'rules', label: 'Rules', count: null },
] as const
type View = (typeof VIEWS)[number]['value']
const NAMED = {
  list: 'alarms' as const,
  sorts: ALARM_SORTS,
  filters: { view: () => 'open', severity: () => '' },
  beginsInOwnOrder: true,
}
type AlarmPaging = ReturnType<typeof usePaging<(typeof ALARM_SORTS)[number]>>

export function AlarmsPage() {
  const [timelineOf, setTimelineOf] = useState<Alarm | null>(null)
  const paging = usePaging({ ...PAGING, named: NAMED })
  const { filters, setFilters } = paging
  // An address may be written by hand.
  const view = VIEWS.find(({ value }) => value === filters.view)?.value ?? 'open'
  const severity: Severity | '' = SEVERITIES.find((each) => each === filters.severity) ?? ''
  const choose = (next: Severity | '') => setFilters({ severity: next })
  const show = (next: View) => setFilters({ view: next })
  const shown = { severity, onTimeline: setTimelineOf, onAll: () => choose('') }
  return (
    <TablePage>
      <PageHead
        title={ALARMS}
        views={<Segmented label="View" segments={VIEWS} value={view} onChange={show} />}
        tools={
          <ViewTools view={view} paging={paging}>
            <AlarmTools
              isSearched={view === 'open'}
              severity={severity}
              onSeverity={choose}
              paging={paging}
            />
          </ViewTools>
        }
      />
      {view === 'open' && <OpenTable {...shown} paging={paging} />}
      {view === 'history' && <History {...shown} hidden={paging.hidden ?? []} />}
      {view === 'maintenance' && (
        <LaterPart
          part={MAINTENANCE_VIEW}
          props={{ paging }}
          waiting={<Skeleton kind="row" count={6} height={ROW_HEIGHT} />}
        />
      )}
      {view === 'rules' && (
        <LaterPart
          part={RULES_VIEW}
          props={{}}
          waiting={<Skeleton kind="row" count={6} height={ROW_HEIGHT} />}
        />
      )}
      {timelineOf !== null && (
        <TimelineDialog
          object={{ kind: timelineOf.kind, id: timelineOf.objectId, title: titleOf(timelineOf) }}
          cue={timelineOf.id}
          onClose={() => setTimelineOf(null)}
        />
      )}
    </TablePage>
  )
}

interface ViewToolsProps {
  view: View
  paging: Paging
  /** Those of alarms. */
  children: ReactNode
}

function ViewTools({ view, paging, children }: ViewToolsProps) {
  // Filters are saved of alarms.
  const unsaved = { ...paging, saved: null }
  if (view === 'maintenance') return <MaintenanceTools paging={unsaved} />
  return view === 'rules' ? <ListTools kind="alarmOverride" paging={unsaved} /> : children
}

interface AlarmToolsProps {
  /** The history has no search. */
  isSearched: boolean
  severity: Severity | ''
  onSeverity: (severity: Severity | '') => void
  paging: Paging
}

function AlarmTools({ isSearched, severity, onSeverity, paging }: AlarmToolsProps) {
  const role = useRole()
  return (
    <ListTools
      kind={ALARM_KEY}
      {...(isSearched ? { searchLabel: 'Search open alarms' } : {})}
      paging={paging}
    >
      <Select
        label="Severity"
        isLabelShown
        choices={[
          { value: '', label: 'All' },
          ...SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value] })),
        ]}
        value={severity}
        onChange={onSeverity}
      />
      <CallSettings />
      <ButtonLink to="/dashboard/path" preload={false}>
        Signal paths
      </ButtonLink>
      {mayDo(role, 'editNotifications') && (
        <ButtonLink to="/dashboard/notification" preload={false}>
          Notifications
        </ButtonLink>
      )}
    </ListTools>
  )
}

interface ShownProps {
  severity: Severity | ''
  onTimeline: (alarm: Alarm) => void
  /** Of every severity. */
  onAll: () => void
}

interface OpenTableProps extends ShownProps {
  paging: AlarmPaging
}

function OpenTable({ severity, paging, onTimeline, onAll }: OpenTableProps) {
  const [question, setQuestion] = useState<AlarmQuestion | null>(null)
  const { search: searchText, page, rowsPerPage, sorted } = paging
  const list = { searchText, severity, kind: '' as const, page, rowsPerPage, ...sorted }
  const answer = usePageQuery(alarmsQuery(list))
  const rows = answer.data?.data
  useReadOnChange()
  useAlarmKeys(rows ?? [], setQuestion)
  return (
    <>
      <PagedTable
        label={ALARMS}
        columns={ALARM_COLUMNS}
        answer={answer}
        rows={rows}
        total={answer.data?.total ?? 0}
        paging={paging}
        sizes={TABLE_PAGE_SIZES}
        rowHeight={ROW_HEIGHT}
        failedText={LIST_FAILED}
        tool={
          rows !== undefined &&
          rows.length > 0 && <AcknowledgeShown rows={rows} onAsk={setQuestion} />
        }
        empty={<NoAlarms isNarrowed={severity !== ''} onAll={onAll} />}
        rowOf={(alarm) => (
          <AlarmRow key={alarm.id} alarm={alarm} onAsk={setQuestion} onTimeline={onTimeline} />
        )}
      />
      {question !== null && <AlarmDialog question={question} onClose={() => setQuestion(null)} />}
    </>
  )
}

interface AcknowledgeShownProps {
  rows: readonly Alarm[]
  onAsk: (question: AlarmQuestion) => void
}

/** Of this page, those that nobody looks after yet. */
function AcknowledgeShown({ rows, onAsk }: AcknowledgeShownProps) {
  const role = useRole()
  const nowMs = useApiNow()
  const loud = rows.filter((alarm) => !isQuiet(alarm, nowMs))
  const theirs = loud.filter((alarm) => disabledReasonOf(alarm, role) === null)
  const alarms = theirs.slice(0, ALARMS_AT_ONCE)
  const refused = loud[0] === undefined ? NONE_LOUD : disabledReasonOf(loud[0], role)
  return (
    <div className={classes.bar}>
      <Button
        disabledReason={alarms.length > 0 ? null : refused}
        onClick={() => onAsk({ does: 'acknowledge several', alarms })}
      >
        {alarms.length > 0 ? `Acknowledge the ${alarms.length} shown` : 'Acknowledge the shown'}
      </Button>
    </div>
  )
}

/** The push says that the list is another: it is read again. */
function useReadOnChange(): void {
  const client = useQueryClient()
  const alarms = useOpenAlarms()
  const cue = alarms === null ? '' : JSON.stringify(alarms)
  useEffect(() => {
    if (cue !== '') void client.invalidateQueries({ queryKey: [ALARM_KEY, 'open'] })
  }, [client, cue])
}

/** Of the row that has the focus, or of the first. */
function useAlarmKeys(rows: readonly Alarm[], ask: (question: AlarmQuestion) => void): void {
  const askOf = (does: 'acknowledge' | 'mute') => {
    const row = document.activeElement?.closest<HTMLElement>('[data-alarm]')
    const id = row?.dataset['alarm']
    const alarm = rows.find((each) => each.id === id) ?? rows[0]
    if (alarm !== undefined && alarm.objectId !== '') ask({ alarm, does })
  }
  useShortcut('a', () => askOf('acknowledge'))
  useShortcut('m', () => askOf('mute'))
}

function NoAlarms({ isNarrowed, onAll }: { isNarrowed: boolean; onAll: () => void }) {
  if (isNarrowed) {
    return (
      <Empty
        title="No open alarms of this severity"
        action={<Button onClick={onAll}>Show all alarms</Button>}
      />
    )
  }
  return (
    <Empty title="No open alarms">
      An alarm is raised when something that should run does not, or does not carry media. It says
      what happened, why, and what to do.
    </Empty>
  )
}

interface HistoryProps extends ShownProps {
  /** Columns that somebody has hidden. */
  hidden: readonly string[]
}

function History({ severity, hidden, onTimeline, onAll }: HistoryProps) {
  const answer = useInfiniteQuery(historyQuery(severity))
  const empty =
    severity === '' ? (
      <Empty title="No alarms yet">Every alarm stays here after it is cleared.</Empty>
    ) : (
      <Empty
        title="No alarm of this severity yet"
        action={<Button onClick={onAll}>Show all alarms</Button>}
      />
    )
  return (
    <NewestFirstTable
      label="History of alarms"
      columns={ALARM_COLUMNS}
      hidden={hidden}
      rowHeight={ROW_HEIGHT}
      answer={answer}
      failedText={HISTORY_FAILED}
      empty={empty}
      olderLabel="Show older alarms"
      rowOf={(alarm) => <AlarmRow key={alarm.id} alarm={alarm} onTimeline={onTimeline} />}
    />
  )
}
