/** In the detail of an object: on air and schedules, as in the menu of its row; says until when it is on air. */
import { useOnAir } from '../../lib/live/live-hooks.ts'
import type { OnAirObject } from '../../lib/on-air.ts'
import { Button } from '../../ui/button/Button.tsx'
import { momentText } from './on-air.messages.ts'
import { useOnAirActions } from './on-air.actions.ts'

export function OnAirButtons({ object }: { object: OnAirObject }) {
  const mark = useOnAir(object.kind, object.id)
  const actions = useOnAirActions(object)
  // The tag beside it says already that it is on air.
  const isPlain = mark === null || (mark.isOnAir && mark.untilMs === null)
  return actions.map(({ label, icon, does }) => (
    <Button key={icon} size={28} icon={icon} aria-label={`${label} ${object.title}`} onClick={does}>
      {icon !== 'lock' || isPlain ? label : momentText(mark)}
    </Button>
  ))
}
