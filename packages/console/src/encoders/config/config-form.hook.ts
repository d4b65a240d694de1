/** The configuration form of one encoder, and saving it: then to the dashboard (CFG-03). */
import { useNavigate } from '@tanstack/react-router'
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useEffect, useMemo, useRef } from 'react'
import type { Read } from '../../forms/form-state.rules.ts'
import { type PageForm, usePageForm } from '../../forms/page-form.hook.ts'
import { confirmRestart } from '../encoder.actions.ts'
import { faultNameOf, faultsOf, PID_NAMES, sentenceAt } from './config-check.rules.ts'
import type { ConfigContext, ConfigValues } from './config-field.rules.ts'
import { changesOf, CONFIG_FORM } from './config-form.rules.ts'
import { restartEncoder, savedConfig, useSaveConfig } from './config-save.actions.ts'
import { configTree, newValues, proposedValues, valuesOf } from './config-values.rules.ts'
import * as text from './config.messages.ts'

export type ConfigForm = PageForm<ConfigValues, ConfigContext>

interface ConfigFormOptions {
  encoder: Encoder
  /** What its host has free; null while it is not known. */
  proposed: EncoderHost['proposed'] | null
  host: EncoderHost | null
  isReadOnly: boolean
  openTab: (name: string) => void
}

export function useConfigForm(options: ConfigFormOptions): ConfigForm {
  const { encoder, host, isReadOnly, openTab } = options
  const navigate = useNavigate()
  const saveConfig = useSaveConfig()
  const saved = useMemo(() => readOf(encoder), [encoder])
  const context = { host }
  const sentOf = (values: ConfigValues, version: number | null) => {
    const feeder = encoder.config?.feeder ?? []
    const config = { ...EncoderConfig.parse(configTree(values)), feeder }
    return savedConfig(encoder, version ?? encoder.version, config)
  }
  const form = usePageForm({
    spec: CONFIG_FORM,
    context,
    begin: saved ?? { values: newValues(encoder.title), version: encoder.version },
    saved,
    isReadOnly,
    marksChanges: true,
    shownAtOnce: ['card-idx', 'output'],
    touchedTogether: (name) => (PID_NAMES.includes(name) ? PID_NAMES : [name]),
    check: (values) => faultsOf(values, host?.taken ?? []),
    changesOf: (state) => changesOf(state, context),
    openTab,
    placeOf: faultNameOf,
    sentenceAt,
    refusalOf: () => text.CHECK_REQUIRED,
    currentOf: (current) => {
      const { data } = Encoder.safeParse(current)
      return data === undefined ? null : readOf(data)
    },
    fallback: text.TRY_AGAIN,
    onFailed: () => {},
    confirm: async ({ values, version }, then) =>
      then === 'leave' || confirmRestart(encoder, sentOf(values, version)),
    save: async ({ values }, version) => saveConfig(sentOf(values, version)),
    readOf,
    after: async (now, then) => {
      if (then === 'restart') await restartEncoder(now)
      // Past the question whether to leave: all of it is saved.
      await navigate({ to: '/', ignoreBlocker: true })
    },
  })
  useProposal(form, options.proposed)
  return form
}

/** Once, and only for a new configuration: what is free changes while others save. */
function useProposal(form: ConfigForm, proposed: EncoderHost['proposed'] | null): void {
  const isProposed = useRef(false)
  useEffect(() => {
    if (!form.isNew || proposed === null || isProposed.current) return
    isProposed.current = true
    const { base, version } = form.state
    form.take({ step: 'begin', values: proposedValues(base, proposed), version })
  }, [form, proposed])
}

/** Null where it has no configuration yet. */
function readOf({ config, version }: Encoder): Read<ConfigValues> | null {
  return config === null ? null : { values: valuesOf(config), version }
}
