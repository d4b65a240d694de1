/** The file that `trunkline export` writes and `trunkline apply` reads: YAML, with no secret in it. */
import type { Site } from '@trunkline/contract/as-text/site.client'
import type { TextEntry } from '@trunkline/contract/as-text/site-plan.rules'
import { KIND_TEXTS } from '@trunkline/contract/as-text/text-kinds.rules'
import {
  KEPT,
  keyName,
  keyText,
  type StoredObject,
  type TextKind,
  type Tree,
} from '@trunkline/contract/as-text/text-object.schema'
import { isTree, textAt, withoutEmpty, withValue } from '@trunkline/contract/as-text/tree.rules'
import { isMap, isSeq, LineCounter, parseDocument, stringify, type Document } from 'yaml'

/** Users are not in it: no API token may add or change people (ADR 0055). */
export const FILE_KINDS = [
  'group',
  'server',
  'destination',
  'encoder',
  'feeder',
  'input',
  'output',
] as const satisfies readonly TextKind[]
type FileKind = (typeof FILE_KINDS)[number]

/** The file has no others. */
const FORMAT = 1

const HEAD = `# Configuration of a Trunkline site, written by 'trunkline export'.
# Not in this file: passphrases and API keys (each is { keep: true }, and a new one is named by
# { env: NAME } or { file: PATH }), users, their passwords and groups, channels, encoder
# templates, alarm rules, maintenance windows, notifications, what is on air, API tokens, and which of
# these objects runs. Objects are the same by group and title, so a new title is another object.
`

export function siteText({ objects }: Site): string {
  const sections = FILE_KINDS.map((kind) => [
    `${kind}s`,
    [...objects[kind]].toSorted(byKey).map(fileText),
  ])
  const content = { version: FORMAT, ...(Object.fromEntries(sections) as Tree) }
  return `${HEAD}${repeatedTitles(objects)}${stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })}`
}

/** Said in the file: it is there that somebody looks when applying it is refused. */
function repeatedTitles(objects: Site['objects']): string {
  const keys = FILE_KINDS.flatMap((kind) => objects[kind].map(({ key }) => ({ kind, key })))
  const counts = Map.groupBy(keys, ({ kind, key }) => keyText(kind, key))
  const repeated = [...counts.values()].filter((same) => same.length > 1)
  return repeated
    .map(([first, ...more]) => {
      const name = first === undefined ? '' : `${first.kind}s '${keyName(first.key)}'`
      return `# There are ${more.length + 1} ${name}: give each a title of its own before this is applied.\n`
    })
    .join('')
}

function byKey(a: StoredObject, b: StoredObject): number {
  const [left, right] = [keyText(a.kind, a.key), keyText(b.kind, b.key)]
  if (left === right) return a.id < b.id ? -1 : 1
  return left < right ? -1 : 1
}

function fileText({ kind, text, isEnabled }: StoredObject): Tree {
  const { secret } = KIND_TEXTS[kind]
  const value = secret === null ? '' : textAt(text, secret)
  const shown =
    secret === null ? text : withValue(text, secret, value === KEPT ? { keep: true } : undefined)
  return withoutEmpty(isEnabled === null ? shown : { ...shown, enabled: isEnabled })
}

export interface FileEntry extends TextEntry {
  /** Where it stands in the document. */
  path: readonly (string | number)[]
  /** null where the file does not say. */
  isEnabled: boolean | null
}

export interface FileFault {
  line: number
  sentence: string
}

export interface SiteFile {
  entries: readonly FileEntry[]
  faults: readonly FileFault[]
  /** Those that the file has a list of, be it empty: of these it may remove. */
  kinds: readonly FileKind[]
  /** The line of a field of an entry; that of the entry where the field is not there. */
  lineOf(entry: FileEntry, field: string): number
  /** Where the list of a kind begins. */
  lineOfList(kind: TextKind): number
}

export interface Secrets {
  /** The value of a variable of the environment; null where it is not set. */
  fromEnvironment(name: string): string | null
  /** The first line of a file; throws where it cannot be read. */
  fromFile(path: string): string
}

/** Reads the text of a file; nothing of the site is looked at. */
export function readSiteFile(text: string, secrets: Secrets): SiteFile {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false })
  const reader = new FileReader(text, document, counter, secrets)
  return reader.read()
}

class FileReader {
  readonly #text: string
  readonly #document: Document
  readonly #counter: LineCounter
  readonly #secrets: Secrets
  readonly #faults: FileFault[] = []

  constructor(text: string, document: Document, counter: LineCounter, secrets: Secrets) {
    this.#text = text
    this.#document = document
    this.#counter = counter
    this.#secrets = secrets
  }

  read(): SiteFile {
    const faults = this.#faults
    const lineOf = ({ path }: FileEntry, field: string) =>
      this.#line(field === '' ? path : [...path, ...field.split('.').map(numbered)])
    const lines = { lineOf, lineOfList: (kind: TextKind) => this.#line([`${kind}s`]) }
    // What follows the first is most often its consequence.
    const [error] = this.#document.errors
    if (error !== undefined) {
      const line = this.#counter.linePos(error.pos[0]).line
      faults.push({ line, sentence: `This is not YAML: ${error.message}.${this.#tabHint(line)}` })
    }
    if (faults.length > 0) return { entries: [], faults, kinds: [], ...lines }
    const content = this.#content()
    if (faults.length > 0) return { entries: [], faults, kinds: [], ...lines }
    if (!isTree(content)) {
      this.#fault([], 'The file must be a mapping with the lists groups, servers and so on.')
      return { entries: [], faults, kinds: [], ...lines }
    }
    this.#checkNames(content)
    const kinds = FILE_KINDS.filter((kind) => Array.isArray(content[`${kind}s`]))
    const entries = kinds.flatMap((kind) => this.#entriesOf(kind, content))
    return { entries, faults, kinds, ...lines }
  }

  /** The library refuses aliases that grow beyond measure. */
  #content(): unknown {
    try {
      return this.#document.toJS()
    } catch {
      this.#fault([], 'This file has too many aliases (*name). Write out what they stand for.')
      return null
    }
  }

  /** YAML is indented by spaces. */
  #tabHint(line: number): string {
    const hasTab = this.#text.split('\n').some((each, index) => index < line && /^\s*\t/.test(each))
    return hasTab ? ' A line up to here begins with a tab. Indent by spaces.' : ''
  }

  #checkNames(content: Tree): void {
    const { version } = content
    if (version !== FORMAT) {
      this.#fault(
        ['version'],
        `version must be ${FORMAT}. Write the file with this version of the command.`,
      )
    }
    for (const [name, value] of Object.entries(content)) {
      if (name === 'version') continue
      const isKnown = FILE_KINDS.some((kind) => name === `${kind}s`)
      if (!isKnown) this.#fault([name], `There is no list '${name}' in such a file. Remove it.`)
      else if (!Array.isArray(value)) this.#fault([name], `${name} must be a list.`)
    }
  }

  #entriesOf(kind: FileKind, content: Tree): FileEntry[] {
    const list = content[`${kind}s`] as unknown[]
    return list.flatMap((value, index) => {
      const path = [`${kind}s`, index]
      if (!isTree(value)) {
        this.#fault(
          path,
          `This must be ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} with its fields.`,
        )
        return []
      }
      const { enabled, ...fields } = value
      const mayBeDisabled = kind === 'encoder' || kind === 'input' || kind === 'output'
      const text = this.#withSecret(kind, mayBeDisabled ? fields : value, path)
      const isEnabled = mayBeDisabled && typeof enabled === 'boolean' ? enabled : null
      if (mayBeDisabled && enabled !== undefined && isEnabled === null) {
        this.#fault([...path, 'enabled'], 'enabled must be true or false.')
      }
      return [{ kind, text, isWhole: true, line: this.#line(path), isEnabled, path }]
    })
  }

  #withSecret(kind: FileKind, text: Tree, path: readonly (string | number)[]): Tree {
    const { secret } = KIND_TEXTS[kind]
    const given = secret === null ? undefined : textAt(text, secret)
    if (secret === null || given === undefined) return text
    const at = [...path, ...secret.split('.')]
    return withValue(text, secret, this.#secretOf(given, secret, at))
  }

  #secretOf(given: unknown, field: string, at: readonly (string | number)[]): string {
    const { keep, env, file, ...more } = isTree(given) ? given : {}
    const forms = [keep, env, file].filter((form) => form !== undefined)
    if (forms.length === 1 && Object.keys(more).length === 0) {
      if (keep === true) return KEPT
      if (typeof env === 'string') return this.#fromEnvironment(env, field, at)
      if (typeof file === 'string') return this.#fromFile(file, field, at)
    }
    // A secret may stand here: it is not repeated.
    this.#fault(
      at,
      `${field} must be { keep: true }, { env: NAME } or { file: PATH }: no secret stands in this file.`,
    )
    return KEPT
  }

  #fromEnvironment(name: string, field: string, at: readonly (string | number)[]): string {
    const value = this.#secrets.fromEnvironment(name)
    if (value !== null && value !== '') return value
    this.#fault(at, `${field} is to come from the variable ${name}, which is not set. Set it.`)
    return KEPT
  }

  #fromFile(path: string, field: string, at: readonly (string | number)[]): string {
    try {
      return this.#secrets.fromFile(path)
    } catch {
      this.#fault(at, `${field} is to come from the file ${path}, which cannot be read.`)
      return KEPT
    }
  }

  #fault(path: readonly (string | number)[], sentence: string): void {
    this.#faults.push({ line: this.#line(path), sentence })
  }

  /** Of the nearest that is there. */
  #line(path: readonly (string | number)[]): number {
    for (let length = path.length; length > 0; length--) {
      const line = this.#lineAt(path.slice(0, length))
      if (line !== null) return line
    }
    return 1
  }

  #lineAt(path: readonly (string | number)[]): number | null {
    const owner =
      path.length === 1 ? this.#document.contents : this.#document.getIn(path.slice(0, -1), true)
    const last = path.at(-1)
    if (isMap(owner)) {
      const pair = owner.items.find(({ key }) => String(key) === last)
      const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range
      return range === undefined ? null : this.#counter.linePos(range[0]).line
    }
    if (!isSeq(owner) || typeof last !== 'number') return null
    const range = (owner.items[last] as { range?: [number, number, number] } | undefined)?.range
    return range === undefined ? null : this.#counter.linePos(range[0]).line
  }
}

/** '0' of 'adapterIps.0.adapterIp' is a place in a list. */
function numbered(part: string): string | number {
  return /^\d+$/.test(part) ? Number(part) : part
}
