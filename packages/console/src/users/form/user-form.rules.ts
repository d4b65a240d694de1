/** What the forms of people hold, when it is well, and what of it is sent. */
import { roleFromName, type Role } from '@trunkline/contract/roles'
import { UserDraft, type UserEdit, type User } from '@trunkline/contract/users/user.schema'
import type { Sentences } from '../../forms/form.hook.ts'
import { INVALID_EMAIL, PASSWORDS_DIFFER, REQUIRED } from '../user.messages.ts'

export interface PersonValues {
  firstName: string
  lastName: string
  email: string
}

export interface PasswordChange {
  newPassword: string
  newConfirmPassword: string
}

export interface NewUserValues extends PersonValues {
  password: string
  /** '' until one is chosen. */
  mode: Role | ''
  /** '' for none. */
  groupId: string
}

export interface AccountValues extends PersonValues, PasswordChange {}

/** Of one's own account. */
export interface OwnValues extends AccountValues {
  /** Needed for a new password or e-mail only. */
  currentPassword: string
  asksBeforeInterrupting: boolean
}

export interface UserEditValues extends AccountValues {
  mode: Role | ''
  /** Of a manager, in place of the present ones; '' leaves them as they are. */
  groupId: string
}

export const NEW_USER: NewUserValues = {
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  mode: '',
  groupId: '',
}

function accountValuesOf({ firstName, lastName, email }: PersonValues): AccountValues {
  return { firstName, lastName, email, newPassword: '', newConfirmPassword: '' }
}

export function ownValuesOf(
  user: PersonValues & Pick<OwnValues, 'asksBeforeInterrupting'>,
): OwnValues {
  return {
    ...accountValuesOf(user),
    currentPassword: '',
    asksBeforeInterrupting: user.asksBeforeInterrupting,
  }
}

export function editValuesOf(user: User): UserEditValues {
  return { ...accountValuesOf(user), mode: user.modeInfo.name, groupId: '' }
}

/** USER-12, USER-14. */
export function checkPerson(values: PersonValues): Sentences<PersonValues> {
  return {
    ...faultOf('firstName', nameFault('First name', 'firstName', values.firstName)),
    ...faultOf('lastName', nameFault('Last name', 'lastName', values.lastName)),
    ...faultOf('email', UserDraft.shape.email.safeParse(values.email).success ? '' : INVALID_EMAIL),
  }
}

/** USER-13. */
export function checkNewPassword(password: string): Sentences<{ password: string }> {
  if (password === '') return { password: REQUIRED }
  return faultOf('password', passwordFault('Password', password))
}

/** USER-15; an empty new password keeps the old one. */
export function checkPasswordChange(values: PasswordChange): Sentences<PasswordChange> {
  const { newPassword, newConfirmPassword } = values
  return {
    ...(newPassword === ''
      ? {}
      : faultOf('newPassword', passwordFault('New password', newPassword))),
    ...faultOf('newConfirmPassword', newPassword === newConfirmPassword ? '' : PASSWORDS_DIFFER),
  }
}

/** Whether the own account gets another password or e-mail; `email`: the present one. */
export function changesAccess(values: OwnValues, email: string): boolean {
  // The API reads an address without its case.
  const isSameEmail = values.email.trim().toLowerCase() === email.toLowerCase()
  return values.newPassword !== '' || !isSameEmail
}

export function checkCurrentPassword(values: OwnValues, email: string): Sentences<OwnValues> {
  const isMissing = changesAccess(values, email) && values.currentPassword === ''
  return isMissing ? { currentPassword: REQUIRED } : {}
}

/** USER-16, USER-17, API-07: the fields of every edit, whoever is edited. */
export function editBody(
  id: string,
  values: AccountValues,
  version: number | null,
): Pick<UserEdit, '_id'> & Partial<UserEdit> {
  const { firstName, lastName, email, newPassword, newConfirmPassword } = values
  return {
    _id: id,
    firstName,
    lastName,
    email,
    ...(newPassword === '' ? {} : { newPassword, newConfirmPassword }),
    ...(version === null ? {} : { version }),
  }
}

/** The value of a role selector; '' for a name that is no role. */
export function chosenRole(name: string): Role | '' {
  return roleFromName(name) ?? ''
}

function nameFault(label: string, field: 'firstName' | 'lastName', text: string): string {
  if (text.trim() === '') return REQUIRED
  const { error } = UserDraft.shape[field].safeParse(text)
  return error === undefined ? '' : `${label} ${error.issues[0]?.message ?? ''}`
}

function passwordFault(label: string, text: string): string {
  const { error } = UserDraft.shape.password.safeParse(text)
  return error === undefined ? '' : `${label} ${error.issues[0]?.message ?? ''}`
}

function faultOf<K extends string>(name: K, sentence: string): Partial<Record<K, string>> {
  return sentence === '' ? {} : ({ [name]: sentence } as Partial<Record<K, string>>)
}
