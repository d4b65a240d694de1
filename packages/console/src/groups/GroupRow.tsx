import type { Group } from '@trunkline/contract/groups/group.schema'
import { ROW_FOCUS } from '../lib/row-keys.ts'
import { UNKNOWN } from '../shared/format.ts'
import { IconButton } from '../ui/Button.tsx'
import { Row } from '../ui/Table.tsx'
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
    <Row isBusy={isRemoved} className={classes.row}>
      <th scope="row" className={classes.name}>
        <button type="button" {...ROW_FOCUS} title={group.title} onClick={onEdit}>
          {group.title}
        </button>
      </th>
      <td className={classes.description} title={group.description}>
        {group.description === '' ? UNKNOWN : group.description}
      </td>
      <td className={classes.manager} title={manager}>
        {manager === '' ? UNKNOWN : manager}
      </td>
      <td className={classes.actions}>
        <div className={classes.buttons}>
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
        </div>
      </td>
    </Row>
  )
}
