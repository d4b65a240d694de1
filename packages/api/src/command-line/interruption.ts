/** What the command line says of what would interrupt something on air. */
import { isTitle } from '@trunkline/contract/on-air/on-air.rules'
import type { OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'

/** `titles`: what may be interrupted. '' where that is all of it, or nothing is on air. */
export function interruptionSentence(
  refusals: readonly OnAirRefusal[],
  titles: readonly string[],
): string {
  if (refusals.some(({ hidden }) => hidden > 0)) {
    return 'This interrupts something on air that this token may not see. Nothing was changed. Ask an admin.'
  }
  const wanted = refusals.flatMap(({ effects }) => effects.map(({ title }) => title))
  const missing = [...new Set(wanted)].filter(
    (title) => !titles.some((each) => isTitle(each, title)),
  )
  if (missing.length === 0) return ''
  const options = missing.map((title) => `--interrupt-on-air ${quoted(title)}`).join(' ')
  return `This interrupts what is on air. Nothing was changed. To interrupt it, add: ${options}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
