/** The dialogs about things on air, loaded together when the first of them opens. */
import { OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'
import type { useOnAirQuestion } from '../../lib/on-air.ts'
import { InterruptionDialog } from './InterruptionDialog.tsx'
import { SpanDialog } from './SpanDialog.tsx'

interface OnAirDialogsProps {
  asking: Exclude<NonNullable<ReturnType<typeof useOnAirQuestion>>, { is: 'schedules' }>
  onClose: () => void
}

/** An API that says more than this console knows is taken at its word: nothing can be confirmed. */
const UNKNOWN_REFUSAL: OnAirRefusal = { effects: [], more: 0, hidden: 1, mayOverride: false }

export function OnAirDialogs({ asking, onClose }: OnAirDialogsProps) {
  if (asking.is === 'span') {
    const { kind, id } = asking.object
    return <SpanDialog key={`${kind} ${id}`} object={asking.object} onClose={onClose} />
  }
  const refusal = OnAirRefusal.safeParse(asking.refusal).data ?? UNKNOWN_REFUSAL
  return <InterruptionDialog {...asking} refusal={refusal} onClose={onClose} />
}
