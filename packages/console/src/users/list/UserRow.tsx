/** One person: name and groups, e-mail, role, and what the viewer may do to them. */
import { mayDo } from '@trunkline/contract/role-table'
import {
  isSharedBeyond,
  mayAddToGroup,
  mayEditUser,
  mayRemoveFromGroup,
  mayRemoveUser,
  type Acting,
} from '@trunkline/contract/users/user.rules'
import type { User } from '@trunkline/contract/users/user.schema'
import { ROW_FOCUS } from '../../lib/row-keys.ts'
import { IconButton } from '../../ui/button/Button.tsx'
import { Menu } from '../../ui/button/Menu.tsx'
import { Tip } from '../../ui/hint/Tip.tsx'
import { Tag } from '../../ui/symbol/Tag.tsx'
import { ButtonsCell, CellLine, Row } from '../../ui/table/Table.tsx'
import { actedUpon } from '../acting.hook.ts'
import { useIsBeingRemoved, useRemoveUser, useRemoveFromGroup } from '../user.actions.ts'
import { ANOTHER_GROUP, ANOTHER_GROUP_REASON } from '../user.messages.ts'
import classes from './UserRow.module.css'

interface UserRowProps {
  user: User
  acting: Acting
  onEdit: () => void
  onGroup: () => void
}

export function UserRow({ user, acting, onEdit, onGroup }: UserRowProps) {
  const isBusy = useIsBeingRemoved(user._id)
  const isOwn = user._id === acting.id
  return (
    <Row isBusy={isBusy}>
      <th scope="row" data-phone="parts">
        <div className={classes.person} data-phone="parts">
          <CellLine data-phone="1">
            <span title={user.fullName}>{user.fullName}</span>
            {isOwn && <Tag>you</Tag>}
          </CellLine>
          <Groups user={user} isShared={isSharedBeyond(acting, actedUpon(user))} />
        </div>
      </th>
      <td className={classes.email} title={user.email} data-phone="2">
        {user.email}
      </td>
      <td data-phone="3-left">{user.modeInfo.name}</td>
      <ButtonsCell>
        <Actions user={user} acting={acting} isBusy={isBusy} onEdit={onEdit} onGroup={onGroup} />
      </ButtonsCell>
    </Row>
  )
}

function Groups({ user, isShared }: { user: User; isShared: boolean }) {
  if (user.groups.length === 0 && !isShared) return null
  const titles = user.groups.map((group) => group.title).join(', ')
  if (!isShared) {
    return (
      <span className={classes.groups} title={titles} data-phone="3-right">
        {titles}
      </span>
    )
  }
  return (
    <span className={`${classes.groups} ${classes.shared}`} data-phone="3-right">
      <span className={classes.titles} title={titles}>
        {titles}
      </span>
      <span className={classes.another}>
        <Tip text={ANOTHER_GROUP_REASON}>{ANOTHER_GROUP}</Tip>
      </span>
    </span>
  )
}

interface ActionsProps extends UserRowProps {
  isBusy: boolean
}

/** Each action has its place, whoever the row is about, so that the same ones stand under each other. */
function Actions({ user, acting, isBusy, onEdit, onGroup }: ActionsProps) {
  const remove = useRemoveUser(user)
  const target = actedUpon(user)
  const disabledReason = isBusy ? '' : null
  return (
    <>
      <span className={classes.slot}>
        {mayEditUser(acting, target) && (
          <IconButton
            {...ROW_FOCUS}
            icon="pencil"
            label={`Edit ${user.fullName}`}
            size={28}
            tone="quiet"
            disabledReason={disabledReason}
            onClick={onEdit}
          />
        )}
      </span>
      {mayDo(acting.role, 'addToGroup') && (
        <span className={classes.slot}>
          {mayAddToGroup(acting, target) && (
            <IconButton
              icon="group"
              label={`Add To Group: ${user.fullName}`}
              size={28}
              tone="quiet"
              disabledReason={disabledReason}
              onClick={onGroup}
            />
          )}
        </span>
      )}
      {mayDo(acting.role, 'removeUser') && (
        <span className={classes.slot}>
          {mayRemoveUser(acting, target) && (
            <IconButton
              icon="bin"
              label={`Delete ${user.fullName}`}
              size={28}
              tone="quiet"
              disabledReason={disabledReason}
              onClick={() => void remove()}
            />
          )}
          {isSharedBeyond(acting, target) && mayRemoveFromGroup(acting, target) && (
            <RemoveFromGroup user={user} disabledReason={disabledReason} />
          )}
        </span>
      )}
    </>
  )
}

interface RemoveFromGroupProps {
  /** `groups`: those that the viewer shares with them. */
  user: User
  disabledReason: string | null
}

/** Of a person who is not the manager's alone: out of the manager's own group, or of one of several. */
function RemoveFromGroup({ user, disabledReason }: RemoveFromGroupProps) {
  const remove = useRemoveFromGroup(user)
  const [first, ...more] = user.groups
  if (first === undefined) return null
  if (more.length === 0) {
    return (
      <IconButton
        icon="out"
        label={`Remove from ${first.title}: ${user.fullName}`}
        size={28}
        tone="quiet"
        disabledReason={disabledReason}
        onClick={() => void remove(first)}
      />
    )
  }
  return (
    <Menu
      label={`Remove from a group: ${user.fullName}`}
      groups={[
        user.groups.map((group) => ({
          label: `Remove from ${group.title}`,
          icon: 'out',
          tone: 'danger',
          does: () => void remove(group),
        })),
      ]}
      disabledReason={disabledReason}
    />
  )
}
