/** Saving an input or output, and applying it at once by a restart. */
import { useQueryClient } from '@tanstack/react-query'
import { addInput, updateInput } from '@trunkline/contract/contributions/input.calls'
import { type Input, InputDraft } from '@trunkline/contract/contributions/input.schema'
import { addOutput, updateOutput } from '@trunkline/contract/contributions/output.calls'
import { type Output, OutputDraft } from '@trunkline/contract/contributions/output.schema'
import { isAlive, type ProgramState } from '@trunkline/contract/program-state'
import { askBefore, intend, type Intended } from '../../lib/ask-before.ts'
import { call } from '../../lib/call.ts'
import { askFirst } from '../../lib/confirm.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toast.ts'
import { showOutcome } from '../../programs/command/command.actions.ts'
import { sendCommand } from '../contribution.actions.ts'
import * as texts from '../contribution.messages.ts'
import type { Link, LinkKind } from '../link.rules.ts'
import { linkQuery } from './form.queries.ts'
import { becomesLocalSentences, clearParametersSentences } from './form.messages.ts'
import type { LinkValues } from './link-field.rules.ts'
import { draftOf } from './link-values.rules.ts'

/** What a save is based on: null for a new link. */
export interface SavedAt {
  id: string
  version: number
}

interface Saved {
  item: Input | Output
  warnings: readonly string[]
}

/** @returns saves and says so, each warning too; throws ApiError when nothing was saved */
export function useSaveLink(kind: LinkKind) {
  const client = useQueryClient()
  return async (values: LinkValues, base: LinkValues, at: SavedAt | null) => {
    const save = kind === 'input' ? saveInput : saveOutput
    const { item, warnings } = await save(values, base, at)
    showToast('success', SAVED[kind][at === null ? 'added' : 'updated'], item.title)
    for (const warning of warnings) showToast('warning', warning, item.title)
    client.setQueryData(linkQuery(kind, item.id).queryKey, item)
    void invalidateKind(client, kind)
    // How many outputs it has stands with the input.
    if (kind === 'output') void invalidateKind(client, 'input')
    return item
  }
}

const SAVED = {
  input: { added: texts.INPUT_ADDED, updated: texts.INPUT_UPDATED },
  output: { added: texts.OUTPUT_ADDED, updated: texts.OUTPUT_UPDATED },
} as const

/** Of a call that failed without a sentence of its own. */
export const SAVE_FAILED = {
  input: { added: texts.INPUT_ADD_FAILED, updated: texts.INPUT_UPDATE_FAILED },
  output: { added: texts.OUTPUT_ADD_FAILED, updated: texts.OUTPUT_UPDATE_FAILED },
} as const

async function saveInput(values: LinkValues, base: LinkValues, at: SavedAt | null): Promise<Saved> {
  if (at !== null) {
    const { data, warnings } = await call(updateInput, inputUpdate(values, base, at))
    return { item: data, warnings }
  }
  const { feeder } = values
  const { encoderId = '', name = '' } = feeder ?? {}
  const from = feeder === null ? {} : { feeder: { encoderId, name } }
  const body = { ...inputSent(values, base), ...from }
  return { item: (await call(addInput, { body })).data, warnings: [] }
}

async function saveOutput(
  values: LinkValues,
  base: LinkValues,
  at: SavedAt | null,
): Promise<Saved> {
  if (at === null) {
    return { item: (await call(addOutput, { body: outputSent(values, base) })).data, warnings: [] }
  }
  const { data, warnings } = await call(updateOutput, outputUpdate(values, base, at))
  return { item: data, warnings }
}

/** The call that saves one that exists. */
export function intendedSave(kind: LinkKind, values: LinkValues, base: LinkValues, at: SavedAt) {
  return kind === 'input'
    ? intend(updateInput, inputUpdate(values, base, at))
    : intend(updateOutput, outputUpdate(values, base, at))
}

function inputUpdate(values: LinkValues, base: LinkValues, { id, version }: SavedAt) {
  return { params: { id }, body: { ...inputSent(values, base), version } }
}

function outputUpdate(values: LinkValues, base: LinkValues, { id, version }: SavedAt) {
  return { params: { id }, body: { ...outputSent(values, base), version } }
}

function inputSent(values: LinkValues, base: LinkValues) {
  const draft = InputDraft.parse(draftOf(values, base))
  return { ...draft, config: withWirePort(draft) }
}

function outputSent(values: LinkValues, base: LinkValues) {
  const draft = OutputDraft.parse(draftOf(values, base))
  return { ...draft, config: withWirePort(draft) }
}

/** IN-FORM-24, OUT-FORM-21: the port of an SRT link goes as text. */
function withWirePort<C extends { port: number }>(draft: { inputType: string; config: C }) {
  const { config, inputType } = draft
  return { ...config, port: inputType === 'SRT' ? String(config.port) : config.port }
}

/**
 * Q177: asked before a save that ends what runs, or may run for all that is known. `save`: that call.
 * @returns true when it does not run, or the operator chose to
 */
export async function isEndingMeant(
  { title, outputs, isEnabled, type }: Link,
  state: ProgramState | null,
  save: Intended,
): Promise<boolean> {
  const isKnown = state !== null && state !== 'unknown' && state !== 'unreachable'
  const isDown = isKnown ? !isAlive(state) : !isEnabled || type === 'Local'
  if (isDown) return true
  return askBefore(save, {
    sentences: becomesLocalSentences(title, outputs, isKnown),
    doLabel: 'Save and stop it',
    keepLabel: 'Keep it running',
  })
}

/** Never throws; the toast says how it went. */
export async function restartLink(link: Link): Promise<void> {
  showOutcome(link.title, await sendCommand(link, 'restart'))
}

/** IN-FORM-14. @returns true when there is nothing to lose, or the operator chose to */
export async function isClearingMeant(count: number): Promise<boolean> {
  if (count === 0) return true
  return askFirst({
    sentences: clearParametersSentences(count),
    doLabel: 'Choose RIST',
    keepLabel: 'Keep the parameters',
  })
}
