import { z } from 'zod'
import { ROLES } from '../roles.ts'
import { ChosenLanguage, ChosenTimes } from './display.schema.ts'

export const RoleName = z.enum(ROLES)
/** Role ids are the role names: five rows that never change need no second name. */
export const RoleRef = z.object({ _id: z.string(), name: RoleName })

export const GroupRef = z.object({ _id: z.string(), title: z.string() })
export type GroupRef = z.infer<typeof GroupRef>

export const WebAddress = z.string().regex(/^https?:\/\//)

/** The signed-in user as the login and jwtLogin answers hold it (API-01, API-74). */
export const SessionUser = z.object({
  _id: z.string(),
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  fullName: z.string(),
  email: z.string(),
  mode: RoleRef,
  modeInfo: z.object({ name: RoleName }),
  /** In order of creation; the first is 'the first group' of a manager (Q35). */
  groups: z.array(GroupRef),
  /** Missing in what a browser stored before this setting existed. */
  asksBeforeInterrupting: z.boolean().default(false),
  language: ChosenLanguage.default(null),
  times: ChosenTimes.default(null),
  /** Whether they sign in by the provider of the site, and have no password here. */
  isFromProvider: z.boolean().default(false),
  token: z.string(),
})
export type SessionUser = z.infer<typeof SessionUser>

export const Credentials = z.strictObject({
  email: z.string().trim().toLowerCase().max(254),
  password: z
    .string()
    .min(1, 'must not be empty.')
    .max(1024, 'must be at most 1024 characters long.'),
})
