/** Who calls: the account, and the API token that the call is made with. */
import { z } from 'zod'
import { success } from '../reply.schema.ts'
import { route } from '../route.ts'
import { GroupRef, RoleName } from '../session/session.schema.ts'
import { ApiToken } from './api-token.schema.ts'

const Caller = z.object({
  /** A service is an API token that belongs to no person. */
  kind: z.enum(['person', 'service']),
  id: z.string(),
  /** Of a service the title of its token. */
  fullName: z.string(),
  /** '' of a service. */
  email: z.string(),
  role: RoleName,
  /** In order of creation; superadmins and admins see all groups, whatever is listed here. */
  groups: z.array(GroupRef),
  /** Null for somebody who is signed in. */
  apiToken: ApiToken.pick({ id: true, title: true, scope: true, expiresAt: true }).nullable(),
})
export type Caller = z.infer<typeof Caller>

export const readCaller = route({
  name: 'users.me',
  method: 'GET',
  path: '/api/users/me',
  action: 'signIn',
  reply: success({ data: Caller }),
})
