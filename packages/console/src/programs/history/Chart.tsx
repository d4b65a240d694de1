/**
 * Lines over time on a canvas: the one place that knows uPlot. Heavy, so it is loaded when the first
 * chart is opened (ChartPlace.tsx). Charts of one `group` share their cursor.
 */
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import classes from './Chart.module.css'
import { clockDayText, clockTimeText } from '../../shared/format.ts'
import { TIME_ZONE } from '../../lib/locale/time-zone.ts'

export interface ChartLine {
  /** One for each time; null is a gap, and no line is drawn across it. */
  values: readonly (number | null)[]
  /** A token of ui/tokens.css; null for the edge of a band, which is not drawn itself. */
  color: string | null
  isDashed?: boolean
}

export interface ChartProps {
  /** Charts with the same one point at the same time. */
  group: string
  /** Milliseconds since 1970. */
  atMs: readonly number[]
  lines: readonly ChartLine[]
  /** Filled between the first two lines, the upper one first. */
  hasBand: boolean
  /** Pointed at; null for none. */
  at: number | null
  onPoint: (index: number | null) => void
}

const HEIGHT = 132

export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot | null>(null)
  const newest = useRef(props)
  const scheme = useComputedColorScheme('dark')
  const { at, atMs, lines } = props

  useEffect(() => {
    newest.current = props
  })

  useEffect(() => {
    const element = place.current
    if (element === null) return
    const made = new UPlot(optionsOf(element, newest), dataOf(newest.current), element)
    plot.current = made
    const watch = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: HEIGHT }),
    )
    watch.observe(element)
    return () => {
      watch.disconnect()
      made.destroy()
      plot.current = null
    }
    // Colours are drawn in, so another theme is another drawing.
  }, [scheme])

  useEffect(() => {
    plot.current?.setData(dataOf({ atMs, lines }))
  }, [atMs, lines])

  useEffect(() => {
    const made = plot.current
    if (made === null || made.cursor.idx === at) return
    const left = at === null ? -10 : made.valToPos((atMs[at] ?? 0) / 1000, 'x')
    made.setCursor({ left, top: at === null ? -10 : 0 }, false)
  }, [at, atMs])

  return <div ref={place} className={classes.chart} style={{ height: HEIGHT }} aria-hidden="true" />
}

function dataOf({ atMs, lines }: Pick<ChartProps, 'atMs' | 'lines'>): UPlot.AlignedData {
  return [atMs.map((at) => at / 1000), ...lines.map(({ values }) => [...values])]
}

function optionsOf(element: HTMLElement, newest: { current: ChartProps }): UPlot.Options {
  const style = getComputedStyle(element)
  const colorOf = (token: string) => style.getPropertyValue(token).trim()
  const axis = axisOf(colorOf, style.getPropertyValue('--sans'))
  const { group, lines, hasBand } = newest.current
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    tzDate: (atS) => UPlot.tzDate(new Date(atS * 1000), TIME_ZONE),
    cursor: {
      sync: { key: group },
      drag: { x: false, y: false },
      y: false,
      points: { size: 5 },
    },
    scales: {
      x: { time: true },
      y: { range: (_, __, most) => [0, Math.max(1, (most || 0) * 1.15)] },
    },
    axes: [
      { ...axis, size: 24, space: 48, incrs: MARKS_EVERY_S, values: timesOf },
      { ...axis, size: 48, space: 28 },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, colorOf))],
    bands: hasBand ? [{ series: [1, 2], fill: `${colorOf('--text-2')}59` }] : [],
    hooks: {
      setCursor: [(made) => newest.current.onPoint(made.cursor.idx ?? null)],
    },
  }
}

const DAY_S = 86_400
/** Whole minutes to days: a mark is shown as `14:02`, a day as `27 Nov`. */
const MARKS_EVERY_S = [60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, DAY_S]

function timesOf(_plot: UPlot, atS: number[], _axis: number, _space: number, everyS: number) {
  return atS.map((at) =>
    everyS >= DAY_S ? clockDayText(at * 1000) : clockTimeText(at * 1000).slice(0, 5),
  )
}

function axisOf(colorOf: (token: string) => string, font: string): UPlot.Axis {
  return {
    stroke: colorOf('--text-3'),
    font: `11px ${font}`,
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
  }
}

/** Between two gaps there is no line: a step alone is drawn as a point. */
function isolatedSteps(plot: UPlot, series: number): number[] | null {
  const values = plot.data[series] ?? []
  const isGap = (at: number) => (values[at] ?? null) === null
  const isolated = [...values.keys()].filter((at) => !isGap(at) && isGap(at - 1) && isGap(at + 1))
  return isolated.length === 0 ? null : isolated
}

function seriesOf(
  { color, isDashed = false }: ChartLine,
  colorOf: (token: string) => string,
): UPlot.Series {
  if (color === null) return { width: 0, points: { show: false } }
  return {
    stroke: colorOf(color),
    width: 1.4,
    spanGaps: false,
    points: { filter: isolatedSteps },
    ...(isDashed ? { dash: [4, 3] } : {}),
  }
}
