/** Views of a page: Mantine's tabs, in our look. Alt and a digit jump. */
import { Tabs as MantineTabs } from '@mantine/core'
import { useEffect, type ReactNode, type Ref } from 'react'
import classes from './Segmented.module.css'
import { LOCALE } from '../../lib/locale/language.ts'

interface Tab<T extends string> {
  value: T
  label: string
  /** A number beside the label. */
  count?: number | null | undefined
}

interface TabsProps<T extends string, V extends Tab<T>> {
  label: string
  tabs: readonly V[]
  value: T
  /** The id of the panel that the chosen tab shows. */
  panelId: string
  onChange: (value: T) => void
  /** In place of the look of a segmented control. */
  className?: string | undefined
  listRef?: Ref<HTMLDivElement> | undefined
  /** What stands after the label. */
  marksOf?: ((tab: V) => ReactNode) | undefined
}

export function Tabs<T extends string, V extends Tab<T>>(props: TabsProps<T, V>) {
  const { label, tabs, value, panelId, onChange, listRef, marksOf } = props
  const { className = classes.segmented ?? '' } = props
  useAltDigits(tabs, onChange)
  const change = (next: string | null) => {
    const tab = tabs.find((candidate) => candidate.value === next)
    if (tab !== undefined && tab.value !== value) onChange(tab.value)
  }
  return (
    <MantineTabs
      unstyled
      className={classes.tabs ?? ''}
      classNames={{ tabLabel: classes.label ?? '' }}
      value={value}
      onChange={change}
      // What has the focus is open, by Home and End too: see onFocus.
      activateTabWithKeyboard={false}
    >
      <MantineTabs.List ref={listRef} className={className} aria-label={label}>
        {tabs.map((tab) => (
          <MantineTabs.Tab
            key={tab.value}
            value={tab.value}
            aria-controls={tab.value === value ? panelId : undefined}
            onFocus={() => change(tab.value)}
          >
            {tab.label}
            {typeof tab.count === 'number' && <b>{tab.count.toLocaleString(LOCALE)}</b>}
            {marksOf?.(tab)}
          </MantineTabs.Tab>
        ))}
      </MantineTabs.List>
    </MantineTabs>
  )
}

/** Alt and a digit opens that tab. */
function useAltDigits<T extends string>(
  tabs: readonly Tab<T>[],
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
