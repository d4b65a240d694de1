/** What is asked of every new password, whoever sets it and from where. */
import { isPersonalPassword } from '@trunkline/contract/users/password.rules'
import { Password } from '@trunkline/contract/users/user.schema'
import { invalid } from '../errors.ts'
import { isCommonPassword } from '../security/common-password.ts'

export interface Person {
  firstName: string
  lastName: string
  email: string
}

/** Throws 400 with the field. `person`: whose it is to be, as they will be called. */
export async function assertGoodPassword(
  field: string,
  password: string,
  { firstName, lastName, email }: Person,
): Promise<void> {
  const { error } = Password.safeParse(password)
  if (error !== undefined) throw invalid(field, error.issues[0]?.message ?? '')
  if (isPersonalPassword(password, [firstName, lastName, email])) {
    throw invalid(field, 'must be more than the name or the e-mail address.')
  }
  if (await isCommonPassword(password)) {
    throw invalid(
      field,
      'is one of the commonest passwords, which are guessed first. Take another.',
    )
  }
}
