/** The commonest passwords, from those that became known: what every guess begins with. */
import { PASSWORD_MIN_CHARACTERS } from '@trunkline/contract/users/password.rules'

let known: Promise<ReadonlySet<string>> | undefined

/** Without case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= readKnown()
  return (await known).has(password.toLowerCase())
}

/** Read when the first password is set: most processes never need it. Shorter ones are refused anyway. */
async function readKnown(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const all = dictionary['passwords-common'] as readonly string[]
  return new Set(all.filter((one) => one.length >= PASSWORD_MIN_CHARACTERS))
}
