import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { useIsBusy } from '../../programs/command/busy.hook.ts'
import { LaterPart } from '../../shared/page/Later.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import { Menu } from '../../ui/button/Menu.tsx'
import { RowButton } from '../../ui/button/RowButton.tsx'
import { ButtonsCell, CellLine, Row } from '../../ui/table/Table.tsx'
import { type DestinationDialogs, useDestinationMenu } from './destination-menu.hook.ts'
import classes from './DestinationRow.module.css'
import { RENAME_CELL } from '../parts.loader.ts'
import { SelectCell } from '../list/SelectCell.tsx'
import { LOCALE } from '../../lib/locale/language.ts'

interface DestinationRowProps extends Omit<DestinationDialogs, 'onRename'> {
  destination: Destination
  isSelected: boolean
  onSelect: (isOn: boolean, isRange: boolean) => void
  isRenamed: boolean
  onRename: (isRenamed: boolean) => void
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
          <LaterPart
            part={RENAME_CELL}
            props={{ kind: 'destination', id, title, onClose: () => onRename(false) }}
            waiting={<TitleCell destination={destination} />}
          />
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
        <RowButtons {...props} isBusy={isBusy} onRename={() => onRename(true)} />
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

interface RowButtonsProps extends DestinationDialogs {
  destination: Destination
  isBusy: boolean
}

function RowButtons({ destination, isBusy, ...open }: RowButtonsProps) {
  const { buttons, more } = useDestinationMenu(destination, open)
  return (
    <>
      {buttons.map((action) => (
        <RowButton key={action.icon} action={action} />
      ))}
      <Menu
        label={`More for ${destination.title}`}
        disabledReason={isBusy ? '' : null}
        groups={[more]}
      />
    </>
  )
}
