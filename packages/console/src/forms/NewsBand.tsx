/** decisions.md 16: what somebody else saved while this form was open, field by field, and whose stands. */
import { Button } from '../ui/button/Button.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import classes from './NewsBand.module.css'
import { AS_THEIRS, THEY_CLASH, THEY_SAVED_ONLY } from './unsaved.messages.ts'

interface NewsRow {
  name: string
  label: string
  was: string
  theirs: string
  mine: string
  /** Both changed it, each in another way. */
  isClash: boolean
}

interface NewsBandProps {
  /** 'Somebody else has saved this encoder since you opened it.' */
  title: string
  /** None: nothing is shown. */
  lines: readonly NewsRow[]
  onTakeTheirs: () => void
  onKeepMine: () => void
}

export function NewsBand({ title, lines, onTakeTheirs, onKeepMine }: NewsBandProps) {
  if (lines.length === 0) return null
  const isClash = lines.some((line) => line.isClash)
  return (
    <div className={classes.news} role="alert">
      <div className={classes.say}>
        <Shape shape="triangle" family="warn" size={16} />
        <span>
          <b>{title}</b> {isClash ? THEY_CLASH : THEY_SAVED_ONLY}
        </span>
        {isClash ? (
          <span className={classes.choices}>
            <Button size={28} onClick={onTakeTheirs}>
              Take theirs
            </Button>
            <Button size={28} onClick={onKeepMine}>
              Keep mine
            </Button>
          </span>
        ) : (
          <Button size={28} onClick={onKeepMine}>
            Understood
          </Button>
        )}
      </div>
      <NewsTable lines={lines} isClash={isClash} />
    </div>
  )
}

function NewsTable({ lines, isClash }: { lines: readonly NewsRow[]; isClash: boolean }) {
  return (
    // Focusable, because a region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.scroll} role="region" aria-label="What they changed" tabIndex={0}>
      <table aria-label="What they changed">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">Theirs</th>
            {isClash && <th scope="col">Mine</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.name} data-clash={line.isClash || undefined}>
              <th scope="row">{line.label}</th>
              <td>{line.was}</td>
              <td>{line.theirs}</td>
              {isClash && <td>{line.isClash ? line.mine : AS_THEIRS}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
