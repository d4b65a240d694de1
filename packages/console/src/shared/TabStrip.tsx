/** The tabs of a configuration page (CFG-02, IN-FORM-02): arrows move, a dot marks what is unsaved, a shape what is at fault. */
import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { Hidden } from '../ui/Hidden.tsx'
import { Shape } from '../ui/Shape.tsx'
import { useAltDigits } from '../ui/Tabs.tsx'
import classes from './TabStrip.module.css'

export interface TabInStrip<T extends string> {
  value: T
  label: string
  count?: number | undefined
  /** Why it does nothing for the moment; it can be opened all the same. */
  note?: string | undefined
}

interface TabStripProps<T extends string> {
  tabs: readonly TabInStrip<T>[]
  value: T
  panelId: string
  changed: ReadonlySet<T>
  faulty: ReadonlySet<T>
  onChange: (tab: T) => void
}

export function TabStrip<T extends string>(props: TabStripProps<T>) {
  const { tabs, value, onChange } = props
  const list = useRef<HTMLDivElement>(null)
  useAltDigits(tabs, onChange)
  useTabInSight(list, value)
  const move = (event: KeyboardEvent) => {
    const next = nextTab(event.key, tabs, value)
    if (next === null) return
    event.preventDefault()
    onChange(next)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its tabs take the focus
    <div ref={list} className={classes.tabs} role="tablist" aria-label="Settings" onKeyDown={move}>
      {tabs.map(({ value: tab, label, count, note }) => (
        <button
          key={tab}
          type="button"
          role="tab"
          data-tab={tab}
          aria-selected={tab === value}
          aria-controls={tab === value ? props.panelId : undefined}
          tabIndex={tab === value ? 0 : -1}
          onClick={() => onChange(tab)}
        >
          {label}
          {count !== undefined && <b>{count}</b>}
          {note !== undefined && <span className={classes.note}>{note}</span>}
          <Marks isChanged={props.changed.has(tab)} isFaulty={props.faulty.has(tab)} />
        </button>
      ))}
    </div>
  )
}

/** A narrow screen scrolls the tabs: the open one is brought into sight, also when it opens by address or key. */
function useTabInSight(list: RefObject<HTMLElement | null>, value: string): void {
  useEffect(() => {
    const strip = list.current
    const tab = strip?.querySelector('[aria-selected="true"]')
    if (!strip || !tab) return
    const [place, whole] = [tab.getBoundingClientRect(), strip.getBoundingClientRect()]
    if (place.left < whole.left) strip.scrollBy({ left: place.left - whole.left })
    else if (place.right > whole.right) strip.scrollBy({ left: place.right - whole.right })
  }, [list, value])
}

function Marks({ isChanged, isFaulty }: { isChanged: boolean; isFaulty: boolean }) {
  return (
    <>
      {isChanged && (
        <>
          <i className={classes.dot} />
          <Hidden>, unsaved changes</Hidden>
        </>
      )}
      {isFaulty && (
        <>
          <Shape shape="octagon" family="bad" size={13} />
          <Hidden>, has errors</Hidden>
        </>
      )}
    </>
  )
}

function nextTab<T extends string>(
  key: string,
  tabs: readonly TabInStrip<T>[],
  value: T,
): T | null {
  const at = tabs.findIndex((tab) => tab.value === value)
  if (key === 'ArrowRight') return tabs[(at + 1) % tabs.length]?.value ?? null
  if (key === 'ArrowLeft') return tabs.at(at - 1)?.value ?? null
  if (key === 'Home') return tabs[0]?.value ?? null
  if (key === 'End') return tabs.at(-1)?.value ?? null
  return null
}
