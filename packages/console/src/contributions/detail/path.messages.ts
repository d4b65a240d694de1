/** What is said of the paths of one link; read by its detail alone, which is loaded later. */
import { LOCALE } from '../../lib/locale/language.ts'

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

/** 'first'; of the paths in the order of the settings, 0 for the first. */
export function pathName(index: number): string {
  return `${ORDINALS[index] ?? `${index + 1}th`}`
}

export const BOTH_CARRY = 'Both paths carry the stream.'
export const ALL_CARRY = 'All paths carry the stream.'
export const NONE_CARRIES = 'No path carries the stream: the far end is silent on all of them.'

/** The `alone` one is the only one that lives; null when several do. */
export function silentPathText(silent: number, alone: number | null): string {
  const first = `The ${pathName(silent)} path is silent`
  return alone === null
    ? `${first}: the others carry the stream.`
    : `${first}: the ${pathName(alone)} carries the stream alone.`
}

export function unansweredPathText(index: number): string {
  return `The ${pathName(index)} path has not answered yet.`
}

/** Packets that came on one path alone, by the path; those with none left out. */
export function savedPathText(saved: readonly { index: number; packets: number }[]): string {
  const parts = saved.map(({ index, packets }, at) => {
    const count = packets.toLocaleString(LOCALE)
    const noun = packets === 1 ? 'packet' : 'packets'
    return at === 0
      ? `The ${pathName(index)} path recovered ${count} ${noun}`
      : `the ${pathName(index)} ${count}`
  })
  return `${parts.join(', ')}.`
}
