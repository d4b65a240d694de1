/** The sound and the desktop notification of a new alarm: the only door to both. */
import type { AlarmHead, Severity } from '@trunkline/contract/alarms/open-alarms.schema'

/** Beeps, each a higher tone for what is worse. */
const SOUNDS: Readonly<Record<Severity, { hertz: number; beeps: number }>> = {
  critical: { hertz: 880, beeps: 3 },
  major: { hertz: 660, beeps: 2 },
  warning: { hertz: 520, beeps: 1 },
}
const BEEP_S = 0.16
const GAP_S = 0.12
const LOUDNESS = 0.12

let audio: AudioContext | null = null

/** Silent where the browser has no sound, or wants a click first. */
export function playAlarm(severity: Severity): void {
  if (typeof AudioContext === 'undefined') return
  audio ??= new AudioContext()
  void audio.resume()
  const { hertz, beeps } = SOUNDS[severity]
  for (let beep = 0; beep < beeps; beep++) {
    const atS = audio.currentTime + beep * (BEEP_S + GAP_S)
    const [tone, volume] = [audio.createOscillator(), audio.createGain()]
    tone.frequency.value = hertz
    volume.gain.value = LOUDNESS
    tone.connect(volume).connect(audio.destination)
    tone.start(atS)
    tone.stop(atS + BEEP_S)
  }
}

/** Asks the person when the browser does not know yet. */
export async function mayNotify(): Promise<boolean> {
  if (typeof Notification === 'undefined') return false
  return (await Notification.requestPermission()) === 'granted'
}

/** Of several tabs with the same alarm the browser shows one. */
export function notifyDesktop({ id, sentence }: AlarmHead, title: string): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  const notification = new Notification(title, {
    body: sentence,
    tag: id,
    requireInteraction: true,
  })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
  })
}
