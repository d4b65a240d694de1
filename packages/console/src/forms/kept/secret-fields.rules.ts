/** Which fields of the forms hold a secret: what is typed there is never kept beyond its form. Pure. */
import type { FormState } from '../form-state.rules.ts'
import { isSame } from '../merge.rules.ts'

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

/** Each secret as it was before it was typed; the same values where none was. */
export function withoutSecrets<T extends object>(state: FormState<T>): FormState<T> {
  const { base, values } = state
  const typed = SECRET_FIELDS.filter(
    (name) => !isSame(Reflect.get(values, name), Reflect.get(base, name)),
  )
  if (typed.length === 0) return state
  const saved = Object.fromEntries(typed.map((name) => [name, Reflect.get(base, name)]))
  // The last choice may have brought a secret along, and its undoing would bring that back.
  return { ...state, values: { ...values, ...saved }, bulk: null }
}

export function hasTyped<T extends object>({ base, values }: FormState<T>): boolean {
  return !isSame(base, values)
}
