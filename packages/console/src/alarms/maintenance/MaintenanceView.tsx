/** When alarms of what call nobody: on now, to come, and over. */
import { useQuery } from '@tanstack/react-query'
import { MAINTENANCE_SORTS } from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import type { MaintenanceWindow } from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { sortOf } from '@trunkline/contract/search/sorted-rows.rules'
import { useState } from 'react'
import { ROW_FOCUS } from '../../lib/row-keys.ts'
import { PagedTable } from '../../shared/list/PagedTable.tsx'
import { TABLE_PAGE_SIZES, type Paging } from '../../shared/list/paging.hook.ts'
import { clockText } from '../../shared/clock-text.rules.ts'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { Tag } from '../../ui/symbol/Tag.tsx'
import { ButtonsCell, CellLine, NameButton, Row, type Column } from '../../ui/table/Table.tsx'
import { useIsRemoved, usePlanRefusal, useRemoveWindow } from './maintenance.actions.ts'
import { COVERED_WORDS, LIST_FAILED, REMOVED_TITLE, timesText } from './maintenance.messages.ts'
import { maintenanceQuery } from './maintenance.queries.ts'
import { MaintenanceDialog } from './MaintenanceDialog.tsx'
import classes from './MaintenanceView.module.css'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'

const COLUMNS: readonly Column[] = [
  { head: 'Title', sort: 'title', stays: true, width: [280, 200] },
  { head: 'Covers', width: [300, 220] },
  { head: `Times (${ZONE_WORD})` },
  { head: 'State', isOwnOrder: true, width: [240, 200] },
  { head: 'Actions', width: 108, align: 'buttons' },
]

interface MaintenanceViewProps {
  paging: Paging
}

export function MaintenanceView({ paging }: MaintenanceViewProps) {
  const { page, rowsPerPage } = paging
  const sort = sortOf(paging.sort, MAINTENANCE_SORTS)
  const answer = useQuery(maintenanceQuery({ page, rowsPerPage, sort }))
  const [edited, setEdited] = useState<MaintenanceWindow | 'new' | null>(null)
  const refusal = usePlanRefusal()
  return (
    <>
      <PagedTable
        label="Maintenance windows"
        columns={COLUMNS}
        answer={answer}
        rows={answer.data?.data}
        total={answer.data?.total ?? 0}
        paging={{ ...paging, sort, hidden: null }}
        sizes={TABLE_PAGE_SIZES}
        rowHeight={36}
        failedText={LIST_FAILED}
        empty={
          <Empty
            title="No maintenance planned"
            action={
              <Button disabledReason={refusal} onClick={() => setEdited('new')}>
                Plan maintenance
              </Button>
            }
          >
            While a window is active, alarms of the objects that it covers are listed but not
            signalled: no strip, no sound, no count in the tab.
          </Empty>
        }
        rowOf={(window) => (
          <WindowRow
            key={window.id}
            window={window}
            refusal={refusal}
            onEdit={() => setEdited(window)}
          />
        )}
      />
      {edited !== null && (
        <MaintenanceDialog
          window={edited === 'new' ? null : edited}
          covers={null}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

interface WindowRowProps {
  window: MaintenanceWindow
  refusal: string | null
  onEdit: () => void
}

function WindowRow({ window, refusal, onEdit }: WindowRowProps) {
  const { title, covers, times } = window
  const remove = useRemoveWindow(window)
  const isRemoved = useIsRemoved(window)
  const disabledReason = isRemoved ? '' : refusal
  const common = { tone: 'quiet', size: 28, disabledReason } as const
  return (
    <Row isBusy={isRemoved}>
      <th scope="row" data-phone="1">
        {refusal === null ? (
          <NameButton {...ROW_FOCUS} title={title} onClick={onEdit}>
            {title}
          </NameButton>
        ) : (
          title
        )}
      </th>
      <td data-phone="2">
        <CellLine>
          <Tag>{COVERED_WORDS[covers.kind]}</Tag> {covers.title || REMOVED_TITLE}
        </CellLine>
      </td>
      <td className={classes.times} data-phone="3-wide">
        {timesText(times)}
      </td>
      <td data-phone="1-end">
        <WindowState window={window} />
      </td>
      <ButtonsCell>
        <IconButton {...common} icon="pencil" label={`Change ${title}`} onClick={onEdit} />
        <IconButton
          {...common}
          icon="bin"
          label={`Delete ${title}`}
          onClick={() => void remove()}
        />
      </ButtonsCell>
    </Row>
  )
}

function WindowState({ window: { activeUntil, nextFrom } }: { window: MaintenanceWindow }) {
  if (activeUntil !== null) {
    return (
      <span className={classes.on}>
        <Shape shape="half-disc" family="move" />
        On until {clockText(Date.parse(activeUntil))}
      </span>
    )
  }
  return (
    <span className={classes.times}>
      {nextFrom === null ? 'Over' : `Next ${clockText(Date.parse(nextFrom))}`}
    </span>
  )
}
