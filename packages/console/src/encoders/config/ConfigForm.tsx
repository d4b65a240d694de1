/** The configuration form of one encoder: fields in tabs, and beside them what saving means. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useEffect, useState } from 'react'
import { tabOf } from '../../forms/field.rules.ts'
import { FormHead } from '../../forms/FormHead.tsx'
import classes from '../../forms/FormPage.module.css'
import { Columns, FormPage, useTab } from '../../forms/FormPage.tsx'
import { later, usePreload } from '../../lib/later.ts'
import { useRole } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { offersStop } from '../../programs/command/command.rules.ts'
import { useLastSaver } from '../../programs/timeline/last-saver.hook.ts'
import { SIGNAL_PATH_SECTION } from '../../paths/signal-path-section.loader.ts'
import { LaterPart } from '../../shared/page/Later.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import { useEncoderView, type EncoderView } from '../encoder-view.hook.ts'
import { OnAirButtons } from '../../shared/on-air/OnAirButtons.tsx'
import { OnAirTag } from '../../shared/on-air/OnAirTag.tsx'
import { MENU_LABEL, READING } from '../templates/template.messages.ts'
import { ScheduleTag } from '../../shared/schedules/ScheduleTag.tsx'
import { BulkNote, MuxBand, StatusBands } from './Bands.tsx'
import { BitBudget } from './BitBudget.tsx'
import { settingsOf } from './config-check.rules.ts'
import { TAB_LABELS, TABS, type Tab } from './config-field.rules.ts'
import { useConfigForm, type ConfigForm as Form } from './config-form.hook.ts'
import { CONFIG_FORM, templateTexts } from './config-form.rules.ts'
import { knownHost } from './config-hint.rules.ts'
import { theySaved } from './config.messages.ts'
import { encoderHostQuery } from './config.queries.ts'
import { NowCard, OnSave } from './ConfigRail.tsx'
import { ConfigText } from './ConfigText.tsx'
import { Identity } from './Identity.tsx'
import { OutputTab } from './OutputTab.tsx'
import { SettingsTab } from './SettingsTab.tsx'

const FEEDER_TAB = later(
  'feeder tab',
  async () => (await import('../feeders/FeederTab.tsx')).FeederTab,
)
const TEMPLATE_MENU = later(
  'template menu',
  async () => (await import('../templates/TemplateMenu.tsx')).TemplateMenu,
)
const SOON_WANTED = [FEEDER_TAB]

export const CONFIGURE_ENCODER = 'Configure Encoder'

/** CFG-04. */
export function BackLink() {
  return (
    <Link to="/dashboard/managerEncoder" className={classes.back} preload={false}>
      <Icon name="left" size={14} />
      Encoders
    </Link>
  )
}

interface ConfigFormProps {
  encoder: Encoder
  isReadOnly: boolean
}

export function ConfigForm({ encoder, isReadOnly }: ConfigFormProps) {
  const [tab, setTab] = useTab(TABS, useFeederFlag() ? 'feeder' : 'video')
  const answer = useQuery(encoderHostQuery(encoder._id))
  const host = knownHost(answer.data ?? null)
  const shown = useEncoderView(encoder)
  usePreload(true, SOON_WANTED)
  const form = useConfigForm({
    encoder,
    proposed: answer.data?.proposed ?? null,
    host,
    isReadOnly,
    openTab: (name) => setTab(tabOf(CONFIG_FORM, name) ?? tab),
  })
  const saver = useLastSaver('encoder', encoder._id, form)
  return (
    <FormPage
      form={form}
      title={encoder.title}
      head={<Head form={form} encoder={encoder} shown={shown} />}
      theySaved={theySaved(saver)}
      bands={
        <>
          <StatusBands encoder={encoder} status={shown.status} />
          <MuxBand form={form} />
        </>
      }
      identity={
        <fieldset className={classes.bare} disabled={isReadOnly} aria-label="Encoder">
          <Identity form={form} isHostAsked={answer.data !== undefined} />
        </fieldset>
      }
      tabs={tabsWith({
        output: form.state.values.output.length,
        feeder: encoder.config?.feeder.length ?? 0,
      })}
      tab={tab}
      onTab={setTab}
    >
      <Panel tab={tab} form={form} encoder={encoder} host={host} shown={shown} />
    </FormPage>
  )
}

/** CFG-05: after a feeder was added, changed or deleted the page opens on Feeder, once. */
function useFeederFlag(): boolean {
  const [isSet] = useState(() => storage.feederTab.read() === true)
  useEffect(() => storage.feederTab.clear(), [])
  return isSet
}

interface HeadProps {
  form: Form
  encoder: Encoder
  shown: EncoderView
}

function Head({ form, encoder, shown }: HeadProps) {
  const mayRestart = mayDo(useRole(), 'controlEncoder') && encoder.isEnabled && !form.isNew
  return (
    <FormHead
      form={form}
      title={CONFIGURE_ENCODER}
      back={<BackLink />}
      view={shown.view}
      name={encoder.title}
      onAir={
        <>
          <OnAirTag kind="encoder" id={encoder._id} />
          <ScheduleTag kind="encoder" id={encoder._id} />
          <OnAirButtons object={{ kind: 'encoder', id: encoder._id, title: encoder.title }} />
        </>
      }
      disabledReason={null}
      mayRestart={mayRestart && offersStop(shown.status?.state ?? null)}
      tools={
        <LaterPart
          part={TEMPLATE_MENU}
          waiting={<TemplatesSoon />}
          props={{
            settings: settingsOf(form.state.values),
            onApply: (settings, title) =>
              form.take({
                step: 'apply',
                change: templateTexts(settings),
                title,
                kind: 'template',
              }),
          }}
        />
      }
    />
  )
}

/** In the place of the menu until it is there. */
function TemplatesSoon() {
  if (!mayDo(useRole(), 'seeTemplates')) return null
  return (
    <Button disabledReason={READING}>
      {MENU_LABEL}
      <Icon name="down" size={13} />
    </Button>
  )
}

function tabsWith(counts: Partial<Record<Tab, number>>) {
  return TABS.map((value) => ({ value, label: TAB_LABELS[value], count: counts[value] }))
}

interface PanelProps extends HeadProps {
  tab: Tab
  host: EncoderHost | null
}

function Panel({ tab, form, encoder, host, shown }: PanelProps) {
  if (tab === 'feeder') {
    return (
      <div className={classes.wide}>
        <LaterPart
          part={FEEDER_TAB}
          props={{ encoder }}
          waiting={<Skeleton kind="row" count={6} height={36} />}
        />
      </div>
    )
  }
  const rail = (
    <>
      {encoder.config !== null && <NowCard encoder={encoder} shown={shown} />}
      <BitBudget form={form} />
      {!form.isReadOnly && (
        <OnSave form={form} encoder={encoder} host={host} state={shown.status?.state ?? null} />
      )}
      {encoder.config !== null && (
        <LaterPart
          part={SIGNAL_PATH_SECTION}
          props={{ object: { kind: 'encoder', id: encoder._id } }}
          waiting={null}
        />
      )}
    </>
  )
  return (
    <Columns rail={rail}>
      <BulkNote form={form} />
      <fieldset
        className={[classes.bare, classes.column].join(' ')}
        disabled={form.isReadOnly}
        aria-label={TAB_LABELS[tab]}
      >
        {tab === 'output' ? <OutputTab form={form} /> : <SettingsTab form={form} tab={tab} />}
      </fieldset>
      <ConfigText form={form} />
    </Columns>
  )
}
