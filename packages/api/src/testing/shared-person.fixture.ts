/** An editor of North and of South, and encoders of both groups to assign people to. */
import { addEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { addGroupUser } from '@trunkline/contract/groups/group.calls'
import { FAKE_KEY } from './fake-host.ts'
import type { TestSite } from './test-site.ts'

/** northEditor, who joins South as well; answers the id. */
export async function makeSharedEditor(site: TestSite): Promise<string> {
  const userId = site.people.northEditor.id
  await site.call('admin', addGroupUser, { params: { groupId: site.south }, body: { userId } })
  return userId
}

/** An encoder without a configuration. */
export async function addEncoderOf(
  site: TestSite,
  groupId: string,
  users: readonly string[],
): Promise<string> {
  const { answer } = await site.call('admin', addEncoder, {
    body: {
      title: `Camera of ${groupId}`,
      ip: '127.0.0.1',
      port: site.encoderHost.port,
      groupId,
      apiKey: FAKE_KEY,
    },
  })
  await site.call('admin', updateEncoder, { body: { _id: answer.data.id, users: [...users] } })
  return answer.data.id
}

/** Who is assigned to it, and its version. */
export async function editorsOf(site: TestSite, encoderId: string) {
  const { db } = site.ctx
  const pairs = await db
    .selectFrom('encoder_users')
    .select('user_id')
    .where('encoder_id', '=', encoderId)
    .orderBy('user_id')
    .execute()
  const { version } = await db
    .selectFrom('encoders')
    .select('version')
    .where('id', '=', encoderId)
    .executeTakeFirstOrThrow()
  return { users: pairs.map((pair) => pair.user_id), version }
}
