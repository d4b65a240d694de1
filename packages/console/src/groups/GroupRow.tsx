import type { Group } from '@trunkline/contract/groups/group.schema'
import { ROW_FOCUS } from '../lib/row-keys.ts'
import { UNKNOWN } from '../shared/format.ts'
import { IconButton } from '../ui/button/Button.tsx'
import { ButtonsCell, NameButton, Row } from '../ui/table/Table.tsx'
import { useIsRemoved, useRemoveGroup } from './group.actions.ts'
import { managerName } from './group.rules.ts'
import classes from './GroupRow.module.css'

interface GroupRowProps {
  group: Group
  onEdit: () => void
}

export function GroupRow({ group, onEdit }: GroupRowProps) {
  const remove = useRemoveGroup(group)
  const isRemoved = useIsRemoved(group)
  const disabledReason = isRemoved ? '' : null
  const manager = managerName(group)
  return (
    <Row isBusy={isRemoved}>
      <th scope="row" data-phone="1">
        <NameButton {...ROW_FOCUS} title={group.title} onClick={onEdit}>
          {group.title}
        </NameButton>
      </th>
      <td className={classes.quiet} title={group.description} data-phone="3">
        {group.description === '' ? UNKNOWN : group.description}
      </td>
      <td className={classes.quiet} title={manager} data-phone="2">
        {manager === '' ? UNKNOWN : manager}
      </td>
      <ButtonsCell>
        <IconButton
          icon="pencil"
          label={`Edit ${group.title}`}
          tone="quiet"
          size={28}
          disabledReason={disabledReason}
          onClick={onEdit}
        />
        <IconButton
          icon="bin"
          label={`Delete ${group.title}`}
          tone="quiet"
          size={28}
          disabledReason={disabledReason}
          onClick={() => void remove()}
        />
      </ButtonsCell>
    </Row>
  )
}
