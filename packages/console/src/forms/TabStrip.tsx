/** The tabs of a configuration page (CFG-02, IN-FORM-02): a dot marks what is unsaved, a shape what is at fault. */
import { useEffect, useRef, type RefObject } from 'react'
import { Hidden } from '../ui/Hidden.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import { Tabs } from '../ui/choice/Tabs.tsx'
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
  changed: ReadonlySet<string>
  faulty: ReadonlySet<string>
  onChange: (tab: T) => void
}

export function TabStrip<T extends string>(props: TabStripProps<T>) {
  const { tabs, value, panelId, onChange } = props
  const list = useRef<HTMLDivElement>(null)
  useTabInSight(list, value)
  return (
    <Tabs
      label="Settings"
      listRef={list}
      className={classes.tabs}
      tabs={tabs}
      value={value}
      panelId={panelId}
      onChange={onChange}
      marksOf={(tab) => (
        <>
          {tab.note !== undefined && <span className={classes.note}>{tab.note}</span>}
          <Marks isChanged={props.changed.has(tab.value)} isFaulty={props.faulty.has(tab.value)} />
        </>
      )}
    />
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
