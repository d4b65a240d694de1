/** The configuration form of one encoder: its state, what is wrong with it, and saving it. */
import { useNavigate } from '@tanstack/react-router'
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useEffect, useReducer, useRef, useState } from 'react'
import { ApiError, sentenceFor } from '../../lib/api-error.ts'
import { showToast } from '../../lib/toast.ts'
import { CHOOSE_FIRST } from '../../forms/unsaved.messages.ts'
import { confirmRestart } from '../encoder.actions.ts'
import { changesOf, type Change } from './config-change.rules.ts'
import { configOf, faultNameOf, faultsOf, sentenceAt, type Faults } from './config-check.rules.ts'
import { restartEncoder, useSaveConfig } from './config-save.actions.ts'
import { beginState, reduce, type ConfigState, type ConfigStep } from './config-state.rules.ts'
import { newValues, valuesOf, type ConfigValues } from './config-values.rules.ts'
import * as text from './config.messages.ts'

export interface ConfigForm {
  state: ConfigState
  take: (step: ConfigStep) => void
  changes: readonly Change[]
  /** Of every field at fault, said or not. */
  faults: Faults
  /** '' while the field is well, or was not left yet. */
  faultAt: (name: string) => string
  leave: (name: string) => void
  /** As it would be saved; null while a field is at fault. */
  config: EncoderConfig | null
  isReadOnly: boolean
  isPending: boolean
  /** Of the last save, where no field is to blame; ''. */
  failure: string
  /** The field that shall have the focus, once it is there. */
  wanted: { name: string } | null
  save: (then: 'leave' | 'restart') => void
}

export interface ConfigFormOptions {
  encoder: Encoder
  /** What its host has free; null while it is not known. */
  proposed: EncoderHost['proposed'] | null
  host: EncoderHost | null
  isReadOnly: boolean
  openTab: (name: string) => void
}

export function useConfigForm(options: ConfigFormOptions): ConfigForm {
  const { encoder, host, isReadOnly } = options
  const [state, dispatch] = useReducer(reduce, encoder, begin)
  const said = useTouchedErrors()
  const [wanted, setWanted] = useState<{ name: string } | null>(null)
  const saving = useSaving(encoder, dispatch)
  const { isPending } = saving
  useEffect(() => {
    const read = isPending ? null : readStep(encoder)
    if (read !== null) dispatch(read)
  }, [encoder, isPending])

  useProposal(options, dispatch)

  const own = faultsOf(state.values, host?.taken ?? [])
  const faults = { ...own, ...said.byServer }
  const config = configOf(state.values)
  const blame = (names: readonly string[]) => {
    const [name] = names
    if (name === undefined) return
    options.openTab(name)
    setWanted({ name })
  }

  const save = async (then: 'leave' | 'restart') => {
    if (isPending || isReadOnly) return
    said.showAll()
    if (config === null || Object.keys(own).length > 0) {
      showToast('warning', text.CHECK_REQUIRED, '')
      blame(Object.keys(own))
      return
    }
    if ((state.news?.clashes.length ?? 0) > 0) {
      showToast('warning', CHOOSE_FIRST, '')
      return
    }
    if (then === 'restart' && !(await confirmRestart(encoder))) return
    const feeder = encoder.config?.feeder ?? []
    const refused = await saving.save({ ...config, feeder }, state, then)
    if (refused === null) return
    said.hearServer(refused)
    blame(Object.keys(refused))
  }

  return {
    state,
    take: (step) => {
      said.forget(step)
      dispatch(step)
      // The buttons of the choice go: the operator is led to what it was about.
      if (isChoice(step)) blame(state.news?.clashes ?? [])
    },
    changes: changesOf(state),
    faults,
    faultAt: (name) => said.byServer[name] ?? (said.isSaid(name) ? (own[name] ?? '') : ''),
    leave: said.leave,
    config: Object.keys(own).length === 0 ? config : null,
    isReadOnly,
    isPending,
    failure: saving.failure,
    wanted,
    save: (then) => void save(then),
  }
}

/** Once, and only for a new configuration: what is free changes while others save. */
function useProposal(
  { encoder, proposed }: ConfigFormOptions,
  dispatch: (step: ConfigStep) => void,
): void {
  const isProposed = useRef(false)
  const isNew = encoder.config === null
  useEffect(() => {
    if (!isNew || proposed === null || isProposed.current) return
    isProposed.current = true
    dispatch({ step: 'propose', proposed })
  }, [isNew, proposed, dispatch])
}

function isChoice({ step }: ConfigStep): boolean {
  return step === 'take-theirs' || step === 'keep-mine'
}

function begin(encoder: Encoder): ConfigState {
  return beginState(startingValues(encoder), encoder.version)
}

function startingValues({ config, title }: Encoder): ConfigValues {
  return config === null ? newValues(title) : valuesOf(config)
}

/** A clash of PIDs is seen at each of them, a taken card before anybody touched it. */
const PID_NAMES = ['video-stream.pid', 'audio-stream.pid', 'muxer.pmt-pid']
const SAID_AT_ONCE = ['card-idx', 'output']

/** Which faults are said: those of fields that were left, all after a try to save, and the API's. */
function useTouchedErrors() {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set(SAID_AT_ONCE))
  const [isAllSaid, setAllSaid] = useState(false)
  const [byServer, setByServer] = useState<Faults>({})
  return {
    byServer,
    isSaid: (name: string) => isAllSaid || left.has(name),
    leave: (name: string) => {
      const names = PID_NAMES.includes(name) ? PID_NAMES : [name]
      setLeft((now) => (names.every((one) => now.has(one)) ? now : new Set([...now, ...names])))
    },
    showAll: () => setAllSaid(true),
    hearServer: setByServer,
    /** What the API said of a field is about what stood there then. */
    forget: (step: ConfigStep) => {
      if (step.step === 'discard') setAllSaid(false)
      setByServer((now) =>
        step.step === 'edit'
          ? Object.fromEntries(Object.entries(now).filter(([name]) => name !== step.name))
          : {},
      )
    },
  }
}

/** Saves, restarts when told, and goes to the dashboard (CFG-03); a refusal is answered. */
function useSaving(encoder: Encoder, dispatch: (step: ConfigStep) => void) {
  const navigate = useNavigate()
  const saveConfig = useSaveConfig()
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState('')
  const isPendingNow = useRef(false)

  async function save(
    config: EncoderConfig,
    state: ConfigState,
    then: 'leave' | 'restart',
  ): Promise<Faults | null> {
    if (isPendingNow.current) return null
    isPendingNow.current = true
    setPending(true)
    setFailure('')
    try {
      const saved = await saveOver(config, state)
      // Nothing is unsaved from here on, so that nobody is asked whether to leave it.
      const read = readStep(saved)
      if (read !== null) dispatch(read)
      if (then === 'restart') await restartEncoder(saved)
      // Past the question whether to leave: all of it is saved.
      await navigate({ to: '/', ignoreBlocker: true })
      return null
    } catch (error) {
      return hear(error, config.output.length)
    } finally {
      isPendingNow.current = false
      setPending(false)
    }
  }

  /** What else of the encoder somebody saved, its title or its feeders, stands in nobody's way. */
  async function saveOver(config: EncoderConfig, state: ConfigState): Promise<Encoder> {
    try {
      return await saveConfig(encoder, state.version, config)
    } catch (error) {
      const read = readStep(conflictOf(error))
      if (read === null || reduce(state, read).news !== null) throw error
      return saveConfig(encoder, read.version, config)
    }
  }

  function hear(error: unknown, outputs: number): Faults {
    const read = readStep(conflictOf(error))
    if (read !== null) {
      dispatch(read)
      return {}
    }
    const sentence = sentenceFor(error, text.TRY_AGAIN)
    const faults = error instanceof ApiError ? faultsOfError(error, sentence, outputs) : {}
    if (Object.keys(faults).length === 0) setFailure(sentence)
    return faults
  }

  return { save, isPending, failure }
}

/** The encoder as somebody else saved it; null when that is not why it was refused. */
function conflictOf(error: unknown): Encoder | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null
  return Encoder.safeParse(error.current).data ?? null
}

function readStep(encoder: Encoder | null) {
  if (encoder === null || encoder.config === null) return null
  const { config, version } = encoder
  return { step: 'read', values: valuesOf(config), version } as const
}

function faultsOfError(error: ApiError, sentence: string, outputs: number): Faults {
  const issues =
    error.issues.length > 0 ? error.issues : [{ field: error.field, message: sentence }]
  const faults: Record<string, string> = {}
  for (const { field, message } of issues) {
    const name = field === null ? null : faultNameOf(field, outputs)
    if (name !== null) faults[name] ??= sentenceAt(name, message)
  }
  return faults
}

/** The tabs on which something is at fault, of what is said. */
export function invalidFields(form: ConfigForm): string[] {
  return Object.keys(form.faults).filter((name) => form.faultAt(name) !== '')
}
