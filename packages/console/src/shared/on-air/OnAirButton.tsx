/** In the detail of an object: puts it on air, or says until when it is and takes it off. */
import { useOnAir } from '../../lib/live/live-hooks.ts'
import type { OnAirObject } from '../../lib/on-air.ts'
import { Button } from '../../ui/button/Button.tsx'
import { momentText } from './on-air.messages.ts'
import { useOnAirAction } from './on-air.actions.ts'

export function OnAirButton({ object }: { object: OnAirObject }) {
  const mark = useOnAir(object.kind, object.id)
  const [action] = useOnAirAction(object)
  if (action === undefined) return null
  // The tag beside it says already that it is on air.
  const isPlain = mark === null || (mark.isOnAir && mark.untilMs === null)
  return (
    <Button
      size={28}
      icon="lock"
      aria-label={`${action.label} ${object.title}`}
      onClick={action.does}
    >
      {isPlain ? action.label : momentText(mark)}
    </Button>
  )
}
