/** Names what a list shows now, and renames and deletes what was named before. */
import { useState } from 'react'
import {
  LONGEST_FILTER_NAME,
  MOST_SAVED_FILTERS,
  type SavedFilter,
} from '@trunkline/contract/users/list-view.schema'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { Dialog, Lead } from '../../ui/dialog/Dialog.tsx'
import { Field } from '../../ui/field/Field.tsx'
import classes from './SavedFiltersDialog.module.css'
import { checkName } from './saved-filter.rules.ts'

interface SavedFiltersDialogProps {
  saved: readonly SavedFilter[]
  /** Search, filters and sorting as the list has them now. */
  present: SavedFilter['values']
  /** Gets what is saved by then: another tab may have saved, too. */
  onChange: (change: (saved: SavedFilter[]) => SavedFilter[]) => void
  onClose: () => void
}

export function SavedFiltersDialog(props: SavedFiltersDialogProps) {
  const { saved, present, onChange, onClose } = props
  const [name, setName] = useState('')
  const [error, setError] = useState('')
  const isFull = saved.length >= MOST_SAVED_FILTERS
  const add = () => {
    const fault = checkName(name, saved, null)
    setError(fault)
    if (fault !== '') return
    const filter = { name: name.trim(), values: present }
    onChange((known) => [...known.filter((other) => other.name !== filter.name), filter])
    onClose()
  }
  return (
    <Dialog title="Saved filters" width={440} isOpen onClose={onClose}>
      <Lead>Saved with your account: search, filters and sorting of this list.</Lead>
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
          maxLength={LONGEST_FILTER_NAME}
          error={error}
          data-autofocus
          onChange={(event) => setName(event.target.value)}
        />
        <Button
          type="submit"
          tone="primary"
          size={36}
          disabledReason={isFull ? `${MOST_SAVED_FILTERS} are saved. Delete one first.` : null}
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
            onChange((known) =>
              known.map((other) => (other.name === filter.name ? { ...other, name: next } : other)),
            )
          }
          onDelete={() => onChange((known) => known.filter(({ name }) => name !== filter.name))}
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
        maxLength={LONGEST_FILTER_NAME}
        error={error}
        onChange={(event) => setName(event.target.value)}
        onBlur={rename}
      />
      <IconButton icon="bin" size={36} label={`Delete ${filter.name}`} onClick={onDelete} />
    </form>
  )
}
