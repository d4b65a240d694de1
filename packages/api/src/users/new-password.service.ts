/** What is asked of every new password, whoever sets it and from where. */
import { isPersonalPassword, simplicityOf } from '@trunkline/contract/users/password.rules'
import { Password } from '@trunkline/contract/users/user.schema'
import { invalid } from '../errors.ts'
import { isCommonPassword } from '../security/common-password.ts'

const SIMPLE = {
  'few characters': 'must have at least 5 different characters.',
  sequence: 'must not be a plain sequence of digits, letters or keys.',
} as const

const NAMES = {
  yours: 'your name or e-mail address',
  theirs: 'the name or e-mail address',
} as const

export interface Person {
  firstName: string
  lastName: string
  email: string
}

/** Throws 400 with the field. `whose`: in the eyes of who sets it, for the sentence. */
export async function assertGoodPassword(
  field: string,
  password: string,
  { firstName, lastName, email }: Person,
  whose: 'yours' | 'theirs',
): Promise<void> {
  const { error } = Password.safeParse(password)
  if (error !== undefined) throw invalid(field, error.issues[0]?.message ?? '')
  if (isPersonalPassword(password, [firstName, lastName, email])) {
    throw invalid(field, `must not consist mainly of ${NAMES[whose]}.`)
  }
  if (await isCommonPassword(password)) {
    throw invalid(field, 'is a common password. Choose another.')
  }
  const simplicity = simplicityOf(password)
  if (simplicity !== null) throw invalid(field, SIMPLE[simplicity])
}
