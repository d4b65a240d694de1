/** A line of the palette's list. The field keeps the focus; Enter there clicks the line that is marked. */
import type { ReactNode } from 'react'
import type { MenuAction } from '../../ui/button/Menu.tsx'
import { Icon, type IconName } from '../../ui/symbol/Icon.tsx'
import classes from './CommandPalette.module.css'
import type { FoundObject } from './found-object.rules.ts'
import { listedOf, type Wanted } from './palette-action.rules.ts'
import { ASKS_FIRST } from './palette.messages.ts'

/** What each line gets from the list, whatever it is for. */
export interface LineProps {
  /** Of the element, for aria-activedescendant. */
  id: string
  isMarked: boolean
  /** Closes the palette. */
  onClose: () => void
}

/** `key`: the same for the same thing, whatever else is listed. */
export type LineOf = (key: string) => LineProps

interface OptionProps extends LineProps {
  icon: IconName
  title: string
  /** After the title, quieter. */
  detail?: string | undefined
  /** At the right end: a state, or what will happen. */
  aside?: ReactNode
  /** Why it cannot be done now; null where it can. */
  disabledReason?: string | null | undefined
  /** The palette is closed then. */
  onChoose: () => void
}

export function Option(props: OptionProps) {
  const { id, isMarked, icon, title, detail = '', aside, disabledReason = null } = props
  const choose = () => {
    if (disabledReason !== null) return
    props.onClose()
    props.onChoose()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and hears the keys
    <div
      ref={isMarked ? intoSight : undefined}
      id={id}
      role="option"
      className={classes.option}
      aria-selected={isMarked}
      aria-disabled={disabledReason !== null || undefined}
      // The focus stays in the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      <Icon name={icon} size={16} />
      <span className={classes.title}>{title}</span>
      {detail !== '' && <span className={classes.detail}>{detail}</span>}
      <span className={classes.aside}>{disabledReason ?? aside}</span>
    </div>
  )
}

function intoSight(option: HTMLElement | null) {
  option?.scrollIntoView({ block: 'nearest' })
}

interface ActionListProps {
  object: FoundObject
  wanted: Wanted
  lineOf: LineOf
  /** As the row of the object has them. */
  actions: readonly MenuAction[]
}

/** Each action of a row as a line, with what it is done to. */
export function ActionList({ object, wanted, lineOf, actions }: ActionListProps) {
  return listedOf(actions, wanted).map(({ label, icon, tone, disabledReason, does }) => (
    <Option
      key={label}
      {...lineOf(`${label} ${object.key}`)}
      icon={icon}
      title={label}
      detail={label.includes(object.title) ? '' : object.title}
      aside={tone === 'danger' ? ASKS_FIRST : ''}
      disabledReason={disabledReason}
      onChoose={does}
    />
  ))
}
