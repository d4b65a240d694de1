/** The name of a row while it is changed: Enter saves, Escape leaves it as it was. */
import { useEffect, useId, useRef, useState } from 'react'
import { sentenceFor } from '../../lib/api-error.ts'
import { useKeptValues } from '../../shared/kept/kept-values.hook.ts'
import { IconButton } from '../../ui/button/Button.tsx'
import { titleNow, useRename } from '../contribution.actions.ts'
import { FIELD_REQUIRED, type ObjectWord, RENAME_FAILED } from '../contribution.messages.ts'
import classes from './RenameCell.module.css'

interface RenameCellProps {
  kind: ObjectWord
  id: string
  title: string
  onClose: () => void
}

/** As the contract has it (Title). */
const LONGEST = 120

export function RenameCell({ kind, id, title, onClose }: RenameCellProps) {
  const rename = useRename({ kind, id })
  // The row goes on: its name may be another by now.
  const [seen, setSeen] = useState(title)
  const input = useRef<HTMLInputElement>(null)
  const helpId = useId()
  const [{ title: text }, keep] = useKeptValues(['row-title', kind, id], { title })
  const [error, setError] = useState('')
  const [isPending, setPending] = useState(false)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const close = () => {
    // The field goes, and the focus must not go to nowhere.
    input.current?.closest('tr')?.querySelector<HTMLElement>('[data-row-focus]')?.focus()
    onClose()
  }
  const save = async () => {
    const wanted = text.trim()
    if (isPending) return
    if (wanted === title) {
      close()
    } else if (wanted === '') {
      setError(FIELD_REQUIRED)
    } else {
      setPending(true)
      try {
        await rename(wanted, seen)
        close()
      } catch (reason) {
        setPending(false)
        setSeen(titleNow(reason) ?? seen)
        setError(sentenceFor(reason, RENAME_FAILED))
        input.current?.focus()
      }
    }
  }
  return (
    <div className={classes.rename}>
      <div className={classes.box} data-bad={error !== '' || undefined}>
        <input
          ref={input}
          aria-label={`New name of ${title}`}
          aria-invalid={error !== '' || undefined}
          aria-describedby={helpId}
          autoComplete="off"
          spellCheck={false}
          maxLength={LONGEST}
          readOnly={isPending}
          value={text}
          onChange={(event) => {
            keep({ title: event.target.value })
            setError('')
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void save()
            if (event.key === 'Escape') close()
          }}
        />
        <IconButton
          icon="check"
          label={`Save the name of ${title}`}
          tone="quiet"
          size={28}
          disabledReason={isPending ? '' : null}
          onClick={() => void save()}
        />
        <IconButton
          icon="close"
          label={`Keep the name ${title}`}
          tone="quiet"
          size={28}
          onClick={close}
        />
      </div>
      <p id={helpId} className={classes.help} role="alert">
        {error}
      </p>
    </div>
  )
}
