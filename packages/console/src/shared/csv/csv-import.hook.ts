/** An import from choosing a file to the last row: read, shown, then sent row by row. */
import { useQueryClient } from '@tanstack/react-query'
import type { CsvKind } from '@trunkline/contract/as-text/csv-columns.rules'
import { carryOut } from '@trunkline/contract/as-text/import.client'
import { type MakeCall, readSite, type Site } from '@trunkline/contract/as-text/site.client'
import { type PlannedEntry, SitePlanner } from '@trunkline/contract/as-text/site-plan.rules'
import type { Role } from '@trunkline/contract/roles'
import { useEffect, useRef, useState } from 'react'
import { useIsShown } from '../../lib/answer/is-shown.hook.ts'
import { ApiError, isNoAnswer, sentenceFor } from '../../lib/api-error.ts'
import { call, type CallInput } from '../../lib/call.ts'
import { apiNowMs } from '../../lib/live/live-store.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { saveTextFile } from '../../lib/save-file.ts'
import { useRole } from '../../lib/session.ts'
import { showToast } from '../../lib/toast.ts'
import { useKeptValues } from '../kept/kept-values.hook.ts'
import { decodeText } from './csv-file.rules.ts'
import { checkedRow, entryOf, exportText, KINDS_TO_READ, tableOf } from './csv-plan.rules.ts'
import { drawAtPace } from './csv-progress.rules.ts'
import * as text from './csv.messages.ts'

export interface ImportRow extends PlannedEntry {
  /** Once it was its turn; null before, and for rows that are not sent. */
  outcome: { is: 'added' | 'changed' | 'refused' | 'unsent'; sentence: string } | null
}

export type Import =
  | { is: 'choosing'; fault: string }
  | { is: 'reading'; name: string }
  | { is: 'shown' | 'sent'; name: string; rows: readonly ImportRow[]; site: Site }
  | { is: 'sending'; name: string; rows: readonly ImportRow[]; site: Site; leftMs: number | null }

/** The contract's own clients ask by it. */
const makeCall: MakeCall = async (route, parts) => call(route, parts as CallInput<typeof route>)

const NO_FILE = { file: null }
const CHOOSING = { is: 'choosing', fault: '' } as const

function reading({ name }: File): Import {
  return { is: 'reading', name }
}

/** A few milliseconds of work; then the page draws and hears the operator. */
const ROWS_AT_ONCE = 100

export function useCsvImport(kind: CsvKind) {
  const [{ file: kept }, keep] = useKeptValues<{ file: File | null }>(['csv', kind], NO_FILE)
  const [first] = useState(kept)
  const [state, setState] = useState<Import>(first === null ? CHOOSING : reading(first))
  const role = useRole()
  const client = useQueryClient()
  const stopped = useRef(false)
  const [isStopping, setStopping] = useState(false)
  const isShown = useIsShown()
  // A closed dialog sends no further row.
  useEffect(() => {
    stopped.current = false
    return () => {
      stopped.current = true
    }
  }, [])

  // Chosen before the session ended: what it does is planned anew.
  useEffect(() => {
    if (first !== null) void planOrFault(kind, first, role).then(setState)
  }, [first, kind, role])
  const read = async (file: File) => {
    keep({ file })
    setState(reading(file))
    setState(await planOrFault(kind, file, role))
  }
  const send = async () => {
    if (state.is !== 'shown') return
    stopped.current = false
    setStopping(false)
    const { name, site } = state
    const rows = [...state.rows]
    setState({ is: 'sending', name, site, rows: [...rows], leftMs: null })
    const drawNow = drawAtPace((leftMs) =>
      setState({ is: 'sending', name, site, rows: [...rows], leftMs }),
    )
    await sendRows(rows, site, () => stopped.current, drawNow)
    await invalidateKind(client, kind)
    keep(NO_FILE)
    setState({ is: 'sent', name, site, rows: [...rows] })
    if (!isShown.current) {
      const sent = rows.filter(({ outcome }) => outcome !== null)
      const saved = sent.filter(({ outcome }) => isSaved(outcome)).length
      showToast('warning', text.endedText(saved, sent.length, kind), name)
    }
  }
  return {
    state,
    read,
    send,
    /** The row that is being sent is waited for. */
    isStopping,
    stop: () => {
      stopped.current = true
      setStopping(true)
    },
    again: () => {
      keep(NO_FILE)
      setState(CHOOSING)
    },
  }
}

/** Never rejects. */
async function planOrFault(kind: CsvKind, file: File, role: Role | null): Promise<Import> {
  try {
    return await planOf(kind, file, role)
  } catch (error) {
    const fallback = error instanceof ApiError ? text.READ_FAILED : text.FILE_FAILED
    return { is: 'choosing', fault: sentenceFor(error, fallback) }
  }
}

async function planOf(kind: CsvKind, file: File, role: Role | null): Promise<Import> {
  const content = decodeText(await file.arrayBuffer())
  if (content === null) return { is: 'choosing', fault: text.UNKNOWN_ENCODING }
  const { heads, rows: lines, fault } = tableOf(kind, content)
  if (fault !== '') return { is: 'choosing', fault }
  const site = await readSite(makeCall, KINDS_TO_READ[kind])
  const entries = await inSlices(lines, (line) => entryOf(kind, heads, line))
  const planner = new SitePlanner(site, entries, role)
  const rows = await inSlices(entries, (entry, index): ImportRow => {
    const cells = lines[index]?.cells ?? []
    return { ...checkedRow(planner.plan(entry), cells, heads, role), outcome: null }
  })
  return { is: 'shown', name: file.name, rows, site }
}

async function inSlices<T, R>(
  items: readonly T[],
  make: (item: T, index: number) => R,
): Promise<R[]> {
  const made: R[] = []
  for (const [index, item] of items.entries()) {
    made.push(make(item, index))
    if (made.length % ROWS_AT_ONCE === 0) await nextTurn()
  }
  return made
}

async function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve)
  return promise
}

/** One after the other, so that the order of the file holds and Stop stops at once. */
async function sendRows(
  rows: ImportRow[],
  site: Site,
  isStopped: () => boolean,
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  const all = rows.filter(isToSend).length
  let done = 0
  const versions = new Map<string, number>()
  let isCut = false
  for (const [index, row] of rows.entries()) {
    if (!isToSend(row)) continue
    if (isCut || isStopped()) {
      rows[index] = { ...row, outcome: { is: 'unsent', sentence: text.NOT_SENT } }
      continue
    }
    const { error } = await carryOut(makeCall, site, row, versions)
    rows[index] = { ...row, outcome: outcomeOf(row, error) }
    // Without an answer there is no use in asking for the rest.
    isCut = isNoAnswer(error)
    done += 1
    onProgress(done, all)
  }
}

function isToSend({ will }: ImportRow): boolean {
  return will === 'add' || will === 'change'
}

export function isSaved(outcome: ImportRow['outcome']): boolean {
  return outcome?.is === 'added' || outcome?.is === 'changed'
}

function outcomeOf({ will }: ImportRow, error: unknown): ImportRow['outcome'] {
  if (error === null) return { is: will === 'add' ? 'added' : 'changed', sentence: '' }
  if (error instanceof ApiError && Boolean(error.current)) {
    return { is: 'refused', sentence: text.savedMeanwhile(error.savedBy) }
  }
  const fallback = error instanceof Error && error.message !== '' ? error.message : text.ROW_FAILED
  const sentence = sentenceFor(error, fallback)
  // 'Please check required fields' alone does not say which.
  const issues = error instanceof ApiError ? error.issues.map(({ message }) => message) : []
  const more = issues.filter((issue) => !sentence.includes(issue))
  return { is: 'refused', sentence: [asSentence(sentence), ...more].join(' ') }
}

/** Texts of the catalogue end without a stop. */
function asSentence(text: string): string {
  return /\p{L}$/u.test(text) ? `${text}.` : text
}

/** @returns writes all that this person may see into a file; never throws */
export function useCsvExport(kind: CsvKind) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const site = await readSite(makeCall, KINDS_TO_READ[kind])
      const day = new Date(apiNowMs()).toISOString().slice(0, 10)
      saveTextFile(`${text.KIND_NAMES[kind]}-${day}.csv`, 'text/csv', exportText(kind, site))
    } catch (error) {
      showToast('failure', sentenceFor(error, text.READ_FAILED), '')
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, save }
}
