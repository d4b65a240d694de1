/** An object of the site as text: what a file says of it, with titles in place of ids and no secret. */

/** In the order in which objects refer to each other: whatever a kind refers to stands before it. */
export const TEXT_KINDS = [
  'user',
  'group',
  'server',
  'destination',
  'encoder',
  'feeder',
  'input',
  'output',
] as const
export type TextKind = (typeof TEXT_KINDS)[number]

export type Tree = Record<string, unknown>

/** Stands for a secret that the site has: it is not shown, and whoever writes it back keeps it. */
export const KEPT = '(kept)'

/** What makes an object the same on another site: its e-mail, its title, or its group and title. */
export type TextKey = readonly string[]

export interface StoredObject {
  kind: TextKind
  /** Of a feeder its name. */
  id: string
  /** Of a feeder its encoder's. */
  version: number
  key: TextKey
  text: Tree
  /** As the API answered it: names that a call wants, adapters with their ids. */
  wire: Tree
  /** null for what cannot be disabled. */
  isEnabled: boolean | null
}

export interface Fault {
  /** Dotted path in the text; '' for the whole object. */
  field: string
  /** A whole sentence. */
  sentence: string
}

/** Leaves of the text that differ; of a secret neither is shown. */
export interface FieldChange {
  field: string
  from: unknown
  to: unknown
  isSecret: boolean
}

/** One text for a key, for maps. No title has a line break. */
export function keyText(kind: TextKind, key: TextKey): string {
  return [kind, ...key].join('\n')
}

/** 'North / Marathon km 30', as people read it. */
export function keyName(key: TextKey): string {
  return key.join(' / ')
}
