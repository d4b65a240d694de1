/** What is wrong with an input or output form, as a sentence at each field: the same list the API refuses by. */
import { InputDraft } from '@trunkline/contract/contributions/input.schema'
import {
  inputFaults,
  type LinkFault,
  outputFaults,
} from '@trunkline/contract/contributions/link.rules'
import { OutputDraft } from '@trunkline/contract/contributions/output.schema'
import { wording } from '@trunkline/contract/wording'
import {
  FIELD_REQUIRED,
  INPUT_ADVANCED_INCOMPLETE,
  OUTPUT_ADVANCED_INCOMPLETE,
  SELECT_GROUP,
  SELECT_INPUT,
  SERVER_NOT_SELECTED,
} from '../contribution.messages.ts'
import { MAX_BANDWIDTH, MAX_BANDWIDTH_RANGE } from '../../shared/bandwidth.rules.ts'
import { knownKey, UNKNOWN_PARAMETER } from '../../shared/srt-parameter.rules.ts'
import type { LinkKind } from '../link.rules.ts'
import { CHECK_FIELDS } from './form.messages.ts'
import {
  FIELD_NAMES,
  type FieldName,
  type Fields,
  isFieldName,
  labelOf,
  OPTIONAL,
  shownFields,
} from './link-field.rules.ts'
import {
  effectiveFields,
  effectiveParameters,
  type LinkValues,
  type Tree,
  treeOf,
} from './link-values.rules.ts'

/** A field, or 'advanced.0.value'; in the order of the form. */
export type Faults = Readonly<Record<string, string>>

/** `hasDestinationKey`: the chosen destination has a passphrase, which the API takes over. */
export function faultsOf(values: LinkValues, base: LinkValues, hasDestinationKey: boolean): Faults {
  const fields = effectiveFields(values, base)
  const faults: Faults = {
    ...betweenFields(values, base),
    ...schemaFaults(values, base),
    ...parameterFaults(values),
    ...requiredFaults(values.kind, fields),
    ...keyFault(values, fields, hasDestinationKey),
  }
  return Object.fromEntries(
    Object.entries(faults).toSorted(([one], [other]) => placeOf(one) - placeOf(other)),
  )
}

/** Advanced parameters stand after all fields. */
function placeOf(name: string): number {
  return isFieldName(name) ? FIELD_NAMES.indexOf(name) : FIELD_NAMES.length
}

function schemaFaults(values: LinkValues, base: LinkValues): Faults {
  const schema = values.kind === 'input' ? InputDraft : OutputDraft
  const { error } = schema.safeParse(treeOf(values, base), { error: wording })
  const faults: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) {
    const name = path.map(String).join('.')
    faults[name] ??= sentenceAt(values, name, message)
  }
  return faults
}

/** A sentence of the schema that begins small goes on from the field's label. */
export function sentenceAt({ kind, fields }: LinkValues, name: string, message: string): string {
  // The schema counts bytes a second, as the wire does.
  if (name === 'config.maxBandWidth') return `${MAX_BANDWIDTH} ${MAX_BANDWIDTH_RANGE}`
  if (!/^[a-z]/.test(message)) return message
  if (isFieldName(name)) return `${labelOf(kind, name, fields)} ${message}`
  const part = /\.(key|value)$/.exec(name)?.[1]
  return part === undefined ? `Parameters ${message}` : `It ${message}`
}

function betweenFields(values: LinkValues, base: LinkValues): Faults {
  return Object.fromEntries(
    listOf(values, base).map(({ field, sentence }) => [field, sentenceAt(values, field, sentence)]),
  )
}

function listOf(values: LinkValues, base: LinkValues): readonly LinkFault[] {
  const tree = treeOf(values, base)
  if (values.kind === 'input') {
    const { data } = InputDraft.safeParse(filledIn(tree, InputDraft))
    return data === undefined ? [] : inputFaults(data)
  }
  const { data } = OutputDraft.safeParse(filledIn(tree, OutputDraft))
  return data === undefined ? [] : outputFaults(data)
}

/** Even, so that it is well for every type. */
const SOME_PORT = 1024
/** Well for each field that a save cannot do without. */
const WELL: Readonly<Record<string, unknown>> = {
  title: 'Title',
  serverId: 'server',
  groupId: 'group',
  contributionId: 'input',
  'config.port': SOME_PORT,
  'config.secondPath': { host: 'second.invalid', port: SOME_PORT },
}

/**
 * With something that is well in place of each field that is wrong by itself, so that what is wrong
 * between the others is said at the same time, and not after the next try to save.
 */
function filledIn(tree: Tree, schema: typeof InputDraft | typeof OutputDraft): Tree {
  const { error } = schema.safeParse(tree)
  const filled = { ...tree, config: { ...(tree['config'] as Tree) } }
  for (const { path } of error?.issues ?? []) {
    const [part, key] = path.map(String)
    if (part === 'config' && key !== undefined) filled.config[key] = WELL[`config.${key}`]
    else if (part !== undefined) (filled as Tree)[part] = WELL[part]
  }
  return filled
}

const CHOSEN: Partial<Record<FieldName, string>> = {
  serverId: SERVER_NOT_SELECTED,
  groupId: SELECT_GROUP,
  contributionId: SELECT_INPUT,
}
const CHOICES: Readonly<Record<LinkKind, readonly FieldName[]>> = {
  input: ['serverId', 'groupId'],
  output: ['contributionId'],
}
/** Empty stands for Any, or for what the API gives. */
const MAY_BE_EMPTY: readonly FieldName[] = [
  ...OPTIONAL,
  'config.host',
  'config.adapterIp',
  'config.multicast',
  'config.secondPath',
  'config.secondPath.adapterIp',
  'destinationId',
]

function requiredFaults(kind: LinkKind, fields: Fields): Faults {
  const faults: Record<string, string> = {}
  for (const name of CHOICES[kind]) if (fields[name] === '') faults[name] = CHOSEN[name] ?? ''
  const needed: readonly FieldName[] = ['title', ...shownFields(kind, fields)]
  for (const name of needed) {
    if (fields[name].trim() === '' && !MAY_BE_EMPTY.includes(name)) faults[name] = FIELD_REQUIRED
  }
  return faults
}

/** Q167. */
function keyFault(values: LinkValues, fields: Fields, hasDestinationKey: boolean): Faults {
  const isMissing =
    fields['encryption.selection'] === 'yes' &&
    fields['encryption.passphrase'] === '' &&
    !values.hasKey &&
    values.feeder === null &&
    !(hasDestinationKey && fields['destinationId'] !== '')
  return isMissing ? { 'encryption.passphrase': FIELD_REQUIRED } : {}
}

/** IN-FORM-21, OUT-FORM-12: half a parameter. */
function parameterFaults(values: LinkValues): Faults {
  const faults: Record<string, string> = {}
  effectiveParameters(values).forEach(({ key, value }, index) => {
    if (key === '') faults[`advanced.${index}.key`] = FIELD_REQUIRED
    else if (knownKey(key) === null) faults[`advanced.${index}.key`] = UNKNOWN_PARAMETER
    if (value === '') faults[`advanced.${index}.value`] = FIELD_REQUIRED
  })
  return faults
}

/** What a save that nothing is sent of says (ERR-44). */
export function refusalOf(kind: LinkKind, values: LinkValues, faults: Faults): string {
  if ('serverId' in faults) return SERVER_NOT_SELECTED
  const isHalf = effectiveParameters(values).some(({ key, value }) => key === '' || value === '')
  if (!isHalf) return CHECK_FIELDS
  return kind === 'input' ? INPUT_ADVANCED_INCOMPLETE : OUTPUT_ADVANCED_INCOMPLETE
}

/** What the API names is a field of the form, or a line of it. Null where the form has no such field. */
export function faultNameOf(field: string, values: LinkValues): string | null {
  if (field === 'config.multicastPort') return 'config.multicast'
  if (isFieldName(field)) return field
  const line = /^advanced\.(\d+)(?:\.(key|value))?$/.exec(field)
  if (line === null)
    return field === 'advanced' && values.advanced.length > 0 ? 'advanced.0.key' : null
  return Number(line[1]) < values.advanced.length
    ? `advanced.${line[1]}.${line[2] ?? 'value'}`
    : null
}
