/** The configuration form of one encoder: fields in tabs, and beside them what saving means. */
import { useQuery } from '@tanstack/react-query'
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useRef } from 'react'
import { useFocusOn } from '../../forms/focus-field.hook.ts'
import { useLeaveGuard } from '../../forms/leave-guard.hook.ts'
import { TabStrip } from '../../forms/TabStrip.tsx'
import { Band } from '../../ui/Notice.tsx'
import classes from '../../forms/FormPage.module.css'
import { useEncoderView, type EncoderView } from '../encoder-view.hook.ts'
import { FeederTab } from '../feeders/FeederTab.tsx'
import { BulkNote, MuxBand, NewsOfConfig, StatusBands } from './Bands.tsx'
import { BitBudget } from './BitBudget.tsx'
import { tabsOf } from './config-change.rules.ts'
import { TAB_LABELS, tabOf, TABS, type Tab } from './config-field.rules.ts'
import { invalidFields, useConfigForm, type ConfigForm as Form } from './config-form.hook.ts'
import { knownHost } from './config-hint.rules.ts'
import { useTab } from './config-tab.hook.ts'
import { encoderHostQuery } from './config.queries.ts'
import { ConfigHead } from './ConfigHead.tsx'
import { ConfigText } from './ConfigText.tsx'
import { Identity } from './Identity.tsx'
import { NowCard } from './NowCard.tsx'
import { OnSave } from './OnSave.tsx'
import { OutputTab } from './OutputTab.tsx'
import { AudioTab, MuxTab, VideoTab } from './SettingTabs.tsx'

const PANEL_ID = 'config-panel'

interface ConfigFormProps {
  encoder: Encoder
  isReadOnly: boolean
}

export function ConfigForm({ encoder, isReadOnly }: ConfigFormProps) {
  const place = useRef<HTMLDivElement>(null)
  const [tab, setTab] = useTab()
  const answer = useQuery(encoderHostQuery(encoder._id))
  const host = knownHost(answer.data ?? null)
  const shown = useEncoderView(encoder)
  const openTab = (name: string) => {
    const wanted = tabOf(name)
    if (wanted !== null && wanted !== tab) setTab(wanted)
  }
  const proposed = answer.data?.proposed ?? null
  const form = useConfigForm({ encoder, proposed, host, isReadOnly, openTab })
  useLeaveGuard(encoder.title, form.changes.length)
  useFocusOn(place, form.wanted)
  return (
    <div ref={place}>
      <ConfigHead form={form} encoder={encoder} shown={shown} />
      <NewsOfConfig form={form} />
      <StatusBands encoder={encoder} status={shown.status} />
      <MuxBand form={form} isNew={encoder.config === null} />
      {form.failure !== '' && (
        <div className={classes.failure} role="alert">
          <Band family="bad" shape="octagon">
            {form.failure}
          </Band>
        </div>
      )}
      <fieldset className={classes.bare} disabled={isReadOnly} aria-label="Encoder">
        <Identity form={form} host={host} isHostAsked={answer.data !== undefined} />
      </fieldset>
      <TabStrip
        tabs={tabsWith({
          output: form.state.values.outputs.length,
          feeder: encoder.config?.feeder.length ?? 0,
        })}
        value={tab}
        panelId={PANEL_ID}
        changed={tabsOf(form.changes.map(({ name }) => name))}
        faulty={tabsOf(invalidFields(form))}
        onChange={setTab}
      />
      <div id={PANEL_ID} role="tabpanel" aria-label={TAB_LABELS[tab]}>
        <Panel tab={tab} form={form} encoder={encoder} host={host} shown={shown} />
      </div>
    </div>
  )
}

function tabsWith(counts: Partial<Record<Tab, number>>) {
  return TABS.map((value) => ({ value, label: TAB_LABELS[value], count: counts[value] }))
}

interface PanelProps {
  tab: Tab
  form: Form
  encoder: Encoder
  host: EncoderHost | null
  shown: EncoderView
}

function Panel({ tab, form, encoder, host, shown }: PanelProps) {
  if (tab === 'feeder') {
    return (
      <div className={classes.wide}>
        <FeederTab encoder={encoder} />
      </div>
    )
  }
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        <BulkNote form={form} />
        <fieldset
          className={[classes.bare, classes.column].join(' ')}
          disabled={form.isReadOnly}
          aria-label={TAB_LABELS[tab]}
        >
          {tab === 'video' && <VideoTab form={form} host={host} />}
          {tab === 'audio' && <AudioTab form={form} host={host} />}
          {tab === 'mux' && <MuxTab form={form} />}
          {tab === 'output' && <OutputTab form={form} />}
        </fieldset>
        <ConfigText form={form} />
      </div>
      <aside className={classes.rail} aria-label="Now and on save">
        {encoder.config !== null && <NowCard encoder={encoder} shown={shown} />}
        <BitBudget form={form} />
        {!form.isReadOnly && (
          <OnSave form={form} encoder={encoder} host={host} state={shown.status?.state ?? null} />
        )}
      </aside>
    </div>
  )
}
