/** Views of a page by the tabs pattern: arrows move, Alt and a digit jump. */
import { type KeyboardEvent, useEffect, useRef } from 'react'
import classes from './Segmented.module.css'
import type { Segment } from './Segmented.tsx'

interface TabsProps<T extends string> {
  label: string
  tabs: readonly Segment<T>[]
  value: T
  /** The id of the panel that the chosen tab shows. */
  panelId: string
  onChange: (value: T) => void
}

export function Tabs<T extends string>({ label, tabs, value, panelId, onChange }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  useAltDigits(tabs, onChange)
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = (at + step + tabs.length) % tabs.length
    const tab = tabs[next]
    if (tab !== undefined) onChange(tab.value)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its tabs take the focus
    <div
      ref={list}
      className={classes.segmented}
      role="tablist"
      aria-label={label}
      onKeyDown={move}
    >
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          aria-selected={tab.value === value}
          aria-controls={tab.value === value ? panelId : undefined}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
        >
          {tab.label}
          {tab.count !== null && <b>{tab.count.toLocaleString('en')}</b>}
        </button>
      ))}
    </div>
  )
}

/** Alt and a digit opens that tab. */
export function useAltDigits<T extends string>(
  tabs: readonly Pick<Segment<T>, 'value'>[],
  onChange: (value: T) => void,
): void {
  useEffect(() => {
    const hear = (event: globalThis.KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey) return
      // The key, not the character: Alt and a digit is another letter on some keyboards.
      const tab = tabs[Number(/^Digit([1-9])$/.exec(event.code)?.[1] ?? 0) - 1]
      if (tab === undefined) return
      event.preventDefault()
      onChange(tab.value)
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [tabs, onChange])
}
