/** Whether another input or output of a group has a title already. */
import type { Db } from '../db/open.ts'

interface Wanted {
  /** Of the one that is to have it. */
  id: string
  groupId: string
  title: string
}

export async function isInputTitleTaken(db: Db, { id, groupId, title }: Wanted): Promise<boolean> {
  const other = await db
    .selectFrom('inputs')
    .select('id')
    .where('group_id', '=', groupId)
    .where('title', '=', title)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** An output is of its input's group. */
export async function isOutputTitleTaken(db: Db, { id, groupId, title }: Wanted): Promise<boolean> {
  const other = await db
    .selectFrom('outputs')
    .innerJoin('inputs', 'inputs.id', 'outputs.input_id')
    .select('outputs.id as id')
    .where('inputs.group_id', '=', groupId)
    .where('outputs.title', '=', title)
    .where('outputs.id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}
