/** How a code is written, and read as people type it. */

/** Without I, L, O and U, which are read as others: 5 bits each. */
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP_CHARACTERS = 5
const GROUPS = 4
/** 100 random bits. */
export const CODE_CHARACTERS = GROUP_CHARACTERS * GROUPS

const IS_CODE = new RegExp(`^[${CODE_ALPHABET}]{${CODE_CHARACTERS}}$`)

/** `values`: CODE_CHARACTERS random numbers, of which the lowest 5 bits count. */
export function codeFrom(values: Uint8Array): string {
  const letters = [...values].map((value) => CODE_ALPHABET[value % CODE_ALPHABET.length] ?? '')
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_CHARACTERS, (group + 1) * GROUP_CHARACTERS).join(''),
  ).join('-')
}

/** As it was made, however it was typed; null when it is no code. */
export function readCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return IS_CODE.test(letters) ? letters : null
}
