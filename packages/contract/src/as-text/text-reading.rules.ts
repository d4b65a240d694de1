/** What a text asks an object to be: the draft that the API is sent, what differs, and what is wrong. */
import { wording } from '../wording.ts'
import type { SiteNames } from './site-names.ts'
import type { KindText, Resolve } from './text-kind.ts'
import {
  type Fault,
  type FieldChange,
  KEPT,
  keyName,
  type StoredObject,
  type TextKind,
  type Tree,
} from './text-object.schema.ts'
import {
  isSameValue,
  leavesOf,
  overlay,
  plainAt,
  textAt,
  withoutEmpty,
  withValue,
} from './tree.rules.ts'

export interface TextReading {
  /** null where nothing differs, or something is wrong. */
  draft: Tree | null
  changes: FieldChange[]
  faults: Fault[]
}

export interface TextToRead {
  kindText: KindText
  /** As it was typed. */
  typed: Tree
  /** True: what is left out is the default. False: of an object that is there it stays as it is. */
  isWhole: boolean
  /** null for a new object. */
  stored: StoredObject | null
  names: SiteNames
  /** Whether a new object may go without a secret of its own: the API has it from elsewhere. */
  hasSecretElsewhere: boolean
}

export function readText(asked: TextToRead): TextReading {
  const { kindText, typed, stored, names } = asked
  const meant = meantBy(asked)
  if (stored !== null && isSameValue(withoutEmpty(meant), withoutEmpty(stored.text))) {
    return reading(null, [], [])
  }
  const faults: Fault[] = unknownFields(kindText, typed)
  const secret = kindText.secret === null ? '' : plainAt(meant, kindText.secret)
  const isTyped = secret !== '' && secret !== KEPT
  const draft = kindText.draftOf(
    kindText.secret === null
      ? meant
      : withValue(meant, kindText.secret, isTyped ? textAt(meant, kindText.secret) : ''),
    resolverOf(names, stored, faults),
  )
  const parsed = kindText.schema.safeParse(draft, { error: wording })
  if (!parsed.success) {
    // What could not be found, and what is no field, is named already.
    const named = new Set(faults.map(({ field }) => field))
    for (const issue of parsed.error.issues) {
      const path = issue.path.map(String)
      const keys = issue.code === 'unrecognized_keys' ? issue.keys : []
      const fields = keys.map((key) => [...path, key].join('.'))
      const field = textField(kindText, path.join('.'))
      const isNamed =
        fields.length > 0
          ? fields.every((each) => named.has(each))
          : named.has(field) || named.has(field.replace(/\.\d+$/, ''))
      if (!isNamed) faults.push(faultAt(field, issue.message))
    }
    return reading(null, [], faults)
  }
  const settled = kindText.settled(parsed.data as Tree)
  for (const { field, sentence } of kindText.faultsBetween(settled)) {
    faults.push(faultAt(textField(kindText, field), sentence))
  }
  const text = withSecret(kindText, kindText.textOf(settled, names), secret, stored)
  const changes = changesBetween(kindText, stored?.text ?? {}, text, isTyped)
  faults.push(...secretFaults(asked, text, secret), ...fixedFaults(kindText, stored, changes))
  return reading(faults.length === 0 && changes.length > 0 ? settled : null, changes, faults)
}

function reading(draft: Tree | null, changes: FieldChange[], faults: Fault[]): TextReading {
  return { draft, changes: faults.length === 0 ? changes : [], faults }
}

/** Of a new object an empty field is left out. What the API fills in, a secret and a whole configuration stay as they are where the text has none. */
function meantBy({ kindText, typed, isWhole, stored }: TextToRead): Tree {
  if (stored === null) return withoutEmpty(typed)
  const { filledIn, secret } = kindText
  let meant = isWhole ? typed : overlay(stored.text, typed)
  for (const field of secret === null ? filledIn : [...filledIn, secret]) {
    if (plainAt(typed, field) === '') meant = withValue(meant, field, textAt(stored.text, field))
  }
  // A configuration is deleted by a command of its own.
  const hasConfig = typed['config'] !== undefined && typed['config'] !== null
  return hasConfig ? meant : withValue(meant, 'config', stored.text['config'])
}

/** For a single object, and for several. */
export const KIND_WORDS: Readonly<Record<TextKind, readonly [string, string]>> = {
  user: ['user', 'users'],
  group: ['group', 'groups'],
  server: ['server', 'servers'],
  destination: ['destination', 'destinations'],
  encoder: ['encoder', 'encoders'],
  feeder: ['feeder', 'feeders'],
  input: ['input', 'inputs'],
  output: ['output', 'outputs'],
}

function resolverOf(names: SiteNames, stored: StoredObject | null, faults: Fault[]): Resolve {
  return (field, kind, key) => {
    const [id, ...more] = names.idsOf(kind, key)
    if (id !== undefined && more.length === 0) return id
    // What the caller does not see is called by its id.
    const [named = ''] = key
    if (id === undefined && refersTo(stored, named)) return named
    const [word, plural] = KIND_WORDS[kind]
    const sentence =
      id === undefined
        ? `There is no ${word} '${keyName(key)}' that you may see.`
        : `There are ${more.length + 1} ${plural} '${keyName(key)}'. Give each a title of its own first.`
    faults.push({ field, sentence })
    return ''
  }
}

/** An object that is there may go on to refer to what its reader does not see, such as users of another group. */
function refersTo(stored: StoredObject | null, id: string): boolean {
  return stored !== null && Object.values(stored.wire).flat().includes(id)
}

function unknownFields({ fields }: KindText, typed: Tree): Fault[] {
  const isKnown = (path: string) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`)) ||
    // An empty mapping where fields are expected, as `config: {}`.
    fields.some((field) => field.startsWith(`${path}.`))
  return leavesOf(typed)
    .filter(({ path }) => !isKnown(path))
    .map(({ path }) => ({ field: path, sentence: `There is no field '${path}' here. Remove it.` }))
}

/** A message that begins with a small letter goes on from the name of its field. */
export function faultAt(field: string, message: string): Fault {
  return { field, sentence: /^[a-z]/.test(message) ? `${field} ${message}`.trim() : message }
}

function textField({ fieldNames }: KindText, field: string): string {
  for (const [ofDraft, ofText] of Object.entries(fieldNames)) {
    if (field === ofDraft || field.startsWith(`${ofDraft}.`)) {
      return `${ofText}${field.slice(ofDraft.length)}`
    }
  }
  return field
}

function withSecret(
  { secret: field }: KindText,
  text: Tree,
  secret: string,
  stored: StoredObject | null,
): Tree {
  if (field === null) return text
  if (isClear(text)) return withValue(text, field, '')
  return withValue(text, field, secret === KEPT && stored === null ? '' : secret)
}

/** Encryption that is off has no key. */
function isClear(text: Tree): boolean {
  return textAt(text, 'encryption.selection') === 'no'
}

function changesBetween(
  { secret }: KindText,
  before: Tree,
  after: Tree,
  isTyped: boolean,
): FieldChange[] {
  const paths = new Set([...leavesOf(before), ...leavesOf(after)].map(({ path }) => path))
  return [...paths].flatMap((field) => {
    const [from, to] = [textAt(before, field), textAt(after, field)]
    const isSecret = field === secret
    const differs = isSecret ? (isTyped && to !== '') || from !== to : !isSameValue(from, to)
    return differs && !isNothing(from, to) ? [{ field, from, to, isSecret }] : []
  })
}

/** A field of a new object that is left empty is no change. */
function isNothing(from: unknown, to: unknown): boolean {
  const isEmpty = (value: unknown) => value === undefined || value === '' || value === null
  return isEmpty(from) && isEmpty(to)
}

const NOT_KEPT =
  'is to stay as it is, but there is no such object yet. Name the secret of the new object.'
const EMPTY_KEY = 'must not be empty while encryption is on.'
const EMPTY_SECRET = 'must not be empty. A new object needs it.'

function secretFaults(
  { kindText, stored, hasSecretElsewhere }: TextToRead,
  text: Tree,
  typed: string,
): Fault[] {
  const { secret, kind } = kindText
  if (secret === null || isClear(text) || hasSecretElsewhere) return []
  const fault = (message: string) => [faultAt(secret, message)]
  if (stored === null && typed === KEPT) return fault(NOT_KEPT)
  if (plainAt(text, secret) !== '') return []
  if (textAt(text, 'encryption.selection') === 'yes') return fault(EMPTY_KEY)
  return stored === null && (kind === 'server' || kind === 'user') ? fault(EMPTY_SECRET) : []
}

function fixedFaults(
  { fixed }: KindText,
  stored: StoredObject | null,
  changes: readonly FieldChange[],
): Fault[] {
  if (stored === null) return []
  return changes.flatMap(({ field }) => {
    const sentence = fixed[field]
    return sentence === undefined ? [] : [{ field, sentence }]
  })
}
