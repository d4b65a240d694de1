/** What a maintenance window or an override covers: a group, a server, or an object with what belongs to it. */
import type { Covered } from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import type { Db } from '../context.ts'
import { notFound } from '../errors.ts'
import type { ObjectKey } from '../fleet/object-key.ts'
import type { Place } from '../fleet/object-place.ts'
import * as groupStore from '../groups/group.store.ts'
import * as alarmStore from './alarm.store.ts'

export function coveredKey({ kind, id }: Covered): string {
  return `${kind} ${id}`
}

const OWNERS: Partial<Record<ObjectKey['kind'], 'encoder' | 'input'>> = {
  feeder: 'encoder',
  output: 'input',
}

/** By key what covers an object: itself, its encoder or input ('' for none), its server, its groups. */
export function coversOf(object: ObjectKey, { serverId, groupIds, ownerId }: Place) {
  const owner = OWNERS[object.kind]
  return {
    own: coveredKey(object),
    owner: owner === undefined ? '' : coveredKey({ kind: owner, id: ownerId }),
    server: coveredKey({ kind: 'server', id: serverId }),
    groups: groupIds.map((id) => coveredKey({ kind: 'group', id })),
  }
}

/** 404. Of other objects the place in memory says whether they are there. */
export async function assertGroupExists(db: Db, { kind, id }: Covered): Promise<void> {
  if (kind === 'group' && (await groupStore.find(db, id)) === null) throw notFound('group')
}

/** What each is called now, by its key; what was removed is left out. */
export async function titlesOfCovered(
  db: Db,
  covered: readonly Covered[],
): Promise<ReadonlyMap<string, string>> {
  const groupIds: string[] = []
  const objects: ObjectKey[] = []
  for (const { kind, id } of covered) {
    if (kind === 'group') groupIds.push(id)
    else objects.push({ kind, id })
  }
  const titles = await alarmStore.titlesOfAll(db, objects)
  for (const { id, title } of await groupStore.titlesOf(db, groupIds)) {
    titles.set(coveredKey({ kind: 'group', id }), title)
  }
  return titles
}
