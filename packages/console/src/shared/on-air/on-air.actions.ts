/** In the menu of a row: opens the dialog that puts it on air or takes it off. */
import { ON_AIR_RIGHTS } from '@trunkline/contract/on-air/on-air.rules'
import { mayDo } from '@trunkline/contract/role-table'
import { useOnAir } from '../../lib/live/live-hooks.ts'
import { editOnAir, type OnAirObject } from '../../lib/on-air.ts'
import { useRole } from '../../lib/session.ts'
import type { MenuAction } from '../../ui/button/Menu.tsx'

/** None for who may not command the object. */
export function useOnAirAction(object: OnAirObject): readonly MenuAction[] {
  const mark = useOnAir(object.kind, object.id)
  if (!mayDo(useRole(), ON_AIR_RIGHTS[object.kind])) return []
  const label = mark === null ? 'Put on air…' : 'On air…'
  return [{ label, icon: 'lock', tone: 'plain', does: () => editOnAir(object) }]
}
