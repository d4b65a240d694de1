/** Shows what lib/on-air.ts asks; the dialogs themselves are loaded when the first of them opens. */
import { closeOnAir, useOnAirQuestion } from '../../lib/on-air.ts'
import { LaterDialog } from '../page/Later.tsx'
import { ON_AIR_DIALOGS } from './on-air-dialogs.loader.ts'

export function OnAirQuestions() {
  const asking = useOnAirQuestion()
  if (asking === null || asking.is === 'schedules') return null
  return <LaterDialog part={ON_AIR_DIALOGS} props={{ asking, onClose: closeOnAir }} />
}
