/** What has to be known of a kind to write it as text and to read it back. */
import type { z } from 'zod'
import type { SiteNames } from './site-names.ts'
import type { Fault, TextKey, TextKind, Tree } from './text-object.schema.ts'

/** Answers the id of what a text refers to, or notes a fault at that field and answers ''. */
export type Resolve = (field: string, kind: TextKind, key: TextKey) => string

export interface KindText {
  readonly kind: TextKind
  readonly keyOf: (text: Tree) => TextKey
  /** Of a reply of the API, or of a draft that its schema has read. */
  readonly textOf: (wire: Tree, names: SiteNames) => Tree
  /** What the call would be sent, right or wrong: `schema` judges it. */
  readonly draftOf: (text: Tree, resolve: Resolve) => Tree
  readonly schema: z.ZodType
  /** The field of the text that a field of the draft stands for, where they differ. */
  readonly fieldNames: Readonly<Record<string, string>>
  /** Rules between fields of a draft that the schema takes. */
  readonly faultsBetween: (draft: Tree) => Fault[]
  /** As the API stores it: without what has no meaning beside the rest. */
  readonly settled: (draft: Tree) => Tree
  /** Dotted path of its secret in the text; null for none. */
  readonly secret: string | null
  /** Fields that the API fills in when they are empty. */
  readonly filledIn: readonly string[]
  /** Fields that a save does not change, each with what to do instead. */
  readonly fixed: Readonly<Record<string, string>>
  /** Every field of a text of its own, dotted; below these anything may stand. */
  readonly fields: readonly string[]
}

export function asIs(draft: Tree): Tree {
  return draft
}

export function noFaults(): Fault[] {
  return []
}
