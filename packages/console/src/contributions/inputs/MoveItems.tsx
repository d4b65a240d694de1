/** One line per input that goes to another server: what will happen, where it stands, or how it ended. */
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { Shape } from '../../ui/symbol/Shape.tsx'
import classes from './ChangeServerDialog.module.css'
import { RESULT_WORDS } from './server-change.messages.ts'
import type { Result } from './server-change.rules.ts'

interface MoveItem {
  input: Input
  /** Null before anything was done. */
  result: Result | null
  sentences: readonly string[]
}

const SHAPES = {
  moved: { shape: 'disc', family: 'ok' },
  failed: { shape: 'octagon', family: 'bad' },
  moving: { shape: 'arc', family: 'move' },
} as const

export function MoveItems({ label, items }: { label: string; items: readonly MoveItem[] }) {
  return (
    // A long list scrolls by itself, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className={classes.items} aria-label={label} tabIndex={0}>
      {items.map(({ input, result, sentences }) => (
        <li key={input._id}>
          <div className={classes.head}>
            {result !== null && <Shape {...SHAPES[result]} />}
            <b>{input.title}</b>
            {result !== null && <span className={classes.word}>{RESULT_WORDS[result]}</span>}
          </div>
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </li>
      ))}
    </ul>
  )
}
