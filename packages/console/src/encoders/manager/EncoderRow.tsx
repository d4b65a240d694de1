/** One encoder in the manager's table. */
import { Link } from '@tanstack/react-router'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { needsAttention } from '@trunkline/contract/fleet/state-view.rules'
import { controlFor } from '@trunkline/contract/role-table'
import { memo } from 'react'
import { ROW_FOCUS } from '../../lib/row-keys.ts'
import { useRole } from '../../lib/session.ts'
import { OnAirTag } from '../../shared/on-air/OnAirTag.tsx'
import { ScheduleTag } from '../../shared/schedules/ScheduleTag.tsx'
import { Age } from '../../shared/state/Age.tsx'
import { UNKNOWN } from '../../shared/format.ts'
import { ReadingAge } from '../../shared/state/ReadingAge.tsx'
import { StateChip } from '../../shared/state/StateChip.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Menu } from '../../ui/button/Menu.tsx'
import { ButtonsCell, CellLine, Row } from '../../ui/table/Table.tsx'
import { Tip } from '../../ui/hint/Tip.tsx'
import { type KnownOfEncoder, useIsChanged } from '../record/encoder-record.actions.ts'
import { type EncoderDialogs, useEncoderMenu } from './encoder-menu.hook.ts'
import { useEncoderRow, type EncoderRowView } from './encoder-row.hook.ts'
import classes from './EncoderRow.module.css'
import { StatusNote } from '../StatusNote.tsx'

interface EncoderRowProps extends EncoderDialogs {
  encoder: Encoder
}

export function EncoderRow({ encoder, ...open }: EncoderRowProps) {
  const row = useEncoderRow(encoder)
  const isChanged = useIsChanged(encoder)
  const { name, title, ip, port, email, groupInfo } = encoder
  return (
    <Row family={row.family} isBusy={isChanged}>
      <td className={classes.quiet} title={name}>
        {name}
      </td>
      <th scope="row" title={title} data-phone="1">
        <CellLine>
          <span className={classes.words}>{title}</span>
          <OnAirTag kind="encoder" id={encoder._id} />
          <ScheduleTag kind="encoder" id={encoder._id} />
          <StatusNote status={row.status} />
        </CellLine>
      </th>
      <td title={ip} data-phone="3">
        <code>
          {ip}
          <span className={classes.phonePort}>:{port}</span>
        </code>
      </td>
      <td>{port}</td>
      <td className={classes.quiet} title={email}>
        {email === '' ? UNKNOWN : email}
      </td>
      <td className={classes.quiet} title={groupInfo.title}>
        {groupInfo.title}
      </td>
      <td data-phone="2">
        <Status row={row} />
      </td>
      <ButtonsCell>
        <ConfigLink encoder={encoder} />
        <RowMenu
          encoder={encoder}
          state={row.state}
          wanted={row.wanted}
          askNow={row.askNow}
          isChanged={isChanged}
          {...open}
        />
      </ButtonsCell>
    </Row>
  )
}

/** The chip, what runs there, and how long it has been so where that matters (Q56). */
function Status({ row: { chip, run, explanation, askedAtMs } }: { row: EncoderRowView }) {
  const state = run !== null && needsAttention(run.family) ? run : chip
  const sinceMs = needsAttention(state.family) ? state.sinceMs : null
  return (
    <CellLine>
      <Tip text={explanation}>
        <span className={classes.states}>
          <StateChip view={chip} />
          {run !== null && (
            <>
              <Hidden>, </Hidden>
              <StateChip view={run} />
            </>
          )}
        </span>
      </Tip>
      <span className={classes.since} data-f={state.family}>
        {askedAtMs !== null && <ReadingAge cameAtMs={askedAtMs} />}
        {askedAtMs === null && sinceMs !== null && <Age sinceMs={sinceMs} />}
      </span>
    </CellLine>
  )
}

/** NAV-09, ENC-13. Who may not change a configuration may look at it (row O). */
const ConfigLink = memo(function ConfigLink({ encoder }: { encoder: Encoder }) {
  const mayEdit = controlFor(useRole(), 'configureEncoder') === 'usable'
  const word = mayEdit ? 'Edit Config' : 'View config'
  return (
    <Link
      {...ROW_FOCUS}
      className={classes.link}
      to="/dashboard/edit_encoder/$id"
      params={{ id: encoder._id }}
      preload={false}
      aria-label={`${word}: ${encoder.title}`}
    >
      {word}
    </Link>
  )
})

interface RowMenuProps extends EncoderRowProps, KnownOfEncoder {
  isChanged: boolean
}

/** Apart from the row, which is drawn every second for the age of its state. */
const RowMenu = memo(function RowMenu(props: RowMenuProps) {
  const { encoder, isChanged, state, wanted, askNow, ...open } = props
  const groups = useEncoderMenu(encoder, { state, wanted, askNow }, open)
  const { title } = encoder
  return <Menu label={`More for ${title}`} groups={groups} disabledReason={isChanged ? '' : null} />
})
