/** Whether a figure that is read again and again grows: a straight line through it, and how sure it is. */
import { round, type Goal } from './figure.ts'

export interface Point {
  atMinutes: number
  value: number
}

export interface Trend {
  first: number
  last: number
  /** Of the line in the middle of the time. */
  level: number
  perMinute: number
  /** Standard error of `perMinute`: what the scatter of the readings alone makes of it. */
  perMinuteError: number
}

/** Least squares. Fewer than three readings have no trend. */
export function trendOf(points: readonly Point[]): Trend {
  const count = points.length
  const meanAt = points.reduce((sum, { atMinutes }) => sum + atMinutes, 0) / count
  const level = points.reduce((sum, { value }) => sum + value, 0) / count
  const spread = points.reduce((sum, { atMinutes }) => sum + (atMinutes - meanAt) ** 2, 0)
  const shared = points.reduce(
    (sum, { atMinutes, value }) => sum + (atMinutes - meanAt) * (value - level),
    0,
  )
  const slope = shared / spread
  const rest = points.reduce(
    (sum, { atMinutes, value }) => sum + (value - level - slope * (atMinutes - meanAt)) ** 2,
    0,
  )
  return {
    first: points[0]?.value ?? Number.NaN,
    last: points.at(-1)?.value ?? Number.NaN,
    level: round(level),
    perMinute: slope,
    perMinuteError: Math.sqrt(rest / (count - 2) / spread),
  }
}

/** So many standard errors below the slope are still believed to be chance. */
const CHANCE = 2

/**
 * Growth over `forMinutes` in percent of the level, as far as it is more than the scatter of the
 * readings: what is left after two standard errors must be below the margin.
 */
export function growthGoal(
  name: string,
  { level, perMinute, perMinuteError }: Trend,
  forMinutes: number,
  marginPercent: number,
): Goal {
  const certain = Math.max(0, perMinute - CHANCE * perMinuteError)
  const percent = (certain * forMinutes * 100) / level
  return {
    name: `growth of ${name} in ${forMinutes} minutes`,
    want: `< ${marginPercent} %`,
    got: round(percent),
    ok: percent < marginPercent,
  }
}
