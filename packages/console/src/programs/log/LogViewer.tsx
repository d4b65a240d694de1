/** Log lines as plain text: time, level, words; trouble tinted; the newest in sight while following. */
import { useEffect, useMemo, useRef } from 'react'
import { apiNowMs } from '../../lib/live/live-store.ts'
import { showToast } from '../../lib/toast.ts'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { Select } from '../../ui/choice/Select.tsx'
import {
  linesOfLevel,
  lineTimeText,
  logLinesOf,
  type LogLine,
  type ShownLevel,
} from './log-line.rules.ts'
import classes from './LogViewer.module.css'

interface LogViewerProps {
  /** Null while it is being read for the first time. */
  text: string | null
  /** Why it could not be read; '' when it could. */
  failure: string
  isFollowing: boolean
  isWrapped: boolean
  level: ShownLevel
  onLevel: (level: ShownLevel) => void
}

export function LogViewer(props: LogViewerProps) {
  const { text, failure, isFollowing, isWrapped, level } = props
  const all = useMemo(() => logLinesOf(text ?? ''), [text])
  const lines = useMemo(() => linesOfLevel(all, level), [all, level])
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = frame.current
    if (isFollowing && element !== null) element.scrollTop = element.scrollHeight
  }, [isFollowing, lines])
  return (
    <div
      className={classes.frame}
      ref={frame}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-label="Log lines"
      data-autofocus
    >
      {failure !== '' && <p className={classes.failure}>{failure}</p>}
      {text === null && <p className={classes.note}>Reading the log</p>}
      {text !== null && all.length === 0 && failure === '' && (
        <p className={classes.note}>The log is empty.</p>
      )}
      <Hidden hidden={all.length - lines.length} of={all.length} {...props} />
      <ol data-wrapped={isWrapped || undefined}>
        {lines.map((line) => (
          <LogRow key={line.number} line={line} />
        ))}
      </ol>
    </div>
  )
}

interface HiddenProps extends Pick<LogViewerProps, 'level' | 'onLevel'> {
  hidden: number
  of: number
}

/** IN-FORM-10: what the level hides is counted, and one click away. */
function Hidden({ hidden, of, level, onLevel }: HiddenProps) {
  if (hidden === 0) return null
  return (
    <p className={classes.hidden}>
      {`${hidden} of ${of} lines hidden: only ${level === 1 ? 'errors' : 'errors and warnings'} are shown.`}
      <Button size={28} onClick={() => onLevel(3)}>
        Show all lines
      </Button>
    </p>
  )
}

const FAMILY = { info: undefined, warn: 'warn', error: 'bad' } as const

function LogRow({ line }: { line: LogLine }) {
  return (
    <li data-f={FAMILY[line.level]}>
      {line.time !== '' && (
        <time className={classes.time} title={`${line.day} ${line.time} UTC`.trim()}>
          {lineTimeText(line, apiNowMs())}
        </time>
      )}
      <span className={classes.level}>{line.level}</span>
      <span className={classes.text}>{line.text}</span>
    </li>
  )
}

interface LogToolsProps {
  text: string
  isFollowing: boolean
  isWrapped: boolean
  level: ShownLevel
  onLevel: (level: ShownLevel) => void
  onFollow: (isOn: boolean) => void
  onWrap: (isOn: boolean) => void
  onRefresh: () => void
}

const LEVELS = [
  { value: 1, label: 'Errors' },
  { value: 2, label: 'Errors, warnings' },
  { value: 3, label: 'All lines' },
] as const

export function LogTools(props: LogToolsProps) {
  const { text, isFollowing, isWrapped, onFollow, onWrap, onRefresh } = props
  return (
    <>
      <Select
        label="Lines shown"
        choices={LEVELS}
        value={props.level}
        onChange={props.onLevel}
        size={28}
      />
      <Button
        size={28}
        tone="quiet"
        icon={isFollowing ? 'check' : undefined}
        aria-pressed={isFollowing}
        onClick={() => onFollow(!isFollowing)}
      >
        Follow
      </Button>
      <Button
        size={28}
        tone="quiet"
        icon={isWrapped ? 'check' : undefined}
        aria-pressed={isWrapped}
        onClick={() => onWrap(!isWrapped)}
      >
        Wrap
      </Button>
      <IconButton
        icon="refresh"
        label="Read the log again"
        size={28}
        tone="quiet"
        onClick={onRefresh}
      />
      <IconButton
        icon="copy"
        label="Copy the log"
        size={28}
        tone="quiet"
        disabledReason={text === '' ? 'There is nothing to copy.' : null}
        onClick={() => void copy(text)}
      />
    </>
  )
}

/** The clipboard is closed to pages that are not served over TLS or from this machine. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast('success', 'Log copied', '')
  } catch {
    showToast('failure', 'The browser did not allow copying. Select it and press Ctrl C.', '')
  }
}
