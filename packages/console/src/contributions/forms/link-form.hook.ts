/** The form of one input or output: its state, what is wrong with it, and saving it. */
import { useEffect, useReducer, useState } from 'react'
import { showToast } from '../../lib/toast.ts'
import type { PlannedChange } from '../../forms/SavePlan.tsx'
import { CHOOSE_FIRST } from '../../forms/unsaved.messages.ts'
import { confirmRestart } from '../contribution.actions.ts'
import type { Link, LinkKind } from '../link.rules.ts'
import type { KnownPlaces } from './known-places.hook.ts'
import { changesOf } from './link-change.rules.ts'
import { type Faults, faultsOf, refusalOf } from './link-check.rules.ts'
import { isEndingMeant } from './link-save.actions.ts'
import { beginState, type LinkState, type LinkAction, reduce } from './link-state.rules.ts'
import type { LinkValues, Read } from './link-values.rules.ts'
import { useTouchedErrors } from './touched-errors.hook.ts'
import { useSaving } from './saving.hook.ts'

export interface LinkForm {
  kind: LinkKind
  isNew: boolean
  known: KnownPlaces
  state: LinkState
  take: (step: LinkAction) => void
  changes: readonly PlannedChange[]
  /** Of every field at fault, said or not. */
  faults: Faults
  /** '' while the field is well, or was not left yet. */
  faultAt: (name: string) => string
  leave: (name: string) => void
  isPending: boolean
  /** Of the last save, where no field is to blame; ''. */
  failure: string
  /** The field that shall have the focus, once it is there. */
  wanted: { name: string } | null
  save: (then: 'leave' | 'restart') => void
}

export interface LinkFormOptions {
  kind: LinkKind
  read: Read
  /** Null for a new one. */
  link: Link | null
  /** Its program is up, or on its way up. */
  isUp: boolean
  known: KnownPlaces
  openTab: (name: string) => void
}

export function useLinkForm(options: LinkFormOptions): LinkForm {
  const { kind, read, link, known } = options
  const [state, dispatch] = useReducer(reduce, read, begin)
  const said = useTouchedErrors()
  const [wanted, setWanted] = useState<{ name: string } | null>(null)
  const saving = useSaving({ kind, link, dispatch })
  const { isPending } = saving
  useEffect(() => {
    if (!isPending && read.version > 0) dispatch({ step: 'read', ...read })
  }, [read, isPending])

  const { base, values } = state
  const own = faultsOf(values, base, hasKey(known, values))
  const blame = (names: readonly string[]) => {
    const [name] = names
    if (name === undefined) return
    options.openTab(name)
    setWanted({ name })
  }

  const save = async (then: 'leave' | 'restart') => {
    if (isPending) return
    said.showAll()
    if (Object.keys(own).length > 0) {
      showToast('warning', refusalOf(kind, values, own), '')
      blame(Object.keys(own))
      return
    }
    if ((state.news?.clashes.length ?? 0) > 0) {
      showToast('warning', CHOOSE_FIRST, '')
      return
    }
    const endsIt = options.isUp && values.fields['inputType'] === 'Local'
    if (endsIt && link !== null && !(await isEndingMeant(link))) return
    if (then === 'restart' && (link === null || !(await confirmRestart(link)))) return
    const refused = await saving.save(state, then)
    if (refused === null) return
    said.hearServer(refused)
    blame(Object.keys(refused))
  }

  return {
    kind,
    isNew: link === null,
    known,
    state,
    take: (step) => {
      said.forget(step)
      dispatch(step)
      // The buttons of the choice go: the operator is led to what it was about.
      if (isChoice(step)) blame(state.news?.clashes ?? [])
    },
    changes: changesOf(base, values, known.titleOf),
    faults: { ...own, ...said.byServer },
    faultAt: (name) => said.byServer[name] ?? (said.isSaid(name) ? (own[name] ?? '') : ''),
    leave: said.leave,
    isPending,
    failure: saving.failure,
    wanted,
    save: (then) => void save(then),
  }
}

function isChoice({ step }: LinkAction): boolean {
  return step === 'take-theirs' || step === 'keep-mine'
}

function begin({ values, version }: Read): LinkState {
  return beginState(values, version)
}

/** The destination's passphrase is the API's to copy (decisions.md 17). */
function hasKey({ destinationOf }: KnownPlaces, { fields }: LinkValues): boolean {
  return destinationOf(fields['destinationId'])?.encryption.selection === 'yes'
}

/** The names of what is at fault, of what is said. */
export function invalidFields(form: LinkForm): string[] {
  return Object.keys(form.faults).filter((name) => form.faultAt(name) !== '')
}
