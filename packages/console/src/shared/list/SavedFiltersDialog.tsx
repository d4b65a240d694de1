/** Names what a list shows now, and renames and deletes what was named before. */
import { useState } from 'react'
import type { SavedFilter } from '../../lib/storage.ts'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { Dialog, Lead } from '../../ui/dialog/Dialog.tsx'
import { Field } from '../../ui/field/Field.tsx'
import classes from './SavedFiltersDialog.module.css'
import { checkName, LONGEST_NAME, MOST_SAVED } from './saved-filter.rules.ts'

interface SavedFiltersDialogProps {
  saved: readonly SavedFilter[]
  /** Search, filters and sorting as the list has them now. */
  present: SavedFilter['values']
  onChange: (saved: readonly SavedFilter[]) => void
  onClose: () => void
}

export function SavedFiltersDialog(props: SavedFiltersDialogProps) {
  const { saved, present, onChange, onClose } = props
  const [name, setName] = useState('')
  const [error, setError] = useState('')
  const isFull = saved.length >= MOST_SAVED
  const add = () => {
    const fault = checkName(name, saved, null)
    setError(fault)
    if (fault !== '') return
    onChange([...saved, { name: name.trim(), values: present }])
    onClose()
  }
  return (
    <Dialog title="Saved filters" width={440} isOpen onClose={onClose}>
      <Lead>Saved in this browser, for you: search, filters and sorting of this list.</Lead>
      <form
        className={classes.line}
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <Field
          label="Name of what the list shows now"
          value={name}
          maxLength={LONGEST_NAME}
          error={error}
          data-autofocus
          onChange={(event) => setName(event.target.value)}
        />
        <Button
          type="submit"
          tone="primary"
          size={36}
          disabledReason={isFull ? `${MOST_SAVED} are saved. Delete one first.` : null}
        >
          Save
        </Button>
      </form>
      {saved.map((filter, at) => (
        <SavedLine
          // A name that changes must not take the focus away.
          key={`${saved.length} ${at}`}
          filter={filter}
          saved={saved}
          onRename={(next) =>
            onChange(saved.map((other) => (other === filter ? { ...filter, name: next } : other)))
          }
          onDelete={() => onChange(saved.filter((other) => other !== filter))}
        />
      ))}
    </Dialog>
  )
}

interface SavedLineProps {
  filter: SavedFilter
  saved: readonly SavedFilter[]
  onRename: (name: string) => void
  onDelete: () => void
}

/** Renamed by Enter, or by leaving the field. */
function SavedLine({ filter, saved, onRename, onDelete }: SavedLineProps) {
  const [name, setName] = useState(filter.name)
  const error = checkName(name, saved, filter)
  const rename = () => {
    if (error === '' && name.trim() !== filter.name) onRename(name.trim())
  }
  return (
    <form
      className={classes.line}
      onSubmit={(event) => {
        event.preventDefault()
        rename()
      }}
    >
      <Field
        label={`Name of ${filter.name}`}
        value={name}
        maxLength={LONGEST_NAME}
        error={error}
        onChange={(event) => setName(event.target.value)}
        onBlur={rename}
      />
      <IconButton icon="bin" size={36} label={`Delete ${filter.name}`} onClick={onDelete} />
    </form>
  )
}
