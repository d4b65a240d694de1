/** One feeder: its state, what it reads, where it sends, what one does with it; opens to the link itself. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { Fragment, useId, useState } from 'react'
import { UNKNOWN } from '../../shared/format.ts'
import type { LinkView } from '../../shared/link-view.hook.ts'
import { RowExpander } from '../../shared/RowExpander.tsx'
import { StateCell } from '../../shared/StateCell.tsx'
import { Row } from '../../ui/Table.tsx'
import { useIsCommanded } from './feeder.actions.ts'
import { sourceOf, targetOf } from './feeder.rules.ts'
import { useFeederView } from './feeder-view.hook.ts'
import { FeederButtons } from './FeederButtons.tsx'
import { FeederDetail } from './FeederDetail.tsx'
import classes from './FeederRow.module.css'

interface FeederRowProps {
  encoder: Encoder
  feeder: Feeder
  onLog: (feeder: Feeder) => void
  onEdit: (feeder: Feeder) => void
}

/** Expander, status, title, input, target, latency, uptime, actions. */
const COLUMNS = 8

export function FeederRow({ encoder, feeder, onLog, onEdit }: FeederRowProps) {
  const [isOpen, setOpen] = useState(false)
  const detailId = useId()
  const shown = useFeederView(encoder, feeder)
  const isBusy = useIsCommanded(feeder)
  const { view, status } = shown
  const { title } = feeder.input
  return (
    <Fragment>
      <Row family={view.family} isBusy={isBusy} className={isOpen ? classes.open : classes.row}>
        <td className={classes.expander}>
          <RowExpander of={title} isOpen={isOpen} detailId={detailId} onChange={setOpen} />
        </td>
        <td className={classes.status}>
          <StateCell view={view} />
        </td>
        <th scope="row" className={classes.name}>
          <TitleCell title={title} status={status} />
        </th>
        <td className={classes.input}>
          <code>udp {sourceOf(feeder)}</code>
        </td>
        <td className={classes.target}>
          <code title={targetOf(feeder)}>srt {targetOf(feeder)}</code>
        </td>
        <td className={classes.latency}>{feeder.output[0]?.latency ?? UNKNOWN} ms</td>
        <td className={classes.uptime}>{shown.uptime === '' ? UNKNOWN : shown.uptime}</td>
        <td className={classes.actions}>
          <FeederButtons
            encoder={encoder}
            feeder={feeder}
            state={status?.state ?? null}
            isBusy={isBusy}
            isWrong={view.shape === 'octagon-square'}
            onLog={() => onLog(feeder)}
            onEdit={() => onEdit(feeder)}
          />
        </td>
      </Row>
      {isOpen && (
        <tr className={classes.detail} data-f={view.family}>
          <td colSpan={COLUMNS} id={detailId}>
            <FeederDetail
              encoder={encoder}
              feeder={feeder}
              shown={shown}
              onEdit={() => onEdit(feeder)}
            />
          </td>
        </tr>
      )}
    </Fragment>
  )
}

function TitleCell({ title, status }: { title: string; status: LinkView['status'] }) {
  return (
    <div className={classes.line}>
      <span className={classes.title} title={title}>
        {title}
      </span>
      {status?.waitsForRestart === true && <span className={classes.waits}>restart to apply</span>}
      {status?.waitsForHost === true && <span className={classes.waits}>waits for host</span>}
    </div>
  )
}
