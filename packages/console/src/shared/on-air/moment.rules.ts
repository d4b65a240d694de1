/** Between a moment and what a field of date and time holds, by the clock of this browser. Pure. */

/** '2026-11-27T18:00'. */
export function fieldOfMoment(ms: number): string {
  const at = new Date(ms)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Null for an empty field, or for what is no moment. */
export function isoOfField(text: string): string | null {
  const at = new Date(text)
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}
