/** Of which roles sign-in requires a second factor: nobody of them has a session without one (ADR 0070). */
import { z } from 'zod'
import { ROLES } from '../roles.ts'
import { route } from '../route.ts'
import { Version } from '../text.schema.ts'
import { success } from '../reply.schema.ts'

export const RequiredFactor = z.object({
  /** In the order of the roles; empty: nobody has to have one. */
  roles: z.array(z.enum(ROLES)),
  version: z.number(),
})
export type RequiredFactor = z.infer<typeof RequiredFactor>

const reply = success({ data: RequiredFactor })

export const readRequiredFactor = route({
  name: 'users.requiredFactor',
  method: 'GET',
  path: '/api/users/secondFactorRoles',
  action: 'requireSecondFactor',
  reply,
})

/** Counts from the next sign-in of each person; sessions and API tokens go on. */
export const saveRequiredFactor = route({
  name: 'users.requireFactor',
  method: 'PUT',
  path: '/api/users/secondFactorRoles',
  action: 'requireSecondFactor',
  body: z.strictObject({ roles: z.array(z.enum(ROLES)).max(ROLES.length), version: Version }),
  reply,
})
