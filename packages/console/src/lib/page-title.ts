/** Title and icon of the browser's tab: what the page is called, and that something calls. */
import type { Severity } from '@trunkline/contract/alarms/open-alarms.schema'

let title = ''
let count = 0

export function setPageTitle(next: string): void {
  title = next
  show()
}

/** `count` of unacknowledged alarms, 0 for none; `severity` of the worst. */
export function showTabAlarm(next: number, severity: Severity | null): void {
  count = next
  show()
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (icon === null) return
  icon.dataset['own'] ??= icon.getAttribute('href') ?? ''
  icon.href = severity === null ? icon.dataset['own'] : ICONS[severity]
}

function show(): void {
  const text = title || document.title
  if (text !== '') document.title = count === 0 ? text : `(${count}) ${text}`
}

/** An octagon for what is critical, a triangle for the rest: not the colour alone. */
const ICONS: Readonly<Record<Severity, string>> = {
  critical: icon('M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4z', '#c9302c'),
  major: icon('M8 1.6L15 14H1z', '#d98a00'),
  warning: icon('M8 1.6L15 14H1z', '#b98f2e'),
}

function icon(path: string, colour: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="${path}" fill="${colour}"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
