/** The form of one input or output, and saving it: then back to the list (IN-FORM-29). */
import { useNavigate } from '@tanstack/react-router'
import { Input } from '@trunkline/contract/contributions/input.schema'
import { Output } from '@trunkline/contract/contributions/output.schema'
import type { ProgramState } from '@trunkline/contract/program-state'
import { useMemo } from 'react'
import { type PageForm, usePageForm } from '../../forms/page-form.hook.ts'
import { showToast } from '../../lib/toast.ts'
import { confirmRestart } from '../contribution.actions.ts'
import type { Link, LinkKind } from '../link.rules.ts'
import type { ProgramView } from '../../programs/status/program-view.hook.ts'
import { unchanged } from './form.messages.ts'
import type { KnownPlaces } from './known-places.hook.ts'
import { faultNameOf, faultsOf, refusalOf, sentenceAt } from './link-check.rules.ts'
import type { LinkValues } from './link-field.rules.ts'
import { changesOf, LINK_FORM } from './link-form.rules.ts'
import {
  intendedSave,
  isEndingMeant,
  restartLink,
  SAVE_FAILED,
  useSaveLink,
} from './link-save.actions.ts'
import { type Read, readOf } from './link-values.rules.ts'

export type LinkForm = PageForm<LinkValues, KnownPlaces>

/** What runs now. */
export interface Running {
  link: Link
  shown: ProgramView
  /** Somebody has deleted it since the form was opened. */
  isGone: boolean
}

interface LinkFormOptions {
  kind: LinkKind
  read: Read
  /** Null for a new link. */
  link: Link | null
  /** Of its program; null while it is not known. */
  state: ProgramState | null
  known: KnownPlaces
  openTab: (name: string) => void
}

export function useLinkForm({
  kind,
  read,
  link,
  state,
  known,
  openTab,
}: LinkFormOptions): LinkForm {
  const goBack = useGoBack(kind)
  const save = useSaveLink(kind)
  const isNew = link === null
  const saved = useMemo(() => (isNew ? null : read), [isNew, read])
  return usePageForm({
    spec: LINK_FORM,
    context: known,
    begin: read,
    saved,
    isReadOnly: false,
    marksChanges: !isNew,
    check: (values, base) => faultsOf(values, base, hasKey(known, values)),
    changesOf: (state) => changesOf(state, known),
    openTab,
    placeOf: faultNameOf,
    sentenceAt,
    refusalOf,
    currentOf: (current) => {
      const { data } = (kind === 'input' ? Input : Output).safeParse(current)
      return data === undefined ? null : readOf(data)
    },
    fallback: SAVE_FAILED[kind][isNew ? 'added' : 'updated'],
    onFailed: (sentence, values) =>
      showToast('failure', sentence, unchanged(kind, values.title, isNew)),
    confirm: async ({ values, base, version }, then) => {
      if (isNew || version === null) return true
      const saved = intendedSave(kind, values, base, { id: link.id, version })
      const endsIt = values.inputType === 'Local'
      if (endsIt && !(await isEndingMeant(link, state, saved))) return false
      return then === 'leave' || confirmRestart(link, saved)
    },
    save: async ({ values, base }, version) =>
      save(values, base, isNew || version === null ? null : { id: link.id, version }),
    readOf: (item) => (isNew ? null : readOf(item)),
    after: async ({ title }, then) => {
      if (then === 'restart' && !isNew) await restartLink({ ...link, title })
      await goBack()
    },
  })
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

/** The destination's passphrase is the API's to copy (decisions.md 17). */
function hasKey({ destinationOf }: KnownPlaces, { destinationId }: LinkValues): boolean {
  return destinationOf(destinationId)?.encryption.selection === 'yes'
}
