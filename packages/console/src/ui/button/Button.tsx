import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import classes from './Button.module.css'
import { Icon, type IconName } from '../symbol/Icon.tsx'
import { Hint } from '../hint/Hint.tsx'

type ButtonTone = 'plain' | 'primary' | 'quiet' | 'danger'
/** 28 in rows and cards, 32 in toolbars, 36 in dialogs, 44 on sign-in. */
type ButtonSize = 28 | 32 | 36 | 44

interface ButtonProps extends ComponentProps<'button'> {
  tone?: ButtonTone | undefined
  size?: ButtonSize | undefined
  icon?: IconName | undefined
  /**
   * Why this button does nothing now. It stays focusable and says so in a tooltip; '' makes it
   * inert without a word, as while its own action runs.
   */
  disabledReason?: string | null | undefined
  children?: ReactNode
}

export function Button(props: ButtonProps) {
  // Wrapped from the start where a reason may come: a button that is wrapped later is made anew,
  // and the focus it had is lost.
  if (props.disabledReason === undefined) return <PlainButton {...props} />
  return (
    <Hint text={props.disabledReason ?? ''}>
      <PlainButton {...props} />
    </Hint>
  )
}

function PlainButton(props: ButtonProps) {
  const {
    tone = 'plain',
    size = 32,
    icon,
    disabledReason = null,
    className,
    children,
    ...rest
  } = props
  const isDisabled = disabledReason !== null
  return (
    <button
      type="button"
      {...rest}
      className={[classes.button, className].filter(Boolean).join(' ')}
      data-tone={tone}
      data-size={size}
      data-square={children === undefined || undefined}
      aria-disabled={isDisabled || undefined}
      onClick={isDisabled ? holdStill : rest.onClick}
    >
      {icon !== undefined && <Icon name={icon} size={size >= 36 ? 16 : 14} />}
      {children}
    </button>
  )
}

/** An inert submit button must not submit either. */
function holdStill(event: MouseEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'aria-label'> {
  icon: IconName
  /** Names the object too: 'Stop Marathon km 30'. Shown as the tooltip when it is not inert. */
  label: string
}

export function IconButton({ label, disabledReason = null, ...rest }: IconButtonProps) {
  return (
    <Hint text={disabledReason || label} isName={disabledReason === null}>
      <PlainButton {...rest} disabledReason={disabledReason} aria-label={label} />
    </Hint>
  )
}
