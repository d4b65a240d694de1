/** How hard a password is to guess, as a hint while it is typed. */
import { PASSWORD_MIN_CHARACTERS } from '@trunkline/contract/users/password.rules'

export type Strength = 'none' | 'weak' | 'fair' | 'strong'

export interface StrengthHint {
  strength: Strength
  /** One sentence; '' while nothing is typed. */
  sentence: string
}

const STRONG_FROM = 16
/** Fewer kinds of character than this is one key held down, or two taken in turn. */
const DISTINCT_FROM = 5
/** Shorter parts of a name stand in too many good passwords by chance. */
const PERSONAL_FROM = 3

/** What every list of guesses begins with. */
const COMMON =
  /^(pass ?word|letmein|welcome|admin|qwert[yz]|azerty|iloveyou|0?12345|abc123|changeme)/i

/** `personal`: names and e-mail of whose password it is. */
export function strengthOf(password: string, personal: readonly string[]): StrengthHint {
  if (password === '') return { strength: 'none', sentence: '' }
  if (password.length < PASSWORD_MIN_CHARACTERS) {
    return weak(`Too short: at least ${PASSWORD_MIN_CHARACTERS} characters.`)
  }
  if (new Set(password).size < DISTINCT_FROM) return weak('Weak: it repeats itself.')
  if (COMMON.test(password)) return weak('Weak: it starts like a common password.')
  if (holdsAny(password, personal)) return weak('Weak: it contains the name or the e-mail address.')
  if (password.length < STRONG_FROM) {
    return { strength: 'fair', sentence: 'Fair: a few more characters make it strong.' }
  }
  return { strength: 'strong', sentence: 'Strong.' }
}

function weak(sentence: string): StrengthHint {
  return { strength: 'weak', sentence }
}

function holdsAny(password: string, personal: readonly string[]): boolean {
  const folded = password.toLocaleLowerCase('en')
  return personal
    .flatMap((text) => text.toLocaleLowerCase('en').split(/[\s@._-]+/))
    .some((part) => part.length >= PERSONAL_FROM && folded.includes(part))
}
