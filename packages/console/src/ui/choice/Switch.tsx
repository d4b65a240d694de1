/** On or off, at once. It moves with the click; while the answer is awaited an arc turns in its knob. */
import { Hint } from '../hint/Hint.tsx'
import { Icon } from '../symbol/Icon.tsx'
import classes from './Switch.module.css'

interface SwitchProps {
  /** Names the object: 'Stadium South live'. */
  label: string
  isOn: boolean
  isBusy: boolean
  /** Only a higher role may: it stays focusable, shows a lock, and the click says so. */
  isLocked?: boolean | undefined
  /** Why it does nothing now; null when it works. */
  disabledReason?: string | null | undefined
  onToggle: (isOn: boolean) => void
}

export function Switch(props: SwitchProps) {
  const { label, isOn, isBusy, isLocked = false, disabledReason = null, onToggle } = props
  const isDisabled = isBusy || disabledReason !== null
  const button = (
    <button
      type="button"
      role="switch"
      className={classes.switch}
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      aria-busy={isBusy || undefined}
      onClick={() => {
        if (!isDisabled) onToggle(!isOn)
      }}
    >
      <i className={classes.knob}>{isLocked && <Icon name="lock" size={10} />}</i>
    </button>
  )
  return disabledReason === null ? button : <Hint text={disabledReason}>{button}</Hint>
}
