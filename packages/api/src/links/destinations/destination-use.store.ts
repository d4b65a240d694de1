/** Which outputs refer to a destination, and which only call its address. */
import { idList } from '../../db/id-list.ts'
import type { Db } from '../../db/open.ts'
import type { GroupScope } from '../../security/actor.ts'
import { callsOut, hostIn } from '../outputs/output-host.store.ts'

export interface DestinationUse {
  outputs: number
  /** Of its address, referring to no destination. */
  linkable: number
}

/** One reading for any number of destinations. */
export async function count(
  db: Db,
  scope: GroupScope,
): Promise<(destination: { id: string; ip: string }) => DestinationUse> {
  let wanted = db
    .selectFrom('outputs')
    .select(['outputs.destination_id as destinationId', 'outputs.search'])
    .where(callsOut())
  if (scope !== 'all') {
    wanted = wanted
      .innerJoin('inputs', 'inputs.id', 'outputs.input_id')
      .where('inputs.group_id', 'in', idList(scope))
  }
  const outputs = await wanted.execute()
  const referring = Map.groupBy(outputs, (output) => output.destinationId)
  const byHost = Map.groupBy(referring.get(null) ?? [], (output) => hostIn(output.search))
  return ({ id, ip }) => ({
    outputs: referring.get(id)?.length ?? 0,
    linkable: byHost.get(ip.toLowerCase())?.length ?? 0,
  })
}
