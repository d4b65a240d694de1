/** Around charts that share their steps: each step is reached by keyboard, and read aloud. */
import type { KeyboardEvent, ReactNode } from 'react'
import classes from './HistoryChart.module.css'

interface ChartSliderProps {
  /** The step that is shown, of 0 to `last`. */
  index: number
  last: number
  /** What it has. */
  text: string
  onKeyDown: (event: KeyboardEvent) => void
  children: ReactNode
}

export function ChartSlider({ index, last, text, onKeyDown, children }: ChartSliderProps) {
  return (
    <>
      <div
        className={classes.charts}
        role="slider"
        tabIndex={0}
        aria-label="Moment"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index}
        aria-valuetext={text}
        onKeyDown={onKeyDown}
      >
        {children}
      </div>
      <p className={classes.point}>{text}</p>
    </>
  )
}
