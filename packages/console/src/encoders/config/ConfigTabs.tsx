/** The tabs of the configuration page (CFG-02): arrows move, a dot marks what is unsaved, a shape what is at fault. */
import { useRef, type KeyboardEvent } from 'react'
import { Hidden } from '../../ui/Hidden.tsx'
import { Shape } from '../../ui/Shape.tsx'
import { useAltDigits } from '../../ui/Tabs.tsx'
import { TABS, type Tab } from './config-field.rules.ts'
import classes from './ConfigTabs.module.css'

export const TAB_LABELS: Readonly<Record<Tab, string>> = {
  video: 'Video Settings',
  audio: 'Audio Settings',
  mux: 'Mux Settings',
  output: 'Output Settings',
  feeder: 'Feeder',
}

const TAB_VALUES = TABS.map((value) => ({ value }))

interface ConfigTabsProps {
  value: Tab
  panelId: string
  counts: Partial<Record<Tab, number>>
  changed: ReadonlySet<Tab>
  faulty: ReadonlySet<Tab>
  onChange: (tab: Tab) => void
}

export function ConfigTabs(props: ConfigTabsProps) {
  const { value, onChange } = props
  const list = useRef<HTMLDivElement>(null)
  useAltDigits(TAB_VALUES, onChange)
  const move = (event: KeyboardEvent) => {
    const next = nextTab(event.key, value)
    if (next === null) return
    event.preventDefault()
    onChange(next)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its tabs take the focus
    <div ref={list} className={classes.tabs} role="tablist" aria-label="Settings" onKeyDown={move}>
      {TABS.map((tab) => (
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
          {TAB_LABELS[tab]}
          {props.counts[tab] !== undefined && <b>{props.counts[tab]}</b>}
          <Marks isChanged={props.changed.has(tab)} isFaulty={props.faulty.has(tab)} />
        </button>
      ))}
    </div>
  )
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
          <Hidden>, something to mend</Hidden>
        </>
      )}
    </>
  )
}

function nextTab(key: string, value: Tab): Tab | null {
  const at = TABS.indexOf(value)
  if (key === 'ArrowRight') return TABS[(at + 1) % TABS.length] ?? null
  if (key === 'ArrowLeft') return TABS.at(at - 1) ?? null
  if (key === 'Home') return TABS[0]
  if (key === 'End') return TABS.at(-1) ?? null
  return null
}
