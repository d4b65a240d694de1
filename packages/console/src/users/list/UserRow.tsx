/** One person: name and groups, e-mail, role, and what the viewer may do to them. */
import { mayDo } from '@trunkline/contract/role-table'
import { isSharedBeyond, type Acting } from '@trunkline/contract/users/user.rules'
import type { User } from '@trunkline/contract/users/user.schema'
import { ROW_FOCUS } from '../../lib/row-keys.ts'
import { Menu } from '../../ui/button/Menu.tsx'
import { RowButton, type RowAction } from '../../ui/button/RowButton.tsx'
import { Tip } from '../../ui/hint/Tip.tsx'
import { Tag } from '../../ui/symbol/Tag.tsx'
import { ButtonsCell, CellLine, Row } from '../../ui/table/Table.tsx'
import { actedUpon } from '../acting.hook.ts'
import { useIsBeingRemoved } from '../user.actions.ts'
import {
  ANOTHER_GROUP,
  ANOTHER_GROUP_REASON,
  PROVIDER_MARK,
  PROVIDER_REASON,
} from '../user.messages.ts'
import { useUserMenu } from './user-menu.hook.ts'
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
            {user.isFromProvider && (
              <Tip text={PROVIDER_REASON}>
                <Tag>{PROVIDER_MARK}</Tag>
              </Tip>
            )}
          </CellLine>
          <Groups user={user} isShared={isSharedBeyond(acting, actedUpon(user))} />
        </div>
      </th>
      <td className={classes.email} title={user.email} data-phone="2">
        {user.email}
      </td>
      <td data-phone="3-left">{user.modeInfo.name}</td>
      <ButtonsCell>
        <Actions user={user} acting={acting} onEdit={onEdit} onGroup={onGroup} />
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

/** Each action has its place, whoever the row is about, so that the same ones stand under each other. */
function Actions({ user, acting, ...open }: UserRowProps) {
  const { edit, addToGroup, remove, leave } = useUserMenu(user, acting, open)
  return (
    <>
      <span className={classes.slot}>
        {edit !== null && <RowButton {...ROW_FOCUS} action={edit} />}
      </span>
      {mayDo(acting.role, 'addToGroup') && (
        <span className={classes.slot}>
          {addToGroup !== null && <RowButton action={addToGroup} />}
        </span>
      )}
      {mayDo(acting.role, 'removeUser') && (
        <span className={classes.slot}>
          {remove !== null && <RowButton action={remove} />}
          <RemoveFromGroup user={user} actions={leave} />
        </span>
      )}
    </>
  )
}

interface RemoveFromGroupProps {
  /** `groups`: those that the viewer shares with them. */
  user: User
  /** For each of these groups; none for who may not. */
  actions: readonly RowAction[]
}

/** Of a person who is not the manager's alone: out of the manager's own group, or of one of several. */
function RemoveFromGroup({ user, actions }: RemoveFromGroupProps) {
  const [first, ...more] = actions
  if (first === undefined) return null
  if (more.length === 0) return <RowButton action={first} />
  return (
    <Menu
      label={`Remove from a group: ${user.fullName}`}
      groups={[
        user.groups.map(({ title }, at) => ({
          ...(actions[at] ?? first),
          label: `Remove from ${title}`,
        })),
      ]}
      disabledReason={first.disabledReason}
    />
  )
}
