import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { useIsBusy } from '../../programs/command/busy.hook.ts'
import { IconButton } from '../../ui/button/Button.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import { Menu } from '../../ui/button/Menu.tsx'
import { ButtonsCell, CellLine, Row } from '../../ui/table/Table.tsx'
import { linkLabel, SHOW_OUTPUTS } from '../contribution.messages.ts'
import { useLinkOutputs, useRemoveDestination } from './destination.actions.ts'
import classes from './DestinationRow.module.css'
import { RenameCell } from '../list/RenameCell.tsx'
import { SelectCell } from '../list/SelectCell.tsx'
import { LOCALE } from '../../lib/locale/language.ts'

interface DestinationRowProps {
  destination: Destination
  isSelected: boolean
  onSelect: (isOn: boolean, isRange: boolean) => void
  isRenamed: boolean
  onRename: (isRenamed: boolean) => void
  onEdit: () => void
  onClone: () => void
  onShowOutputs: () => void
}

export function DestinationRow(props: DestinationRowProps) {
  const { destination, isSelected, isRenamed, onRename } = props
  const isBusy = useIsBusy('destination', destination.id)
  const { id, title, ip, outputs } = destination
  return (
    <Row isBusy={isBusy} isSelected={isSelected}>
      <SelectCell
        title={title}
        isSelected={isSelected}
        onSelect={props.onSelect}
        onRename={() => onRename(true)}
      />
      <th scope="row" data-phone="1">
        {isRenamed ? (
          <RenameCell kind="destination" id={id} title={title} onClose={() => onRename(false)} />
        ) : (
          <TitleCell destination={destination} />
        )}
      </th>
      <td title={ip} data-phone="3-left">
        <code>{ip}</code>
      </td>
      <td className={classes.outputs} data-phone="3-right">
        {outputs.toLocaleString(LOCALE)}
        <span className={classes.phoneWord}> {outputs === 1 ? 'output' : 'outputs'}</span>
      </td>
      <ButtonsCell>
        <RowButtons {...props} isBusy={isBusy} />
      </ButtonsCell>
    </Row>
  )
}

function TitleCell({ destination }: { destination: Destination }) {
  const { title, encryption } = destination
  return (
    <CellLine>
      <span title={title}>{title}</span>
      {encryption.selection === 'yes' && (
        <span role="img" aria-label={`Encrypted, AES-${encryption.type}`} className={classes.key}>
          <Icon name="lock" size={12} />
        </span>
      )}
    </CellLine>
  )
}

function RowButtons(props: DestinationRowProps & { isBusy: boolean }) {
  const { destination, isBusy, onRename, onEdit } = props
  const remove = useRemoveDestination(destination)
  const link = useLinkOutputs(destination)
  const { title, linkable } = destination
  const common = { tone: 'quiet', size: 28, disabledReason: isBusy ? '' : null } as const
  return (
    <>
      <IconButton {...common} icon="pencil" label={`Edit ${title}`} onClick={onEdit} />
      <IconButton {...common} icon="bin" label={`Delete ${title}`} onClick={() => void remove()} />
      <Menu
        label={`More for ${title}`}
        disabledReason={isBusy ? '' : null}
        groups={[
          [
            {
              label: 'Rename',
              icon: 'contribution',
              tone: 'plain',
              does: () => onRename(true),
            },
            { label: 'Clone', icon: 'copy', tone: 'plain', does: props.onClone },
            { label: SHOW_OUTPUTS, icon: 'out', tone: 'plain', does: props.onShowOutputs },
            ...(linkable === 0
              ? []
              : [
                  {
                    label: linkLabel(linkable),
                    icon: 'contribution',
                    tone: 'plain',
                    does: () => void link(),
                  } as const,
                ]),
          ],
        ]}
      />
    </>
  )
}
