/** Calls the person: title and icon of the tab while something is unacknowledged, sound and notification once for each. */
import type { AlarmHead, OpenAlarms } from '@trunkline/contract/alarms/open-alarms.schema'
import { useEffect } from 'react'
import { showTabAlarm } from '../lib/page-title.ts'
import { storage } from '../lib/storage.ts'
import { ruleTitle, titleOf } from './alarm-view.rules.ts'
import { notifyDesktop, playAlarm } from './alarm-call.ts'
import { SEVERITY_WORDS, unacknowledgedCount } from './alarm.messages.ts'

export function useAlarmCaller(alarms: OpenAlarms | null): void {
  const count = alarms === null ? 0 : unacknowledgedCount(alarms)
  const severity = alarms?.worst?.severity ?? null
  useEffect(() => {
    showTabAlarm(count, severity)
    return () => showTabAlarm(0, null)
  }, [count, severity])
  const worst = alarms?.worst ?? null
  const id = worst?.id ?? ''
  useEffect(() => {
    if (worst !== null) announce(worst)
    // Once for each alarm, however its sentence or its count changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id])
}

/** A longer list of what has called already tells nothing of alarms that are still open. */
const ANNOUNCED_KEPT = 100

/** By one tab of the browser, and not again after a reload, nor when what was worse is over. */
function announce(alarm: AlarmHead): void {
  const announced = storage.announcedAlarms.read() ?? []
  if (announced.includes(alarm.id)) return
  storage.announcedAlarms.write([alarm.id, ...announced].slice(0, ANNOUNCED_KEPT))
  if (storage.alarmSound.read() === true) playAlarm(alarm.severity)
  if (storage.alarmDesktop.read() === true) {
    const severity = SEVERITY_WORDS[alarm.severity]
    notifyDesktop(alarm, `${severity}: ${titleOf(alarm)}, ${ruleTitle(alarm)}`)
  }
}
