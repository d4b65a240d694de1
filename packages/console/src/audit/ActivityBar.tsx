/** Above the lines: in which order and which time they stand, the days looked at, what is new. */
import { Button } from '../ui/button/Button.tsx'
import type { ActivityFilter } from './activity-filter.hook.ts'
import { FROM_AFTER_TO, newLinesText } from './activity.messages.ts'
import classes from './ActivityBar.module.css'
import { ZONE_WORD } from '../lib/locale/time-zone.ts'

interface ActivityBarProps {
  filter: ActivityFilter
  newCount: number
  onShowNew: () => void
}

export function ActivityBar({ filter, newCount, onShowNew }: ActivityBarProps) {
  return (
    <div className={classes.bar}>
      {filter.period.kind === 'days' ? (
        <Days filter={filter} />
      ) : (
        <span className={classes.note}>Newest first. Times in {ZONE_WORD}.</span>
      )}
      {newCount > 0 && (
        <Button size={28} icon="up" className={classes.fresh} onClick={onShowNew}>
          {newLinesText(newCount)}
        </Button>
      )}
    </div>
  )
}

function Days({ filter: { period, setDays } }: { filter: ActivityFilter }) {
  const { fromDay, toDay } = period
  const isTurned = fromDay !== '' && toDay !== '' && fromDay > toDay
  return (
    <>
      <Day label="From" value={fromDay} onChange={(from) => setDays({ from })} />
      <Day label="To" value={toDay} onChange={(to) => setDays({ to })} />
      <span className={classes.note} role={isTurned ? 'alert' : undefined} data-bad={isTurned}>
        {isTurned ? FROM_AFTER_TO : `Whole days, ${ZONE_WORD}.`}
      </span>
    </>
  )
}

interface DayProps {
  label: string
  value: string
  onChange: (day: string) => void
}

function Day({ label, value, onChange }: DayProps) {
  return (
    <label className={classes.day}>
      <span>{label}</span>
      <input type="date" value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  )
}
