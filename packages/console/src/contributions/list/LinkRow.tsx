/** One input or output: its state, its numbers, what one does with it; opens to the link itself. */
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { ProgramState } from '@trunkline/contract/program-state'
import { Fragment, memo, type ReactNode, useId } from 'react'
import { useIsBusy } from '../../programs/command/busy.hook.ts'
import { useLinkSamples } from '../../programs/history/link-samples.hook.ts'
import type { ProgramView } from '../../programs/status/program-view.hook.ts'
import { StateCell } from '../../programs/status/StateCell.tsx'
import { WaitTags } from '../../programs/status/WaitTags.tsx'
import { Sparkline } from '../../programs/tiles/Sparkline.tsx'
import { OnAirTag } from '../../shared/on-air/OnAirTag.tsx'
import { ScheduleTag } from '../../shared/schedules/ScheduleTag.tsx'
import { UNKNOWN, numberText } from '../../shared/format.ts'
import { RowExpander } from '../../shared/list/RowExpander.tsx'
import { LaterPart } from '../../shared/page/Later.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import { Tag } from '../../ui/symbol/Tag.tsx'
import { ButtonsCell, CellLine, ControlCell, DetailRow, Row } from '../../ui/table/Table.tsx'
import { useLinkView } from '../link-view.hook.ts'
import { LINK_DETAIL, RENAME_CELL } from '../parts.loader.ts'
import type { Link } from '../link.rules.ts'
import { LinkButtons } from './LinkButtons.tsx'
import classes from './LinkRow.module.css'
import type { RowPlace } from './LinkTable.tsx'
import { SelectCell } from './SelectCell.tsx'

interface LinkRowProps {
  link: Link
  place: RowPlace
  onShowOutputs: (inputId: string) => void
  /** The cells between name and bitrate, which differ between inputs and outputs. */
  children: ReactNode
}

/** Tick, expander, status, name, two of its own, bitrate, uptime, actions. */
const LINK_COLUMNS = 9
/** In pixels: the tiles of a detail. */
const DETAIL_HEIGHT = 120

export function LinkRow({ link, place, onShowOutputs, children }: LinkRowProps) {
  const { isOpen, isRenamed, onRename } = place
  const detailId = useId()
  const shown = useLinkView(link)
  const isBusy = useIsBusy(link.kind, link.id)
  const { view, status } = shown
  return (
    <Fragment>
      <Row
        family={view.family}
        isBusy={isBusy}
        isSelected={place.isSelected}
        isOpen={isOpen}
        className={classes.row}
      >
        <LeadCells title={link.title} place={place} detailId={detailId} />
        <td className={classes.status} data-phone="3">
          <StateCell view={view} />
        </td>
        <th scope="row" data-phone="1-wide">
          {isRenamed ? (
            <LaterPart
              part={RENAME_CELL}
              props={{ ...link, onClose: () => onRename(false) }}
              waiting={<NameCell link={link} status={status} />}
            />
          ) : (
            <NameCell link={link} status={status} />
          )}
        </th>
        {children}
        <td className={classes.bitrate}>
          <BitrateCell link={link} shown={shown} />
        </td>
        <td className={classes.uptime}>{shown.uptime === '' ? UNKNOWN : shown.uptime}</td>
        <ButtonsCell data-phone="3-end">
          <RowButtons
            link={link}
            place={place}
            isEnabled={shown.isEnabled}
            state={status?.state ?? null}
            isBusy={isBusy}
            isWrong={view.shape === 'octagon-square'}
            onShowOutputs={onShowOutputs}
          />
        </ButtonsCell>
      </Row>
      {isOpen && (
        <DetailRow id={detailId} columns={LINK_COLUMNS} family={view.family}>
          <LaterPart
            part={LINK_DETAIL}
            props={{ link, shown }}
            waiting={<Skeleton kind="row" count={1} height={DETAIL_HEIGHT} />}
          />
        </DetailRow>
      )}
    </Fragment>
  )
}

/*
 * What follows stands apart from the row, which is drawn every second for the age of what it shows:
 * it is drawn again only when it has changed itself.
 */

interface LeadCellsProps extends Pick<LinkRowProps, 'place'> {
  title: string
  detailId: string
}

const LeadCells = memo(function LeadCells({ title, place, detailId }: LeadCellsProps) {
  const { isSelected, onSelect, isOpen, onOpen, onRename } = place
  return (
    <>
      <SelectCell
        title={title}
        isSelected={isSelected}
        onSelect={onSelect}
        onRename={() => onRename(true)}
        onOpen={onOpen}
        phone="1-lead"
      />
      <ControlCell data-phone="3-lead">
        <RowExpander
          of={title}
          isOpen={isOpen}
          detailId={detailId}
          hasRowFocus={false}
          onChange={onOpen}
        />
      </ControlCell>
    </>
  )
})

interface RowButtonsProps extends Pick<LinkRowProps, 'link' | 'place' | 'onShowOutputs'> {
  isEnabled: boolean
  state: ProgramState | null
  isBusy: boolean
  isWrong: boolean
}

const RowButtons = memo(function RowButtons(props: RowButtonsProps) {
  const { link, place, isEnabled, ...shown } = props
  return (
    <LinkButtons
      {...shown}
      link={{ ...link, isEnabled }}
      onLog={() => place.onLog(link)}
      onRename={() => place.onRename(true)}
      onClone={() => place.onClone(link)}
    />
  )
})

interface NameCellProps {
  link: Link
  status: ProgramStatus | null
}

const NameCell = memo(function NameCell({ link, status }: NameCellProps) {
  const isEncrypted = link.encryption.selection === 'yes'
  return (
    <CellLine>
      <span title={link.title}>{link.title}</span>
      <OnAirTag kind={link.kind} id={link.id} />
      <ScheduleTag kind={link.kind} id={link.id} />
      <WaitTags status={status} />
      <Tag className={classes.type}>{link.type}</Tag>
      <span className={classes.key}>
        {isEncrypted && (
          <span role="img" aria-label={`Encrypted, AES-${link.encryption.type}`}>
            <Icon name="lock" size={12} />
          </span>
        )}
      </span>
    </CellLine>
  )
})

interface BitrateCellProps {
  link: Link
  shown: ProgramView
}

/** What it carries now, and its last minutes as a line. Zero is measured zero; what was measured before the sight was lost stays, dimmed. */
function BitrateCell({ link, shown: { view, reading, status, nowMs } }: BitrateCellProps) {
  const samples = useLinkSamples(link.kind, link.id)
  const isOld = view.family === 'blind'
  const isMeasured = reading !== null && (isOld || status?.state === 'running')
  if (!isMeasured && samples.length === 0) {
    return (
      <CellLine>
        <b data-old>{UNKNOWN}</b>
        <span className={classes.nothing} />
      </CellLine>
    )
  }
  return (
    <CellLine>
      <b data-old={isOld || !isMeasured || undefined}>
        {numberText(isMeasured ? reading.bitrateKbps : null)}
      </b>
      <span className={classes.chart}>
        <Sparkline samples={samples} nowMs={nowMs} targetKbps={null} family={view.family} />
      </span>
    </CellLine>
  )
}
