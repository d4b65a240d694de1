/**
 * The form of a page: as that of a dialog, and it merges what somebody else saves meanwhile, says what
 * saving changes, leads to the field that stops a save, and leaves when all is saved.
 */
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { showToast } from '../lib/toast.ts'
import type { Faults } from './field-faults.rules.ts'
import type { FormSpec } from './field.rules.ts'
import { type CoreOptions, useFormCore } from './form-core.hook.ts'
import { useKeepingTyping, useKeptTyping } from '../shared/kept/kept-typing.hook.ts'
import type { FormAction, FormState, Read } from './form-state.rules.ts'
import type { PlannedChange } from './SavePlan.tsx'
import { CHOOSE_FIRST } from './unsaved.messages.ts'

/** What becomes of the page once all is saved. */
export type AfterSave = 'leave' | 'restart'

export interface PageForm<T extends object, C> {
  spec: FormSpec<T, C>
  /** What the page looked up for the form. */
  context: C
  state: FormState<T>
  take: (action: FormAction<T>) => void
  isNew: boolean
  isReadOnly: boolean
  /** Each field shows what it was. */
  marksChanges: boolean
  changes: readonly PlannedChange[]
  /** Of every field at fault, shown or not. */
  faults: Faults
  /** The names of the fields whose fault is shown. */
  invalid: readonly string[]
  /** '' while the field is well, or was not left yet. */
  faultAt: (name: string) => string
  leave: (name: string) => void
  isPending: boolean
  /** Of the last save, where no field is to blame; ''. */
  failure: string
  /** Who saved what was merged last, as a refused save said; '' where none was refused for it. */
  savedBy: string
  /** The field that shall have the focus, once it is there. */
  wanted: { name: string } | null
  save: (then: AfterSave) => void
}

type Shared<T extends object> = Omit<CoreOptions<T>, 'rules' | 'isMerging' | 'check' | 'kept'>

export interface PageFormOptions<T extends object, C, S> extends Shared<T> {
  spec: FormSpec<T, C>
  context: C
  /** As it is saved now; null for a new object. Another one is merged into the form. */
  saved: Read<T> | null
  isReadOnly: boolean
  marksChanges: boolean
  check: (values: T, base: T) => Faults
  changesOf: (state: FormState<T>) => readonly PlannedChange[]
  openTab: (name: string) => void
  /** The notice where nothing is sent because of these faults. */
  refusalOf: (values: T, faults: Faults) => string
  /** Asks first where saving interrupts. @returns true when the operator chose to save */
  confirm: (state: FormState<T>, then: AfterSave) => Promise<boolean>
  /** Throws an ApiError when nothing was saved. */
  save: (state: FormState<T>, version: number | null) => Promise<S>
  /** What was saved, as the form reads it; null where the form ends with it. */
  readOf: (saved: S) => Read<T> | null
  /** Restarts if that was chosen, and leaves the page. */
  after: (saved: S, then: AfterSave) => Promise<void>
}

export function usePageForm<T extends object, C, S>(
  options: PageFormOptions<T, C, S>,
): PageForm<T, C> {
  const { spec, context, saved, isReadOnly } = options
  const { core, changes } = useKeptForm(options)
  const { state, dispatch, isPending } = core
  const [wanted, setWanted] = useState<{ name: string } | null>(null)
  useEffect(() => {
    if (isPending || saved === null || saved.version === null) return
    dispatch({ step: 'read', values: saved.values, version: saved.version })
  }, [saved, isPending, dispatch])

  const focusFirst = (names: readonly string[]) => {
    const [name] = names
    if (name === undefined) return
    options.openTab(name)
    setWanted({ name })
  }

  const save = async (then: AfterSave) => {
    if (isPending || isReadOnly) return
    core.showFaults()
    const atFault = Object.keys(core.faults)
    if (atFault.length > 0) {
      showToast('warning', options.refusalOf(state.values, core.faults), '')
      focusFirst(atFault)
      return
    }
    if ((state.news?.clashes.length ?? 0) > 0) {
      showToast('warning', CHOOSE_FIRST, '')
      return
    }
    if (!(await options.confirm(state, then))) return
    const refused = await core.run(async (version) => {
      const done = await options.save(state, version)
      const read = options.readOf(done)
      // Nothing is unsaved from here on, so that nobody is asked whether to leave it.
      if (read !== null && read.version !== null) {
        dispatch({ step: 'read', values: read.values, version: read.version })
      }
      await options.after(done, then)
    }, state.version)
    focusFirst(Object.keys(refused?.fields ?? {}))
  }

  const faults = { ...core.faults, ...core.byServer }
  return {
    spec,
    context,
    state,
    take: (action) => {
      core.take(action)
      // The buttons of the choice go: the operator is led to what it was about.
      const isChoice = action.step === 'take-theirs' || action.step === 'keep-mine'
      if (isChoice) focusFirst(state.news?.clashes ?? [])
    },
    isNew: saved === null,
    isReadOnly,
    marksChanges: options.marksChanges,
    changes,
    faults,
    invalid: Object.keys(faults).filter((name) => core.errorOf(name) !== ''),
    faultAt: core.errorOf,
    leave: core.leave,
    isPending,
    failure: core.failed.sentence,
    savedBy: core.savedBy,
    wanted,
    save: (then) => void save(then),
  }
}

/** What is typed outlives the session, and what others save is merged into it. */
function useKeptForm<T extends object, C, S>(options: PageFormOptions<T, C, S>) {
  const place = useLocation({ select: (location) => location.pathname })
  const page = { is: 'page', place } as const
  const kept = useKeptTyping<FormState<T>>(page)
  const { rules } = options.spec
  const core = useFormCore({ ...options, rules, isMerging: true, kept })
  const changes = options.changesOf(core.state)
  useKeepingTyping(page, core.state, changes.length > 0)
  return { core, changes }
}
