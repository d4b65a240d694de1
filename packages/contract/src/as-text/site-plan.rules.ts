/** What has to be done so that a site has the objects of a text: nothing is done here. */
import { DEFAULT_ENCODER_PORT } from '../encoders/encoder.schema.ts'
import { isAdminLevel, type Role } from '../roles.ts'
import { hostKeyOf } from '../servers/server.schema.ts'
import { IS_MISSING } from '../wording.ts'
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
import { faultAt, KIND_WORDS, readText, type TextReading } from './text-reading.rules.ts'
import { overlay, plainAt, textAt } from './tree.rules.ts'

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
  /** As it would be sent, what is not there yet having no id of its own; null unless it is added or changed. */
  draft: Tree | null
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
  readonly #namesKeys: boolean

  /** `role`: of who will save it; an admin names the key of a new host, for others one is made. */
  constructor(site: Site, entries: readonly TextEntry[], role: Role | null) {
    this.#namesKeys = isAdminLevel(role)
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
    if (kind === 'encoder') this.#hosts.add(encoderHost(text))
    const isEncrypted = textAt(text, 'encryption.selection') === 'yes'
    if (kind === 'destination' && isEncrypted) this.#withKey.add(keyText(kind, key))
  }

  /** In the order of the file: an object that is named twice is at fault the second time. */
  plan(entry: TextEntry): PlannedEntry {
    const planned = this.#plan(entry)
    // Of a file that is saved as a whole or not at all, what is wrong with one row is no fault of the next.
    const isSaved = planned.will !== 'fail' || entry.isWhole
    if (entry.kind === 'encoder' && isSaved) this.#hosts.add(encoderHost(textOf(planned)))
    return planned
  }

  #plan(entry: TextEntry): PlannedEntry {
    const { kind, text, line } = entry
    const key = KIND_TEXTS[kind].keyOf(text)
    const stored = this.#stored.get(keyText(kind, key)) ?? null
    const reading = this.#reading(entry, stored)
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
    if (this.#lacksKey(entry, stored)) {
      const { field, sentence } = faultAt('apiKey', IS_MISSING)
      return failed(planned, field, sentence)
    }
    return { ...planned, will: outcomeOf(reading, stored) }
  }

  /** As the API refuses it. */
  #lacksKey({ kind, text }: TextEntry, stored: StoredObject | null): boolean {
    if (kind !== 'encoder' || stored !== null || !this.#namesKeys) return false
    return plainAt(text, 'apiKey') === '' && !this.#hosts.has(encoderHost(text))
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
    if (kind === 'encoder') return this.#hosts.has(encoderHost(text))
    if (kind !== 'output') return false
    const title = plainAt(text, 'destination')
    const group = plainAt(text, 'destinationGroup') || plainAt(text, 'group')
    return title !== '' && this.#withKey.has(keyText('destination', [group, title]))
  }
}

/** 'host:port' of an encoder, by which it shares the key of others. */
export function encoderHost(text: Tree): string {
  const port = plainAt(text, 'port') || String(DEFAULT_ENCODER_PORT)
  return `${hostKeyOf(plainAt(text, 'ip'))}:${port}`
}

/** With what a part of an object leaves as it is. */
export function textOf({ entry: { text, isWhole }, stored }: PlannedEntry): Tree {
  return isWhole || stored === null ? text : overlay(stored.text, text)
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
