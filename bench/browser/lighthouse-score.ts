/**
 * Lighthouse's score of a desktop, from 0 to 1, from its weights and curves (version 12). Its Speed
 * Index takes pictures of the page; here the moment at which the page is useful stands for it, which is
 * never earlier.
 */
import type { PageLoad } from './page-load.ts'

interface Curve {
  weight: number
  /** Where the score is 0.9, and where 0.5. */
  good: number
  median: number
}

const CURVES: readonly (Curve & { of: (load: PageLoad) => number })[] = [
  { weight: 0.1, good: 934, median: 1600, of: ({ firstPaintMs }) => firstPaintMs },
  { weight: 0.1, good: 1311, median: 2300, of: ({ usefulMs }) => usefulMs },
  { weight: 0.25, good: 1200, median: 2400, of: ({ largestPaintMs }) => largestPaintMs },
  { weight: 0.3, good: 150, median: 350, of: ({ blockedMs }) => blockedMs },
  { weight: 0.25, good: 0.1, median: 0.25, of: ({ layoutShift }) => layoutShift },
]
/** Of the normal distribution, whose share above it is 0.9. */
const TENTH = -1.2815515655446004

export function desktopScore(load: PageLoad): number {
  return CURVES.reduce((sum, { weight, of, ...curve }) => {
    return sum + weight * scoreOf(of(load), curve)
  }, 0)
}

/** The share of a log-normal distribution that is above `value`. */
function scoreOf(value: number, { good, median }: Omit<Curve, 'weight'>): number {
  if (value <= 0) return 1
  const spread = Math.log(good / median) / TENTH
  return 1 - normalShare(Math.log(value / median) / spread)
}

/** Of the normal distribution below `x`; by Abramowitz and Stegun 7.1.26, to 1.5e-7. */
function normalShare(x: number): number {
  const z = Math.abs(x) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * z)
  const polynomial =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  const error = 1 - polynomial * Math.exp(-z * z)
  return x >= 0 ? (1 + error) / 2 : (1 - error) / 2
}
