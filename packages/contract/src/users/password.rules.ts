/** What a new password must be; those that are stored already keep working. */

export const PASSWORD_MIN_CHARACTERS = 12

/** Shorter parts of a name stand in good passwords by chance. */
const PERSONAL_FROM = 3
/** So much must be left of a password without what others know of the person. */
const REST_FROM = 8

/** `personal`: names and e-mail of whose password it is. Whether it is little more than these. */
export function isPersonalPassword(password: string, personal: readonly string[]): boolean {
  const folded = fold(password)
  const rest = personal
    .flatMap((text) => [text, ...text.split(/[\s@._+-]+/)])
    .map(fold)
    .filter((part) => part.length >= PERSONAL_FROM)
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, part) => left.replaceAll(part, ''), folded)
  return rest !== folded && rest.length < REST_FROM
}

/** Case, spaces and marks make no other word of a name. */
function fold(text: string): string {
  return text.toLocaleLowerCase('en').replaceAll(/[^\p{L}\p{N}]/gu, '')
}
