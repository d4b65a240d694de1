/** The page of one input or output: fields in tabs, and beside them what runs now and what saving means. */
import { useQuery } from '@tanstack/react-query'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { tabOf } from '../../forms/field.rules.ts'
import { FormHead } from '../../forms/FormHead.tsx'
import { Columns, FormPage, useTab } from '../../forms/FormPage.tsx'
import { ApiError } from '../../lib/api-error.ts'
import { usePreload } from '../../lib/later.ts'
import { LaterPart } from '../../shared/page/Later.tsx'
import { OnAirTag } from '../../shared/on-air/OnAirTag.tsx'
import { ScheduleTag } from '../../shared/schedules/ScheduleTag.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Band } from '../../ui/notice/Notice.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { confirmRestart } from '../contribution.actions.ts'
import { offersStop } from '../../programs/command/command.rules.ts'
import { useLastSaver } from '../../programs/timeline/last-saver.hook.ts'
import { type LinkKind, linkOf } from '../link.rules.ts'
import { useLinkView } from '../link-view.hook.ts'
import { ADVANCED_TAB, ENCRYPTION_TAB } from './tabs/later-tabs.loader.ts'
import * as text from './form.messages.ts'
import { linkQuery } from './form.queries.ts'
import { placesOf, useKnownPlaces } from './known-places.hook.ts'
import { type LinkValues, mayEncrypt, type Tab, tabLabels, TABS } from './link-field.rules.ts'
import { type LinkForm as Form, type Running, useLinkForm } from './link-form.hook.ts'
import { LINK_FORM } from './link-form.rules.ts'
import { restartLink } from './link-save.actions.ts'
import { type Read, readOf } from './link-values.rules.ts'
import { LinkIdentity } from './LinkIdentity.tsx'
import { LinkRail } from './LinkRail.tsx'
import { BackLink, NotHere } from './NotHere.tsx'
import { SettingsTab } from './tabs/SettingsTab.tsx'

interface NewLinkProps {
  kind: LinkKind
  read: Read
  /** Where it will run. */
  serverId: string
}

export function NewLinkForm(props: NewLinkProps) {
  return <LinkForm {...props} running={null} />
}

export function KnownLinkForm({ kind, id }: { kind: LinkKind; id: string }) {
  // A form over cached data would show at once that somebody saved since.
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...linkQuery(kind, id),
    refetchOnMount: 'always',
  })
  if (data === undefined || !isFetchedAfterMount) {
    return <NotHere kind={kind} error={error} onRetry={() => void refetch()} />
  }
  const isGone = error instanceof ApiError && error.status === 404
  return <ReadLinkForm item={data} isGone={isGone} />
}

interface ReadLinkProps {
  item: Input | Output
  /** Somebody has deleted it since the form was opened. */
  isGone: boolean
}

function ReadLinkForm({ item, isGone }: ReadLinkProps) {
  const link = linkOf(item)
  const read = useMemo(() => readOf(item), [item])
  const shown = useLinkView(link)
  return (
    <LinkForm
      kind={link.kind}
      read={read}
      serverId={link.serverId}
      running={{ link, shown, isGone }}
    />
  )
}

function LinkForm({ kind, read, serverId, running }: NewLinkProps & { running: Running | null }) {
  const [tab, setTab] = useTab(TABS, 'settings')
  usePreload(true, LATER_TABS)
  const [chosen, setChosen] = useState(placesOf(read.values))
  const known = useKnownPlaces(kind, (kind === 'input' && chosen.serverId) || serverId, chosen)
  const state = running?.shown.status?.state ?? null
  const isUp = offersStop(state)
  const form = useLinkForm({
    kind,
    read,
    link: running?.link ?? null,
    state,
    known,
    openTab: (name) => setTab(tabOf(LINK_FORM, name) ?? tab),
  })
  useFilledIn(form)
  const saver = useLastSaver(kind, running?.link.id ?? '', form)
  const { base, values } = form.state
  // IN-FORM-12: another server of a new input has adapters of its own.
  const inForm = placesOf(values)
  if (JSON.stringify(inForm) !== JSON.stringify(chosen)) setChosen(inForm)
  const title = base.title === '' ? text.THE_NEW[kind] : base.title
  return (
    <FormPage
      form={form}
      title={title}
      head={<Head form={form} title={title} running={running} isUp={isUp} />}
      theySaved={text.THEY_SAVED[kind](saver)}
      bands={running !== null && <StatusBands running={running} />}
      identity={<LinkIdentity form={form} />}
      tabs={tabsWith(values)}
      tab={tab}
      onTab={setTab}
    >
      <Columns rail={<LinkRail form={form} running={running} />}>
        {tab === 'settings' && <SettingsTab form={form} />}
        {tab === 'encryption' && (
          <LaterPart part={ENCRYPTION_TAB} props={{ form }} waiting={WAITING} />
        )}
        {tab === 'advanced' && <LaterPart part={ADVANCED_TAB} props={{ form }} waiting={WAITING} />}
      </Columns>
    </FormPage>
  )
}

/** What the page was opened with stands in its field, unsaved. */
function useFilledIn({ take }: Form) {
  const search: { latency?: number; bufferMin?: number } = useSearch({ strict: false })
  useEffect(() => {
    for (const name of ['latency', 'bufferMin'] as const) {
      const value = search[name]
      if (value) take({ step: 'edit', change: { [`config.${name}`]: `${value}` } })
    }
    // Once: what is typed afterwards counts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
}

/** Fetched once the page has come to rest: an error in them is shown at once. */
const LATER_TABS = [ENCRYPTION_TAB, ADVANCED_TAB]
const WAITING = <Skeleton kind="row" count={1} height={88} />

interface HeadProps {
  form: Form
  title: string
  running: Running | null
  isUp: boolean
}

function Head({ form, title, running, isUp }: HeadProps) {
  const { kind, inputType } = form.state.values
  const isGone = running?.isGone === true
  return (
    <FormHead
      form={form}
      title={text.TITLES[kind]}
      back={<BackLink kind={kind} />}
      // What is gone has no state.
      view={running === null || isGone ? null : running.shown.view}
      name={title}
      onAir={
        running !== null && (
          <>
            <OnAirTag {...running.link} />
            <ScheduleTag {...running.link} />
          </>
        )
      }
      disabledReason={isGone ? text.DELETED_WHY : null}
      // A save that ends the program leaves nothing to restart (Q177).
      mayRestart={isUp && running?.link.isEnabled === true && inputType !== 'Local'}
    />
  )
}

function tabsWith(values: LinkValues) {
  const isOn = values['encryption.selection'] === 'yes'
  const key = isOn ? `AES-${values['encryption.type']}` : undefined
  const notes: Partial<Record<Tab, string | undefined>> = {
    encryption: mayEncrypt(values) ? key : 'none',
  }
  const { length } = values.advanced
  return TABS.map((value) => ({
    value,
    label: tabLabels(values.kind)[value],
    note: notes[value],
    count: value === 'advanced' && length > 0 ? length : undefined,
  }))
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
        {text.DELETED[link.kind]}
      </Band>
    )
  }
  return (
    <>
      {status?.waitsForHost === true && (
        <Band family="blind" shape="diamond-x">
          {text.WAITS_FOR_HOST}
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
          {text.WAITS_FOR_RESTART}
        </Band>
      )}
    </>
  )
}
