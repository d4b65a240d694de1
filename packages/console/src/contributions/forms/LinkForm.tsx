/** The page of one input or output: fields in tabs, and beside them what runs now and what saving means. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import pageClasses from '../../forms/FormPage.module.css'
import { useFocusOn } from '../../forms/focus-field.hook.ts'
import { useLeaveGuard } from '../../forms/leave-guard.hook.ts'
import { NewsBand } from '../../forms/NewsBand.tsx'
import { TabStrip } from '../../forms/TabStrip.tsx'
import { Button } from '../../ui/Button.tsx'
import { Band } from '../../ui/Notice.tsx'
import { confirmRestart } from '../contribution.actions.ts'
import { type Link, type LinkKind, offersStop } from '../link.rules.ts'
import { useLinkView } from '../link-view.hook.ts'
import { AdvancedTab } from './AdvancedTab.tsx'
import { EncryptionTab } from './EncryptionTab.tsx'
import { DELETED, THEY_SAVED, WAITS_FOR_HOST, WAITS_FOR_RESTART } from './form.messages.ts'
import { placesOf, useKnownPlaces } from './known-places.hook.ts'
import { mergedText } from './link-change.rules.ts'
import {
  fullLabelOf,
  mayEncrypt,
  type Tab,
  tabLabels,
  tabOf,
  TABS,
  tabsOf,
} from './link-field.rules.ts'
import { invalidFields, type LinkForm as Form, useLinkForm } from './link-form.hook.ts'
import type { Read } from './link-values.rules.ts'
import { newsLines } from './link-merge.rules.ts'
import { restartLink } from './link-save.actions.ts'
import { LinkFormHead, type Running, titleOf } from './LinkFormHead.tsx'
import classes from './LinkForm.module.css'
import { LinkIdentity } from './LinkIdentity.tsx'
import { LinkRail } from './LinkRail.tsx'
import { SettingsTab } from './SettingsTab.tsx'

interface NewLinkProps {
  kind: LinkKind
  read: Read
  /** Where it will run. */
  serverId: string
}

export function NewLinkForm({ kind, read, serverId }: NewLinkProps) {
  return <LinkForm kind={kind} read={read} serverId={serverId} running={null} />
}

interface KnownLinkProps extends NewLinkProps {
  link: Link
  /** Somebody has deleted it since the form was opened. */
  isGone: boolean
}

export function KnownLinkForm({ kind, read, serverId, link, isGone }: KnownLinkProps) {
  const shown = useLinkView(link)
  return <LinkForm kind={kind} read={read} serverId={serverId} running={{ link, shown, isGone }} />
}

const PANEL_ID = 'link-form-panel'

interface LinkFormProps extends NewLinkProps {
  running: Running | null
}

function LinkForm({ kind, read, serverId, running }: LinkFormProps) {
  const place = useRef<HTMLDivElement>(null)
  const [tab, setTab] = useTab()
  const [chosen, setChosen] = useState(placesOf(read.values))
  const known = useKnownPlaces(kind, (kind === 'input' && chosen.serverId) || serverId, chosen)
  const openTab = (name: string) => {
    const wanted = tabOf(name)
    if (wanted !== null && wanted !== tab) setTab(wanted)
  }
  const isUp = offersStop(running?.shown.status?.state ?? null)
  const form = useLinkForm({ kind, read, link: running?.link ?? null, isUp, known, openTab })
  // IN-FORM-12: another server of a new input has adapters of its own.
  const inForm = placesOf(form.state.values)
  if (JSON.stringify(inForm) !== JSON.stringify(chosen)) setChosen(inForm)
  useLeaveGuard(titleOf(form), form.changes.length)
  useFocusOn(place, form.wanted)
  return (
    <div ref={place}>
      <LinkFormHead form={form} running={running} />
      <Bands form={form} running={running} />
      <LinkIdentity form={form} />
      <TabStrip
        tabs={tabsWith(form)}
        value={tab}
        panelId={PANEL_ID}
        changed={form.isNew ? NONE : tabsOf(form.changes.map(({ name }) => name))}
        faulty={tabsOf(invalidFields(form))}
        onChange={setTab}
      />
      <div id={PANEL_ID} role="tabpanel" aria-label={tabLabels(kind)[tab]}>
        <Columns rail={<LinkRail form={form} running={running} />}>
          {tab === 'settings' && <SettingsTab form={form} />}
          {tab === 'encryption' && <EncryptionTab form={form} />}
          {tab === 'advanced' && <AdvancedTab form={form} />}
        </Columns>
      </div>
    </div>
  )
}

const NONE: ReadonlySet<Tab> = new Set()

function Columns({ rail, children }: { rail: ReactNode; children: ReactNode }) {
  return (
    <div className={pageClasses.columns}>
      <div className={pageClasses.column}>{children}</div>
      <aside className={pageClasses.rail} aria-label="Now and on save">
        {rail}
      </aside>
    </div>
  )
}

function tabsWith({ kind, state }: Form) {
  const { fields, advanced } = state.values
  const notes: Partial<Record<Tab, string>> = mayEncrypt(fields)
    ? fields['encryption.selection'] === 'yes'
      ? { encryption: `AES-${fields['encryption.type']}` }
      : {}
    : { encryption: 'not here' }
  return TABS.map((value) => ({
    value,
    label: tabLabels(kind)[value],
    note: notes[value],
    count: value === 'advanced' && advanced.length > 0 ? advanced.length : undefined,
  }))
}

/** Which tab is open stands in the address, so that it survives a reload. */
function useTab() {
  const search: { tab?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const tab: Tab = TABS.find((one) => one === search.tab) ?? 'settings'
  const setTab = (next: Tab) =>
    void navigate({ to: '.', search: (was) => ({ ...was, tab: next }), replace: true })
  return [tab, setTab] as const
}

function Bands({ form, running }: { form: Form; running: Running | null }) {
  const { state, known, kind } = form
  const { base, values, news } = state
  const textOf = (from: typeof values, name: Parameters<typeof mergedText>[1]) =>
    mergedText(from, name, known.titleOf)
  return (
    <>
      <NewsBand
        title={THEY_SAVED[kind]}
        lines={newsLines(state).map(({ name, isClash }) => ({
          name,
          isClash,
          label: fullLabelOf(kind, name, values.fields),
          was: textOf(news?.before ?? base, name),
          theirs: textOf(base, name),
          mine: textOf(values, name),
        }))}
        onTakeTheirs={() => form.take({ step: 'take-theirs' })}
        onKeepMine={() => form.take({ step: 'keep-mine' })}
      />
      <div className={classes.bands}>
        {running !== null && <StatusBands running={running} />}
        {form.failure !== '' && (
          <Band family="bad" shape="octagon">
            {form.failure}
          </Band>
        )}
      </div>
    </>
  )
}

/** Wanted and observed differ: what is saved is not what runs. */
function StatusBands({ running: { link, shown, isGone } }: { running: Running }) {
  const { status } = shown
  const restart = async () => {
    if (await confirmRestart(link)) await restartLink(link)
  }
  if (isGone) {
    return (
      <Band family="bad" shape="octagon">
        {DELETED[link.kind]}
      </Band>
    )
  }
  return (
    <>
      {status?.waitsForHost === true && (
        <Band family="blind" shape="diamond-x">
          {WAITS_FOR_HOST}
        </Band>
      )}
      {status?.waitsForRestart === true && (
        <Band
          family="warn"
          shape="half-disc"
          action={
            <Button size={28} icon="restart" onClick={() => void restart()}>
              Restart
            </Button>
          }
        >
          {WAITS_FOR_RESTART}
        </Band>
      )}
    </>
  )
}
