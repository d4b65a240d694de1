/** How many outputs go to a destination: by its id, or by its address typed (Q150). */
import type { Db } from '../db/open.ts'
import type { GroupScope } from '../security/actor.ts'
import { callsOut, hostIn } from './output-host.store.ts'

/**
 * One reading for any number of destinations. The function that it answers counts each output once,
 * whether its destination was chosen or its address typed.
 */
export async function count(
  db: Db,
  scope: GroupScope,
): Promise<(destination: { id: string; ip: string }) => number> {
  let wanted = db
    .selectFrom('outputs')
    .select(['outputs.destination_id as destinationId', 'outputs.search'])
    .where(callsOut())
  if (scope !== 'all') {
    wanted = wanted
      .innerJoin('inputs', 'inputs.id', 'outputs.input_id')
      .where('inputs.group_id', 'in', scope.length > 0 ? scope : [''])
  }
  const outputs = await wanted.execute()
  const chosen = Map.groupBy(outputs, (output) => output.destinationId)
  const typed = Map.groupBy(outputs, (output) => hostIn(output.search))
  return ({ id, ip }) => {
    const others = (typed.get(ip.toLowerCase()) ?? []).filter((each) => each.destinationId !== id)
    return (chosen.get(id) ?? []).length + others.length
  }
}
