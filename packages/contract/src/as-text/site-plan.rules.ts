/** What has to be done so that a site has the objects of a text: nothing is done here. */
import type { Site } from './site.client.ts'
import { SiteNames } from './site-names.ts'
import { KIND_TEXTS } from './text-kinds.rules.ts'
import {
  type Fault,
  type FieldChange,
  keyName,
  keyText,
  type StoredObject,
  type TextKey,
  type TextKind,
  type Tree,
} from './text-object.schema.ts'
import { KIND_WORDS, readText, type TextReading } from './text-reading.rules.ts'
import { plainAt, textAt } from './tree.rules.ts'

/** An object of a file. */
export interface TextEntry {
  kind: TextKind
  text: Tree
  /** See `TextToRead`. */
  isWhole: boolean
  /** Where it stands in the file, the first being 1. */
  line: number
}

export interface PlannedEntry {
  entry: TextEntry
  key: TextKey
  will: 'add' | 'change' | 'stay' | 'fail'
  /** null for a new object. */
  stored: StoredObject | null
  changes: readonly FieldChange[]
  faults: readonly Fault[]
}

/** Stands for the id of what is not there yet. */
const NOT_YET = 'not yet: '

export class SitePlanner {
  readonly #stored = new Map<string, StoredObject>()
  readonly #names = new SiteNames()
  readonly #lines = new Map<string, number>()
  /** Hosts of encoders, which share a key. */
  readonly #hosts = new Set<string>()
  readonly #withKey = new Set<string>()

  constructor(site: Site, entries: readonly TextEntry[]) {
    for (const objects of Object.values(site.objects)) {
      for (const stored of objects) {
        this.#stored.set(keyText(stored.kind, stored.key), stored)
        this.#names.add(stored.kind, stored.key, stored.id)
        this.#note(stored.kind, stored.key, stored.text)
      }
    }
    for (const { kind, text } of entries) {
      const key = KIND_TEXTS[kind].keyOf(text)
      if (this.#names.idsOf(kind, key).length > 0) continue
      this.#names.add(kind, key, `${NOT_YET}${keyName(key)}`)
      if (kind === 'destination') this.#note(kind, key, text)
    }
  }

  #note(kind: TextKind, key: TextKey, text: Tree): void {
    if (kind === 'encoder') this.#hosts.add(hostOf(text))
    const isEncrypted = textAt(text, 'encryption.selection') === 'yes'
    if (kind === 'destination' && isEncrypted) this.#withKey.add(keyText(kind, key))
  }

  /** In the order of the file: an object that is named twice is at fault the second time. */
  plan(entry: TextEntry): PlannedEntry {
    const { kind, text, line } = entry
    const key = KIND_TEXTS[kind].keyOf(text)
    const stored = this.#stored.get(keyText(kind, key)) ?? null
    const reading = this.#reading(entry, stored)
    if (kind === 'encoder') this.#hosts.add(hostOf(text))
    const planned = { entry, key, stored, ...reading }
    const earlier = this.#lines.get(keyText(kind, key))
    this.#lines.set(keyText(kind, key), earlier ?? line)
    const [word, plural] = KIND_WORDS[kind]
    if (earlier !== undefined) {
      return failed(planned, '', `Line ${earlier} has this ${word} already.`)
    }
    const count = this.#names.idsOf(kind, key).length
    if (count > 1) {
      const sentence = `The site has ${count} ${plural} '${keyName(key)}'. Give each a title of its own first.`
      return failed(planned, 'title', sentence)
    }
    return { ...planned, will: outcomeOf(reading, stored) }
  }

  #reading(entry: TextEntry, stored: StoredObject | null): TextReading {
    const { kind, text, isWhole } = entry
    return readText({
      kindText: KIND_TEXTS[kind],
      typed: text,
      isWhole,
      stored,
      names: this.#names,
      hasSecretElsewhere: this.#hasSecretElsewhere(kind, text),
    })
  }

  #hasSecretElsewhere(kind: TextKind, text: Tree): boolean {
    if (kind === 'encoder') return this.#hosts.has(hostOf(text))
    if (kind !== 'output') return false
    const title = plainAt(text, 'destination')
    const group = plainAt(text, 'destinationGroup') || plainAt(text, 'group')
    return title !== '' && this.#withKey.has(keyText('destination', [group, title]))
  }
}

function hostOf(text: Tree): string {
  return `${plainAt(text, 'ip').toLowerCase()}:${plainAt(text, 'port')}`
}

function outcomeOf(
  { faults, changes }: TextReading,
  stored: StoredObject | null,
): PlannedEntry['will'] {
  if (faults.length > 0) return 'fail'
  if (stored === null) return 'add'
  return changes.length === 0 ? 'stay' : 'change'
}

function failed(
  planned: Omit<PlannedEntry, 'will'>,
  field: string,
  sentence: string,
): PlannedEntry {
  return { ...planned, will: 'fail', changes: [], faults: [{ field, sentence }, ...planned.faults] }
}

/**
 * The draft to be sent now that what it refers to is there; `names`: of the site as it is. null when
 * something is wrong with it after all, which the plan would have found.
 */
export function draftNow(
  { entry, stored }: PlannedEntry,
  names: SiteNames,
): { draft: Tree | null; changes: FieldChange[]; faults: Fault[] } {
  return readText({
    kindText: KIND_TEXTS[entry.kind],
    typed: entry.text,
    isWhole: entry.isWhole,
    stored,
    names,
    // The plan has looked.
    hasSecretElsewhere: true,
  })
}
