/** Saves a form, restarts the link when told, and goes back to the list (IN-FORM-29); a refusal is answered. */
import { useNavigate } from '@tanstack/react-router'
import { Input } from '@trunkline/contract/contributions/input.schema'
import { Output } from '@trunkline/contract/contributions/output.schema'
import { useRef, useState } from 'react'
import { ApiError, sentenceFor } from '../../lib/api-error.ts'
import { showToast } from '../../lib/toast.ts'
import type { Link, LinkKind } from '../link.rules.ts'
import { unchanged } from './form.messages.ts'
import { faultNameOf, type Faults, sentenceAt } from './link-check.rules.ts'
import { type Read, readOf } from './link-values.rules.ts'
import { restartLink, SAVE_FAILED, useSaveLink } from './link-save.actions.ts'
import { type LinkState, type LinkAction, reduce } from './link-state.rules.ts'

interface Saving {
  kind: LinkKind
  /** Null for a new one. */
  link: Link | null
  dispatch: (step: LinkAction) => void
}

export function useSaving({ kind, link, dispatch }: Saving) {
  const goBack = useGoBack(kind)
  const saveLink = useSaveLink(kind)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState('')
  const isPendingNow = useRef(false)

  async function save(state: LinkState, then: 'leave' | 'restart'): Promise<Faults | null> {
    if (isPendingNow.current) return null
    isPendingNow.current = true
    setPending(true)
    setFailure('')
    try {
      const item = await saveOver(state)
      // Nothing is unsaved from here on, so that nobody is asked whether to leave it.
      if (link !== null) dispatch({ step: 'read', ...readOf(item) })
      if (then === 'restart' && link !== null) await restartLink({ ...link, title: item.title })
      await goBack()
      return null
    } catch (error) {
      return hear(error, state)
    } finally {
      isPendingNow.current = false
      setPending(false)
    }
  }

  /** Another version that differs in nothing of the form, as after an enabling, stands in nobody's way. */
  async function saveOver({ values, base, version, ...state }: LinkState) {
    const at = link === null ? null : { id: link.id, version }
    try {
      return await saveLink(values, base, at)
    } catch (error) {
      const now = at === null ? null : conflictOf(kind, error)
      const merged = now && reduce({ ...state, values, base, version }, { step: 'read', ...now })
      if (at === null || merged === null || merged.news !== null) throw error
      return saveLink(values, base, { ...at, version: merged.version })
    }
  }

  function hear(error: unknown, { values }: LinkState): Faults {
    const now = conflictOf(kind, error)
    if (now !== null) {
      dispatch({ step: 'read', ...now })
      return {}
    }
    const isNew = link === null
    const sentence = sentenceFor(error, SAVE_FAILED[kind][isNew ? 'added' : 'updated'])
    showToast('failure', sentence, unchanged(kind, values.fields.title, isNew))
    const faults = error instanceof ApiError ? faultsOfError(error, sentence, values) : {}
    if (Object.keys(faults).length === 0) setFailure(sentence)
    return faults
  }

  return { save, isPending, failure }
}

/** Q180: on the tab of what was saved. */
function useGoBack(kind: LinkKind) {
  const navigate = useNavigate()
  return async () =>
    navigate({
      to: '/dashboard/contribution',
      search: kind === 'output' ? { tab: 'outputs' } : {},
      // Past the question whether to leave: all of it is saved.
      ignoreBlocker: true,
    })
}

/** As somebody else saved it; null when that is not why it was refused. */
function conflictOf(kind: LinkKind, error: unknown): Read | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null
  const { data } = (kind === 'input' ? Input : Output).safeParse(error.current)
  return data === undefined ? null : readOf(data)
}

function faultsOfError(error: ApiError, sentence: string, values: LinkState['values']): Faults {
  const issues =
    error.issues.length > 0 ? error.issues : [{ field: error.field, message: sentence }]
  const faults: Record<string, string> = {}
  for (const { field, message } of issues) {
    const name = field === null ? null : faultNameOf(field, values)
    if (name !== null) faults[name] ??= sentenceAt(values, name, message)
  }
  return faults
}
