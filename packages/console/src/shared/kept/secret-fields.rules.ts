/** Which fields of the forms hold a secret: what is typed there is never kept beyond its form. Pure. */
import { isSame } from './is-same.rules.ts'

const SECRET_FIELDS = [
  'apiKey',
  'authPassword',
  'code',
  'community',
  'currentPassword',
  'encryption.passphrase',
  'newConfirmPassword',
  'newPassword',
  'passphrase',
  'password',
  'privPassword',
  'secret',
] as const

/** A field for a secret takes no other name, so that none is forgotten here. */
export type SecretField = (typeof SECRET_FIELDS)[number]

/** What is typed, be it in a form or not. */
export interface Typed {
  /** As it is saved. */
  base: object
  values: object
  /** The last choice that can be undone. */
  bulk: unknown
}

/** Each secret as it was before it was typed; the same values where none was. */
export function withoutSecrets<S extends Typed>(state: S): S {
  const { base, values } = state
  const typed = SECRET_FIELDS.filter(
    (name) => !isSame(Reflect.get(values, name), Reflect.get(base, name)),
  )
  if (typed.length === 0) return state
  const saved = Object.fromEntries(typed.map((name) => [name, Reflect.get(base, name)]))
  // The last choice may have brought a secret along, and its undoing would bring that back.
  return { ...state, values: { ...values, ...saved }, bulk: null }
}

export function hasTyped({ base, values }: Typed): boolean {
  return !isSame(base, values)
}
