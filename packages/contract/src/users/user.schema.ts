import { z } from 'zod'
import { ChosenLanguage, ChosenTimes } from '../session/display.schema.ts'
import { GroupRef, RoleName, RoleRef } from '../session/session.schema.ts'
import { PASSWORD_MIN_CHARACTERS } from './password.rules.ts'
import { echoed, Email, Id, oneLine, Version } from '../text.schema.ts'

export const User = z.object({
  _id: z.string(),
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  fullName: z.string(),
  email: z.string(),
  mode: z.string(),
  modeInfo: RoleRef,
  /** Below admin only the groups that the caller shares with this user. */
  groups: z.array(GroupRef),
  /** For a manager: this user also reaches a group that the manager does not have (user.rules.ts). */
  hasGroupBeyond: z.boolean(),
  /** Also ask before the actions that interrupt a stream at once and can be undone. */
  asksBeforeInterrupting: z.boolean(),
  /** Of the console; missing in the answer of an API of before. */
  language: ChosenLanguage.default(null),
  times: ChosenTimes.default(null),
  /** Signs in with the provider of the site, which sets name, e-mail, role and groups (ADR 0069). */
  isFromProvider: z.boolean(),
  version: z.number(),
})
export type User = z.infer<typeof User>

const FirstName = oneLine(80)
const LastName = oneLine(80)
/** Of a new one; the API also refuses common ones and the person's own name. */
export const Password = z
  .string()
  .min(PASSWORD_MIN_CHARACTERS, `must be at least ${PASSWORD_MIN_CHARACTERS} characters long.`)
  .max(1024, 'must be at most 1024 characters long. Shorten it.')

export const UserDraft = z.strictObject({
  firstName: FirstName,
  lastName: LastName,
  email: Email,
  password: Password,
  /** The role id, which is the role's name. */
  mode: RoleName,
  groupId: Id.optional(),
})
export type UserDraft = z.output<typeof UserDraft>

/** USER-16: the fields of a form that nobody has typed into change no password. A space is one. */
function unlessBlank<T extends z.ZodType>(field: T): T {
  return z.preprocess((text) => (text === '' ? undefined : text), field) as unknown as T
}

export const PASSWORDS_DIFFER = 'New password and confirm password not match!'

/** The signed-in user is read with the whole role, all others with its id. */
function roleName(mode: unknown): unknown {
  return RoleRef.safeParse(mode).data?.name ?? mode
}

/**
 * What is absent stays as it is. A new password needs its confirmation, and ends every session of
 * that user; one's own, like one's own new e-mail, every session but the caller's.
 */
export const UserEdit = z
  .strictObject({
    _id: Id,
    firstName: FirstName.optional(),
    lastName: LastName.optional(),
    email: Email.optional(),
    mode: z.preprocess(roleName, RoleName.optional()),
    /** Of a manager: the group that they are to manage or belong to, instead of their present ones. */
    groupId: Id.optional(),
    /** Of one's own account only; ignored in an edit of somebody else. */
    asksBeforeInterrupting: z.boolean().optional(),
    /** These two likewise. */
    language: ChosenLanguage.optional(),
    times: ChosenTimes.optional(),
    /** The current password: needed with a new password or e-mail of one's own account. */
    currentPassword: unlessBlank(z.string().max(1024).optional()),
    newPassword: unlessBlank(Password.optional()),
    newConfirmPassword: unlessBlank(z.string().max(1024).optional()),
    version: Version,
    // `token`: of the signed-in user (API-01).
    ...echoed([
      'id',
      'fullName',
      'modeInfo',
      'groups',
      'hasGroupBeyond',
      'token',
      'isFromProvider',
    ]),
  })
  .refine((edit) => edit.newPassword === edit.newConfirmPassword, {
    path: ['newConfirmPassword'],
    message: PASSWORDS_DIFFER,
  })
export type UserEdit = z.output<typeof UserEdit>
