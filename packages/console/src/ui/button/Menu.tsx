/** What else can be done with one thing: a button that opens a short list of verbs. */
import { Menu as MantineMenu } from '@mantine/core'
import { Fragment, useRef } from 'react'
import { Button, IconButton } from './Button.tsx'
import { Icon, type IconName } from '../symbol/Icon.tsx'
import classes from './Menu.module.css'

export interface MenuAction {
  label: string
  /** Beside the label, quieter: what tells it from another of that name. */
  detail?: string | undefined
  icon: IconName
  tone: 'plain' | 'danger'
  does: () => void
  /** Of a choice that can be on or off: the menu stays open for the next. */
  isChecked?: boolean
}

interface MenuProps {
  /** Names the button and its list: 'More for Marathon km 30'. */
  label: string
  /** A line is drawn between two groups; an empty group is left out. */
  groups: readonly (readonly MenuAction[])[]
  /** Why nothing can be chosen now; '' without a word, as while an action runs. */
  disabledReason: string | null
  /** On the button, which is three dots without it. */
  caption?: string | undefined
}

const FADE_MS = 120

export function Menu({ label, groups, disabledReason, caption }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const shown = groups.filter((group) => group.length > 0)
  return (
    <MantineMenu
      position="bottom-end"
      offset={4}
      hideDetached={false}
      // The first item has the focus, as the menu pattern has it.
      withInitialFocusPlaceholder={false}
      // Inside a landmark, so that a reader who jumps by them finds it.
      portalProps={{ target: 'main' }}
      // A dialog that an item opens takes the focus; it must find the button that it gives it back to.
      returnFocus={false}
      onClose={() => focusIfLeft(button.current)}
      transitionProps={{ transition: 'fade', duration: FADE_MS }}
      classNames={{
        dropdown: classes.dropdown ?? '',
        divider: classes.divider ?? '',
        item: classes.item ?? '',
        itemSection: classes.icon ?? '',
        itemLabel: classes.text ?? '',
        itemIndicator: classes.indicator ?? '',
      }}
    >
      <MantineMenu.Target>
        {caption === undefined ? (
          <IconButton
            ref={button}
            icon="more"
            label={label}
            tone="quiet"
            size={28}
            disabledReason={disabledReason}
          />
        ) : (
          <Button ref={button} disabledReason={disabledReason} aria-label={label}>
            {caption}
            <Icon name="down" size={13} />
          </Button>
        )}
      </MantineMenu.Target>
      <MantineMenu.Dropdown>
        {shown.map((group, index) => (
          <Fragment key={group[0]?.label}>
            {index > 0 && <MantineMenu.Divider role="separator" />}
            {group.map((action, at) => (
              <Item
                key={`${action.label}\n${action.detail ?? ''}`}
                action={action}
                isFirst={index === 0 && at === 0}
                onChoose={() => button.current?.focus()}
              />
            ))}
          </Fragment>
        ))}
      </MantineMenu.Dropdown>
    </MantineMenu>
  )
}

interface ItemProps {
  action: MenuAction
  isFirst: boolean
  /** Before the menu closes. */
  onChoose: () => void
}

function Item({ action, isFirst, onChoose }: ItemProps) {
  const common = {
    'data-tone': action.tone,
    'data-autofocus': isFirst || undefined,
    children: (
      <>
        <span className={classes.label}>{action.label}</span>
        {action.detail !== undefined && <span className={classes.detail}>{action.detail}</span>}
      </>
    ),
  }
  if (action.isChecked !== undefined) {
    return (
      <MantineMenu.CheckboxItem
        {...common}
        checked={action.isChecked}
        onChange={action.does}
        closeMenuOnClick={false}
        checkIcon={<Icon name="check" size={14} />}
      />
    )
  }
  return (
    <MantineMenu.Item
      {...common}
      leftSection={<Icon name={action.icon} size={14} />}
      onClick={() => {
        onChoose()
        action.does()
      }}
    />
  )
}

/** Closed by a key: the focus was in the list, which goes. Closed by a click elsewhere: it is there. */
function focusIfLeft(button: HTMLButtonElement | null): void {
  const isInside = document.activeElement?.closest('[role="menu"]') ?? null
  if (isInside !== null) button?.focus()
}
