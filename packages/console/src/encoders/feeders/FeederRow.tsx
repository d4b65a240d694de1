/** One feeder: its state, what it reads, where it sends, what one does with it; opens to the link itself. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { Fragment, useId, useState } from 'react'
import { UNKNOWN } from '../../shared/format.ts'
import { useIsBusy } from '../../programs/command/busy.hook.ts'
import type { ProgramView } from '../../programs/status/program-view.hook.ts'
import { WaitTags } from '../../programs/status/WaitTags.tsx'
import { OnAirTag } from '../../shared/on-air/OnAirTag.tsx'
import { ScheduleTag } from '../../shared/schedules/ScheduleTag.tsx'
import { RowExpander } from '../../shared/list/RowExpander.tsx'
import { StateCell } from '../../programs/status/StateCell.tsx'
import { ButtonsCell, CellLine, ControlCell, DetailRow, Row } from '../../ui/table/Table.tsx'
import { useFeederView } from './feeder-view.hook.ts'
import { sourceOf, targetOf } from './feeder.rules.ts'
import { FeederButtons } from './FeederButtons.tsx'
import { FeederDetail } from './FeederDetail.tsx'
import classes from './FeederRow.module.css'

interface FeederRowProps {
  encoder: Encoder
  feeder: Feeder
  /** A link led to it. */
  startsOpen: boolean
  onLog: (feeder: Feeder) => void
  /** `latencyMs`: filled in, not saved; null: as it is. */
  onEdit: (feeder: Feeder, latencyMs: number | null) => void
}

/** Expander, status, title, input, target, latency, uptime, actions. */
const COLUMNS = 8

export function FeederRow({ encoder, feeder, startsOpen, onLog, onEdit }: FeederRowProps) {
  const [isOpen, setOpen] = useState(startsOpen)
  const detailId = useId()
  const shown = useFeederView(encoder, feeder)
  const isBusy = useIsBusy('feeder', feeder.name)
  const { view, status } = shown
  const { title } = feeder.input
  return (
    <Fragment>
      <Row family={view.family} isBusy={isBusy} isOpen={isOpen}>
        <ControlCell>
          <RowExpander of={title} isOpen={isOpen} detailId={detailId} onChange={setOpen} />
        </ControlCell>
        <td data-phone="2-wide">
          <StateCell view={view} />
        </td>
        <th scope="row" data-phone="1-wide">
          <TitleCell id={feeder.name} title={title} status={status} />
        </th>
        <td className={classes.quiet}>
          <code>udp {sourceOf(feeder)}</code>
        </td>
        <td>
          <code title={targetOf(feeder)}>srt {targetOf(feeder)}</code>
        </td>
        <td className={classes.quiet}>{feeder.output[0]?.latency ?? UNKNOWN} ms</td>
        <td className={classes.quiet}>{shown.uptime === '' ? UNKNOWN : shown.uptime}</td>
        <ButtonsCell data-phone="3-wide">
          <FeederButtons
            encoder={encoder}
            feeder={feeder}
            state={status?.state ?? null}
            isBusy={isBusy}
            isWrong={view.shape === 'octagon-square'}
            onLog={() => onLog(feeder)}
            onEdit={() => onEdit(feeder, null)}
          />
        </ButtonsCell>
      </Row>
      {isOpen && (
        <DetailRow id={detailId} columns={COLUMNS} family={view.family}>
          <FeederDetail
            encoder={encoder}
            feeder={feeder}
            shown={shown}
            onEdit={() => onEdit(feeder, null)}
            onUseLatency={(latencyMs) => onEdit(feeder, latencyMs)}
          />
        </DetailRow>
      )}
    </Fragment>
  )
}

interface TitleCellProps {
  id: string
  title: string
  status: ProgramView['status']
}

function TitleCell({ id, title, status }: TitleCellProps) {
  return (
    <CellLine>
      <span title={title}>{title}</span>
      <OnAirTag kind="feeder" id={id} />
      <ScheduleTag kind="feeder" id={id} />
      <WaitTags status={status} />
    </CellLine>
  )
}
