/** In the menu of a row: puts it on air or takes it off, and opens what it does at which time. */
import { ON_AIR_RIGHTS } from '@trunkline/contract/on-air/on-air.rules'
import { mayDo } from '@trunkline/contract/role-table'
import { useOnAir } from '../../lib/live/live-hooks.ts'
import { editOnAir, editSchedules, type OnAirObject } from '../../lib/on-air.ts'
import { useRole } from '../../lib/session.ts'
import type { MenuAction } from '../../ui/button/Menu.tsx'

/** None for who may not command the object. */
export function useOnAirActions(object: OnAirObject): readonly MenuAction[] {
  const mark = useOnAir(object.kind, object.id)
  if (!mayDo(useRole(), ON_AIR_RIGHTS[object.kind])) return []
  const label = mark === null ? 'Put on air…' : 'On air…'
  const tone = 'plain'
  return [
    { label, icon: 'lock', tone, does: () => editOnAir(object) },
    { label: 'Schedules…', icon: 'history', tone, does: () => editSchedules(object) },
  ]
}
