import { z } from 'zod'
import { RoleName } from '../session/session.schema.ts'
import { Description, echoed, Id, Title, Version } from '../text.schema.ts'

const Member = z.object({
  _id: z.string(),
  fullName: z.string(),
  mode: z.object({ name: RoleName }),
})

/** `userInfo` has the manager first (Q108). */
export const Group = z.object({
  _id: z.string(),
  id: z.string(),
  title: z.string(),
  description: z.string(),
  users: z.array(z.string()),
  userInfo: z.array(Member),
  manager: Member.nullable(),
  version: z.number(),
})
export type Group = z.infer<typeof Group>

/** GRP-05 to GRP-07: the form's own sentences. */
export const TITLE_REQUIRED = 'Title is required'
export const DESCRIPTION_REQUIRED = 'Description is required'
export const MANAGER_REQUIRED = 'Select a manager'

const GroupDescription = Description.refine((text) => text.trim() !== '', DESCRIPTION_REQUIRED)
/** User id; the user's role must be manager. */
const Manager = z.union([Id, z.literal('')]).refine((id) => id !== '', MANAGER_REQUIRED)

export const GroupDraft = z.strictObject({
  title: Title,
  description: GroupDescription,
  manager: Manager,
})
export type GroupDraft = z.output<typeof GroupDraft>

/** As groups are read, with the manager whole; null, as one without, leaves it as it is. */
function managerId(value: unknown): unknown {
  if (value === null) return undefined
  const { data } = z.object({ _id: z.string() }).safeParse(value)
  return data === undefined ? value : data._id
}

/**
 * What is absent stays as it is (Q109). A new manager takes the old one's place. An empty description
 * is taken where there is none yet.
 */
export const GroupEdit = z.strictObject({
  title: Title.optional(),
  description: Description.optional(),
  manager: z.preprocess(managerId, Manager.optional()),
  version: Version,
  ...echoed(['_id', 'id', 'users', 'userInfo']),
})
export type GroupEdit = z.output<typeof GroupEdit>
