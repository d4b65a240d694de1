/** Five minutes of bitrate in a corner: zero based, gaps stay gaps, the last point carries the state. */
import type { Family } from '@trunkline/contract/fleet/state-view.rules'
import { useId } from 'react'
import { SAMPLE_EVERY_MS, SAMPLES_KEPT, type Sample } from '../../lib/live/live-store.ts'
import { numberText } from '../../shared/format.ts'
import classes from './Sparkline.module.css'
import { runsOf, scaleOf, type Point } from './sparkline.rules.ts'

const WIDTH = 140
const HEIGHT = 25
const SPAN_MS = SAMPLE_EVERY_MS * SAMPLES_KEPT

interface SparklineProps {
  samples: readonly Sample[]
  /** The right edge, API clock. */
  nowMs: number
  /** Drawn as a dashed line; null for none. */
  targetKbps: number | null
  family: Family
}

export function Sparkline({ samples, nowMs, targetKbps, family }: SparklineProps) {
  const fade = useId()
  const hatch = useId()
  const scale = scaleOf(samples, targetKbps)
  const place = (sample: Point): readonly [number, number] => [
    Math.max(0, WIDTH * (1 - (nowMs - sample.atMs) / SPAN_MS)),
    HEIGHT - 1 - (HEIGHT - 3) * (sample.kbps / scale),
  ]
  const runs = runsOf(samples.filter((sample) => nowMs - sample.atMs <= SPAN_MS))
  const last = runs.at(-1)?.at(-1)
  // A reading that is a slot late is only late; more is a gap, and shown as one.
  const silentFrom = last === undefined ? null : place(last)[0]
  const isSilent = last !== undefined && nowMs - last.atMs > 2 * SAMPLE_EVERY_MS
  return (
    <svg
      className={classes.sparkline}
      data-f={family}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={spoken(samples)}
    >
      <defs>
        <linearGradient id={fade} x1="0" y1="0" x2="0" y2="1">
          <stop stopColor="var(--text-2)" stopOpacity="0.26" />
          <stop offset="1" stopColor="var(--text-2)" stopOpacity="0.02" />
        </linearGradient>
        <pattern
          id={hatch}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <path d="M0 0V6" stroke="var(--text-3)" strokeWidth="1.6" opacity="0.35" />
        </pattern>
      </defs>
      {isSilent && silentFrom !== null && (
        <rect x={silentFrom} width={WIDTH - silentFrom} height={HEIGHT} fill={`url(#${hatch})`} />
      )}
      <path className={classes.floor} d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
      {targetKbps !== null && (
        <path
          className={classes.target}
          d={`M0 ${place({ atMs: nowMs, kbps: targetKbps })[1]}H${WIDTH}`}
        />
      )}
      {runs.map((run) => {
        const points = run.map(place)
        const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
        const [from, to] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0]
        return (
          <g key={run[0]?.atMs}>
            <path d={`M${line}L${to} ${HEIGHT}L${from} ${HEIGHT}Z`} fill={`url(#${fade})`} />
            <path className={classes.line} d={`M${line}`} />
          </g>
        )
      })}
      {last !== undefined && !isSilent && (
        // A stroke without length is a round dot, however the picture is stretched.
        <path className={classes.dot} d={`M${place(last).join(' ')}h0.01`} />
      )}
    </svg>
  )
}

function spoken(samples: readonly Sample[]): string {
  const values = samples.flatMap((sample) => (sample.kbps === null ? [] : [sample.kbps]))
  if (values.length === 0) return 'Bitrate of the last 5 minutes: no reading'
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return `Bitrate of the last 5 minutes: ${numberText(low)} to ${numberText(high)} kbit/s`
}
