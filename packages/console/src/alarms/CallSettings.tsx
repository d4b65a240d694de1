/** How this browser calls the person: by sound, by a notification of the desktop, or not at all. */
import { useState } from 'react'
import { storage } from '../lib/storage.ts'
import { showToast } from '../lib/toast.ts'
import { IconButton } from '../ui/button/Button.tsx'
import { NO_DESKTOP } from './alarm.messages.ts'
import { mayNotify, playAlarm } from './alarm-call.ts'

export function CallSettings() {
  const [hasSound, setSound] = useState(() => storage.alarmSound.read() ?? false)
  const [hasDesktop, setDesktop] = useState(() => storage.alarmDesktop.read() ?? false)
  const toggleSound = () => {
    storage.alarmSound.write(!hasSound)
    setSound(!hasSound)
    // Also shows the browser that the person wants to hear it.
    if (!hasSound) playAlarm('warning')
  }
  const toggleDesktop = async () => {
    if (!hasDesktop && !(await mayNotify())) {
      showToast('failure', 'Notifications are blocked', NO_DESKTOP)
      return
    }
    storage.alarmDesktop.write(!hasDesktop)
    setDesktop(!hasDesktop)
  }
  return (
    <>
      <IconButton
        icon={hasSound ? 'volume' : 'muted'}
        label={hasSound ? 'Alarm sound: on' : 'Alarm sound: off'}
        aria-pressed={hasSound}
        onClick={toggleSound}
      />
      <IconButton
        icon="system"
        label={hasDesktop ? 'Desktop notifications: on' : 'Desktop notifications: off'}
        aria-pressed={hasDesktop}
        onClick={() => void toggleDesktop()}
      />
    </>
  )
}
