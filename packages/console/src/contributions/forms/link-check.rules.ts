/** What is wrong with an input or output form, as a sentence at each field: the same list the API refuses by. */
import { InputConfig, InputDraft } from '@trunkline/contract/contributions/input.schema'
import {
  inputFaults,
  type LinkFault,
  outputFaults,
} from '@trunkline/contract/contributions/link.rules'
import { OutputConfig, OutputDraft } from '@trunkline/contract/contributions/output.schema'
import {
  type Faults,
  inOrder,
  schemaFaults,
  sentenceOf,
  wellParts,
} from '../../forms/field-faults.rules.ts'
import { labelOf } from '../../forms/field.rules.ts'
import type { Tree } from '../../forms/wire-tree.rules.ts'
import { MAX_BANDWIDTH, MAX_BANDWIDTH_RANGE } from '../../shared/link-settings/link-rate.rules.ts'
import { parameterFaults } from '../../shared/link-settings/srt-parameter.rules.ts'
import {
  FIELD_REQUIRED,
  INPUT_ADVANCED_INCOMPLETE,
  OUTPUT_ADVANCED_INCOMPLETE,
  SELECT_GROUP,
  SELECT_INPUT,
  SERVER_NOT_SELECTED,
} from '../contribution.messages.ts'
import type { LinkKind } from '../link.rules.ts'
import { CHECK_FIELDS } from './form.messages.ts'
import {
  type FieldName,
  isFieldName,
  LINK_FIELDS,
  type LinkValues,
  shownFields,
} from './link-field.rules.ts'
import { LINK_FORM, LINK_RULES } from './link-form.rules.ts'
import { draftOf, effectiveValues } from './link-values.rules.ts'

/** `hasDestinationKey`: the chosen destination has a passphrase, which the API takes over. */
export function faultsOf(values: LinkValues, base: LinkValues, hasDestinationKey: boolean): Faults {
  const draft = draftOf(values, base)
  const effective = effectiveValues(values, base)
  const schema = values.kind === 'input' ? InputDraft : OutputDraft
  const faults: Record<string, string> = {}
  for (const { field, message } of [
    ...schemaFaults(schema, draft),
    ...betweenFields(values, draft),
  ]) {
    faults[field] ??= sentenceAt(field, message, values)
  }
  const lines = lineFaults(effective)
  return inOrder(LINK_RULES.names, {
    // What is wrong with a line comes before what is wrong with all of them.
    ...lines,
    ...faults,
    ...lines,
    ...requiredFaults(effective),
    ...keyFault(effective, hasDestinationKey),
  })
}

/** As it stands at that field. */
export function sentenceAt(name: string, message: string, values: LinkValues): string {
  // The schema counts bytes a second, as the wire does.
  if (name === 'config.maxBandWidth') return `${MAX_BANDWIDTH} ${MAX_BANDWIDTH_RANGE}`
  if (isFieldName(name)) return sentenceOf(labelOf(LINK_FORM, name, values), message)
  return sentenceOf(/\.(key|value)$/.test(name) ? 'It' : 'Parameters', message)
}

/** Of the fields that are well by themselves, so that all is shown at once. */
function betweenFields({ kind }: LinkValues, draft: Tree): { field: string; message: string }[] {
  const faults = kind === 'input' ? betweenOfInput(draft) : betweenOfOutput(draft)
  return faults.map(({ field, sentence }) => ({ field, message: sentence }))
}

function betweenOfInput(draft: Tree): LinkFault[] {
  const { inputType, encryption } = wellParts(InputDraft, draft)
  const config = wellParts(InputConfig, draft['config'] as Tree)
  return inputType === undefined ? [] : inputFaults({ inputType, config, encryption })
}

function betweenOfOutput(draft: Tree): LinkFault[] {
  const { inputType, encryption } = wellParts(OutputDraft, draft)
  const config = wellParts(OutputConfig, draft['config'] as Tree)
  return inputType === undefined ? [] : outputFaults({ inputType, config, encryption })
}

const CHOSEN: Readonly<Record<LinkKind, Partial<Record<FieldName, string>>>> = {
  input: { serverId: SERVER_NOT_SELECTED, groupId: SELECT_GROUP },
  output: { contributionId: SELECT_INPUT },
}

function requiredFaults(values: LinkValues): Faults {
  const faults: Record<string, string> = {}
  for (const [name, sentence] of Object.entries(CHOSEN[values.kind])) {
    if (values[name as FieldName] === '') faults[name] = sentence
  }
  const needed: readonly FieldName[] = ['title', ...shownFields(values)]
  for (const name of needed) {
    const isMissing = values[name].trim() === '' && LINK_FIELDS[name].empty === undefined
    if (isMissing) faults[name] = FIELD_REQUIRED
  }
  return faults
}

/** Q167. */
function keyFault(values: LinkValues, hasDestinationKey: boolean): Faults {
  const isMissing =
    values['encryption.selection'] === 'yes' &&
    values['encryption.passphrase'] === '' &&
    !values.hasKey &&
    values.feeder === null &&
    !(hasDestinationKey && values.destinationId !== '')
  return isMissing ? { 'encryption.passphrase': FIELD_REQUIRED } : {}
}

/** IN-FORM-21, OUT-FORM-12: half a parameter, and one that cannot be set so. */
function lineFaults({ advanced }: LinkValues): Faults {
  const faults: Record<string, string> = {}
  parameterFaults(advanced, FIELD_REQUIRED).forEach(({ key, value }, index) => {
    if (key !== '') faults[`advanced.${index}.key`] = key
    if (value !== '') faults[`advanced.${index}.value`] = value
  })
  return faults
}

/** What a save that nothing is sent of says (ERR-44). */
export function refusalOf(values: LinkValues, faults: Faults): string {
  if ('serverId' in faults) return SERVER_NOT_SELECTED
  const isHalf = Object.entries(faults).some(
    ([name, sentence]) => name.startsWith('advanced.') && sentence === FIELD_REQUIRED,
  )
  if (!isHalf) return CHECK_FIELDS
  return values.kind === 'input' ? INPUT_ADVANCED_INCOMPLETE : OUTPUT_ADVANCED_INCOMPLETE
}

/** What the API names is a field of the form, or a line of it. Null where the form has no such field. */
export function faultNameOf(field: string, { advanced }: LinkValues): string | null {
  if (field === 'config.multicastPort') return 'config.multicast'
  if (isFieldName(field)) return field
  const line = /^advanced(?:\.(\d+)(?:\.(key|value))?)?$/.exec(field)
  if (line === null) return null
  const [, index, part] = line
  if (index === undefined) return advanced.length > 0 ? 'advanced.0.key' : null
  return Number(index) < advanced.length ? `advanced.${index}.${part ?? 'value'}` : null
}
