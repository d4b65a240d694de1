/** The choices of a list that is narrowed to certain states, and the order in which it then stands. */
import { FAMILIES, needsAttention, type Family } from './state-view.rules.ts'

export const SHOWS = ['all', 'attention', 'well', 'off'] as const
export type Show = (typeof SHOWS)[number]

export function isShown(show: Show, family: Family): boolean {
  switch (show) {
    case 'all':
      return true
    case 'attention':
      return needsAttention(family)
    case 'well':
      return family === 'ok' || family === 'move'
    case 'off':
      return family === 'off'
  }
}

/** How many are shown, out of the counts of each state. */
export function shownCount(show: Show, families: Readonly<Record<Family, number>>): number {
  return FAMILIES.reduce((sum, family) => sum + (isShown(show, family) ? families[family] : 0), 0)
}

export function noFamilies(): Record<Family, number> {
  return { bad: 0, blind: 0, warn: 0, move: 0, off: 0, ok: 0 }
}
