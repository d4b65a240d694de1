import { z } from 'zod'
import { ById } from '../by-id.ts'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import { success } from '../reply.schema.ts'

/** One sign-in of somebody, as they or who may change them see it. */
export const UserSession = z.object({
  id: z.string(),
  /** The one that asks. */
  isCurrent: z.boolean(),
  /** ISO, like the next one. */
  signedInAt: z.string(),
  /** To within five minutes. */
  usedAt: z.string(),
  /** Where it was used last. */
  address: z.string(),
  /** 'Firefox (Linux)'; '' when the client does not say. */
  device: z.string(),
})
export type UserSession = z.infer<typeof UserSession>

/** Oneself; of others those whom the caller may change. The last used first. */
export const listUserSessions = route({
  name: 'users.listSessions',
  method: 'GET',
  path: '/api/users/getSessions/:id',
  action: 'endOwnSession',
  params: ById,
  reply: success({ data: z.array(UserSession) }),
})

/** Its token is refused and its live streams end at once; the person's other sessions go on. */
export const endUserSession = route({
  name: 'users.endSession',
  method: 'DELETE',
  path: '/api/users/endSession/:id/:sessionId',
  action: 'endOwnSession',
  params: z.object({ id: Id, sessionId: Id }),
  reply: success({}),
})
