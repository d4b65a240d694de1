/** One encoder in the manager's table. */
import { Link } from '@tanstack/react-router'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { needsAttention } from '@trunkline/contract/fleet/state-view.rules'
import { controlFor, type Action } from '@trunkline/contract/role-table'
import type { Role } from '@trunkline/contract/roles'
import { ROW_FOCUS } from '../../lib/row-keys.ts'
import { useRole } from '../../lib/session.ts'
import { usePathAction } from '../../paths/path.actions.ts'
import { showToast } from '../../lib/toast.ts'
import { useOnAirActions } from '../../shared/on-air/on-air.actions.ts'
import { OnAirTag } from '../../shared/on-air/OnAirTag.tsx'
import { ScheduleTag } from '../../shared/schedules/ScheduleTag.tsx'
import { Age } from '../../shared/state/Age.tsx'
import { UNKNOWN } from '../../shared/format.ts'
import { ReadingAge } from '../../shared/state/ReadingAge.tsx'
import { StateChip } from '../../shared/state/StateChip.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Menu, type MenuAction } from '../../ui/button/Menu.tsx'
import { ButtonsCell, CellLine, Row } from '../../ui/table/Table.tsx'
import { Tip } from '../../ui/hint/Tip.tsx'
import { CARRY } from '../carry/carry.messages.ts'
import { SAVE_CONFIG_FIRST } from '../feeders/feeder.messages.ts'
import { useEncoderRecord, useIsChanged } from '../record/encoder-record.actions.ts'
import { useEncoderRow, type EncoderRowView } from './encoder-row.hook.ts'
import classes from './EncoderRow.module.css'
import { StatusNote } from '../StatusNote.tsx'

interface EncoderRowProps {
  encoder: Encoder
  onEdit: () => void
  onUsers: () => void
  onClone: () => void
  onCarry: () => void
  onSecure: () => void
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
        <RowMenu encoder={encoder} row={row} isChanged={isChanged} {...open} />
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
function ConfigLink({ encoder }: { encoder: Encoder }) {
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
}

interface RowMenuProps extends EncoderRowProps {
  row: EncoderRowView
  isChanged: boolean
}

/** Editors and monitors have the signal path alone. */
function RowMenu({ encoder, row, isChanged, ...open }: RowMenuProps) {
  const role = useRole()
  const record = useEncoderRecord(encoder, row)
  const path = usePathAction({ kind: 'encoder', id: encoder._id })
  const { isEnabled, title } = encoder
  const onAir = useOnAirActions({ kind: 'encoder', id: encoder._id, title })
  const groups = [
    [
      ...only(role, 'enableEncoder', {
        label: isEnabled ? 'Disable' : 'Enable',
        icon: isEnabled ? 'pause' : 'play',
        tone: 'plain',
        does: () => void record.setEnabled(!isEnabled),
      }),
      ...only(role, 'editEncoder', {
        label: 'Edit Encoder',
        icon: 'pencil',
        tone: 'plain',
        does: open.onEdit,
      }),
      ...only(role, 'assignEncoder', {
        label: 'Add Users',
        icon: 'group',
        tone: 'plain',
        does: open.onUsers,
      }),
      ...only(role, 'addEncoder', {
        label: 'Clone',
        icon: 'copy',
        tone: 'plain',
        does: open.onClone,
      }),
      ...only(role, 'editInputs', {
        label: CARRY,
        icon: 'move',
        tone: 'plain',
        does: () => {
          if (encoder.config === null) showToast('warning', SAVE_CONFIG_FIRST, title)
          else open.onCarry()
        },
      }),
      ...only(role, 'enrolHosts', {
        label: 'Secure connection',
        icon: 'lock',
        tone: 'plain',
        does: open.onSecure,
      }),
      path,
      ...onAir,
    ],
    [
      ...only(role, 'removeEncoder', {
        label: 'Delete config',
        icon: 'close',
        tone: 'danger',
        does: () => void record.removeConfig(),
      }),
      ...only(role, 'removeEncoder', {
        label: 'Remove Encoder',
        icon: 'bin',
        tone: 'danger',
        does: () => void record.remove(),
      }),
    ],
  ] as const
  return <Menu label={`More for ${title}`} groups={groups} disabledReason={isChanged ? '' : null} />
}

/** What a role may not do is not there. */
function only(role: Role | null, action: Action, item: MenuAction): readonly MenuAction[] {
  return controlFor(role, action) === 'usable' ? [item] : []
}
