/** The page of a form with tabs: its head, what is said about it, the fields above the tabs, and a panel. */
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { askFirst } from '../lib/confirm.ts'
import { readSession } from '../lib/session.ts'
import { Band } from '../ui/notice/Notice.tsx'
import { fullLabelOf, tabsOf } from './field.rules.ts'
import classes from './FormPage.module.css'
import { newsLines } from './merge.rules.ts'
import { NewsBand } from './NewsBand.tsx'
import type { PageForm } from './page-form.hook.ts'
import { type TabInStrip, TabStrip } from './TabStrip.tsx'
import { leaveSentences } from './unsaved.messages.ts'

interface FormPageProps<T extends object, C, Tab extends string> {
  form: PageForm<T, C>
  /** What is edited, as the question before leaving names it. */
  title: string
  head: ReactNode
  /** 'Somebody else has saved this encoder since you opened it.' */
  theySaved: string
  /** What else is said about what is edited. */
  bands: ReactNode
  /** Above the tabs. */
  identity: ReactNode
  tabs: readonly TabInStrip<Tab>[]
  tab: Tab
  onTab: (tab: Tab) => void
  /** Of that tab. */
  children: ReactNode
}

const PANEL_ID = 'form-panel'

export function FormPage<T extends object, C, Tab extends string>(props: FormPageProps<T, C, Tab>) {
  const { form, tabs, tab } = props
  const place = useRef<HTMLDivElement>(null)
  useLeaveGuard(props.title, form.changes.length)
  useFocusOn(place, form.wanted)
  const changed = form.changes.map(({ name }) => name)
  return (
    <div ref={place}>
      {props.head}
      <News form={form} title={props.theySaved} />
      <div className={classes.bands}>
        {props.bands}
        {form.failure !== '' && (
          <div role="alert">
            <Band family="bad" shape="octagon">
              {form.failure}
            </Band>
          </div>
        )}
      </div>
      {props.identity}
      <TabStrip
        tabs={tabs}
        value={tab}
        panelId={PANEL_ID}
        changed={tabsOf(form.spec, form.marksChanges ? changed : [])}
        faulty={tabsOf(form.spec, form.invalid)}
        onChange={props.onTab}
      />
      <div
        id={PANEL_ID}
        role="tabpanel"
        aria-label={tabs.find(({ value }) => value === tab)?.label}
      >
        {props.children}
      </div>
    </div>
  )
}

/** The fields of a tab, and beside them what is now and what saving means. */
export function Columns({ rail, children }: { rail: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className={classes.column}>{children}</div>
      <aside className={classes.rail} aria-label="Now and on save">
        {rail}
      </aside>
    </div>
  )
}

/** decisions.md 16: what somebody else saved, field by field. */
function News<T extends object, C>({ form, title }: { form: PageForm<T, C>; title: string }) {
  const { spec, state, context } = form
  return (
    <NewsBand
      title={title}
      lines={newsLines(spec.rules.names, state).map(({ name, isClash, ...sides }) => ({
        name,
        isClash,
        label: fullLabelOf(spec, name, state.values),
        was: spec.shownText(sides.was, name, context),
        theirs: spec.shownText(sides.theirs, name, context),
        mine: spec.shownText(sides.mine, name, context),
      }))}
      onTakeTheirs={() => form.take({ step: 'take-theirs' })}
      onKeepMine={() => form.take({ step: 'keep-mine' })}
    />
  )
}

/** Which tab is open stands in the address, so that it can be linked to and survives a reload. */
export function useTab<Tab extends string>(tabs: readonly Tab[], first: Tab) {
  const search: { tab?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const tab = tabs.find((known) => known === search.tab) ?? first
  const setTab = (next: string) => {
    if (next === tab) return
    void navigate({ to: '.', search: (was) => ({ ...was, tab: next }), replace: true })
  }
  return [tab, setTab] as const
}

/** Q89: nobody leaves with unsaved changes unasked, by a link, by a key, or by closing the tab. */
function useLeaveGuard(title: string, changes: number): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // Another tab of this page is no leaving; who is signed out cannot stay.
      if (current.pathname === next.pathname || readSession() === null) return false
      return !(await askFirst({
        sentences: leaveSentences(title, changes),
        doLabel: 'Leave without saving',
        keepLabel: 'Stay here',
      }))
    },
    enableBeforeUnload: changes > 0,
    disabled: changes === 0,
  })
}

/** The field to correct gets the focus as soon as its tab shows it; each wish is a new object. */
function useFocusOn(place: RefObject<HTMLDivElement | null>, wanted: { name: string } | null) {
  const done = useRef<{ name: string } | null>(null)
  useEffect(() => {
    if (wanted === null || done.current === wanted) return
    const field = place.current?.querySelector<HTMLElement>(
      `[data-field="${wanted.name}"] :is(input, select, button)`,
    )
    if (!field) return
    done.current = wanted
    field.focus()
  })
}
