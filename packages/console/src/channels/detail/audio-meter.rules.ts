/** How a level is drawn and said: a scale as on the meters of a control room. */
import { fineText } from '../../shared/format.ts'

export const SIDES = ['left', 'right'] as const
/** Below that nothing is drawn. */
export const SCALE_FLOOR_DBFS = -60
/** Samples at full scale are cut off. */
const CLIPPING_DBFS = -0.1
/** 16 bits have no less. */
const NOTHING_DBFS = -90

export function widthPercent(dbfs: number): number {
  const share = 1 - Math.min(0, dbfs) / SCALE_FLOOR_DBFS
  return Math.round(Math.max(0, share) * 100)
}

export function isClipping(dbfs: number): boolean {
  return dbfs >= CLIPPING_DBFS
}

export function levelText(dbfs: number): string {
  if (dbfs <= NOTHING_DBFS) return 'silent'
  return isClipping(dbfs) ? 'clips' : `${fineText(dbfs)} dBFS`
}
