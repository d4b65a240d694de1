/** Shows the schedules of the object that lib/on-air.ts asks for; the dialog is loaded when it first opens. */
import { closeOnAir, useOnAirQuestion } from '../lib/on-air.ts'
import { LaterDialog } from '../shared/page/Later.tsx'
import { SCHEDULES_DIALOG } from './schedules.loader.ts'

export function ScheduleQuestions() {
  const asking = useOnAirQuestion()
  if (asking?.is !== 'schedules') return null
  const { object } = asking
  return <LaterDialog part={SCHEDULES_DIALOG} props={{ object, onClose: closeOnAir }} />
}
