/** One input or output: its state, its numbers, what one does with it; opens to the link itself. */
import { Fragment, type ReactNode, useId } from 'react'
import { UNKNOWN } from '../shared/format.ts'
import { RowExpander } from '../shared/RowExpander.tsx'
import { StateCell } from '../shared/StateCell.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Row } from '../ui/Table.tsx'
import { BitrateCell } from './BitrateCell.tsx'
import { useIsCommanded } from './contribution.actions.ts'
import type { Link } from './link.rules.ts'
import { type LinkView, useLinkView } from './link-view.hook.ts'
import { LinkButtons } from './LinkButtons.tsx'
import { LinkDetail } from './LinkDetail.tsx'
import classes from './LinkRow.module.css'
import type { RowPlace } from './LinkTable.tsx'
import { RenameCell } from './RenameCell.tsx'
import { SelectCell } from './SelectCell.tsx'

interface LinkRowProps {
  link: Link
  place: RowPlace
  onShowOutputs: (inputId: string) => void
  /** The cells between name and bitrate, which differ between inputs and outputs. */
  children: ReactNode
}

/** Tick, expander, status, name, two of its own, bitrate, uptime, actions. */
const LINK_COLUMNS = 9

export function LinkRow({ link, place, onShowOutputs, children }: LinkRowProps) {
  const { isOpen, onOpen, isRenamed, onRename } = place
  const detailId = useId()
  const shown = useLinkView(link)
  const isBusy = useIsCommanded(link)
  const { view, status } = shown
  return (
    <Fragment>
      <Row
        family={view.family}
        isBusy={isBusy}
        isSelected={place.isSelected}
        className={isOpen ? classes.open : classes.row}
      >
        <SelectCell
          title={link.title}
          isSelected={place.isSelected}
          onSelect={place.onSelect}
          onRename={() => onRename(true)}
          onOpen={onOpen}
          className={classes.select}
        />
        <td className={classes.expander}>
          <RowExpander
            of={link.title}
            isOpen={isOpen}
            detailId={detailId}
            hasRowFocus={false}
            onChange={onOpen}
          />
        </td>
        <td className={classes.status}>
          <StateCell view={view} />
        </td>
        <th scope="row" className={classes.name}>
          {isRenamed ? (
            <RenameCell {...link} onClose={() => onRename(false)} />
          ) : (
            <NameCell link={link} shown={shown} />
          )}
        </th>
        {children}
        <td className={classes.bitrate}>
          <BitrateCell link={link} shown={shown} />
        </td>
        <td className={classes.uptime}>{shown.uptime === '' ? UNKNOWN : shown.uptime}</td>
        <td className={classes.actions}>
          <LinkButtons
            link={{ ...link, isEnabled: shown.isEnabled }}
            state={status?.state ?? null}
            isBusy={isBusy}
            isWrong={view.shape === 'octagon-square'}
            onLog={() => place.onLog(link)}
            onRename={() => onRename(true)}
            onClone={() => place.onClone(link)}
            onShowOutputs={onShowOutputs}
          />
        </td>
      </Row>
      {isOpen && (
        <tr className={classes.detail} data-f={view.family}>
          <td colSpan={LINK_COLUMNS} id={detailId}>
            <LinkDetail link={link} shown={shown} />
          </td>
        </tr>
      )}
    </Fragment>
  )
}

function NameCell({ link, shown: { status } }: { link: Link; shown: LinkView }) {
  const isEncrypted = link.encryption.selection === 'yes'
  return (
    <div className={classes.line}>
      <span className={classes.title} title={link.title}>
        {link.title}
      </span>
      {status?.waitsForRestart === true && <span className={classes.waits}>restart to apply</span>}
      {status?.waitsForHost === true && <span className={classes.waits}>waits for host</span>}
      <span className={classes.tag}>{link.type}</span>
      <span className={classes.key}>
        {isEncrypted && (
          <span role="img" aria-label={`Encrypted, AES-${link.encryption.type}`}>
            <Icon name="lock" size={12} />
          </span>
        )}
      </span>
    </div>
  )
}
