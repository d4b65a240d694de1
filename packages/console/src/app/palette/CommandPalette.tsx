/** The command palette: any object, action or page, by typing. The arrows move, Enter chooses, Esc closes. */
import { useId, useState, type KeyboardEvent } from 'react'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import classes from './CommandPalette.module.css'
import { usePaletteLines, type LineGroup } from './palette-lines.hook.tsx'
import { FIELD, KEYS_HINT, PLACEHOLDER, TITLE } from './palette.messages.ts'
import type { ShellDialog } from './PlaceOptions.tsx'

interface CommandPaletteProps {
  onClose: () => void
  onShow: (dialog: ShellDialog) => void
}

/** As long as the API's search takes. */
const LONGEST = 200

export function CommandPalette({ onClose, onShow }: CommandPaletteProps) {
  const id = useId()
  const [text, setText] = useState('')
  // Kept by what it is for: lines that come and go meanwhile do not move it to something else.
  const [movedTo, setMovedTo] = useState('')
  const { groups, firstKey, note, isSearching, look } = usePaletteLines(text, onShow)
  const keys = groups.flatMap(({ lines }) => lines.map(({ key }) => key))
  const marked = keys.includes(movedTo) ? movedTo : firstKey
  const elementId = (key: string) => `${id}-${key.replaceAll(' ', '-')}`
  const move = (step: 1 | -1) => {
    const at = keys.indexOf(marked) + step
    setMovedTo(keys[(at + keys.length) % keys.length] ?? '')
  }
  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => document.getElementById(elementId(marked))?.click(),
  }
  const hear = (event: KeyboardEvent) => {
    const step = steps[event.key]
    // Enter that ends a composed character chooses nothing.
    if (step === undefined || event.nativeEvent.isComposing) return
    event.preventDefault()
    step()
  }
  return (
    <Dialog title={TITLE} width={560} isOpen onClose={onClose} isFlush>
      <div className={classes.field}>
        <Icon name="search" size={16} />
        <input
          role="combobox"
          className={classes.input}
          aria-label={FIELD}
          aria-expanded={keys.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={marked === '' ? undefined : elementId(marked)}
          aria-busy={isSearching || undefined}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          maxLength={LONGEST}
          placeholder={PLACEHOLDER}
          value={text}
          onChange={({ target: { value } }) => {
            setText(value)
            setMovedTo('')
            look(value)
          }}
          onKeyDown={hear}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={TITLE} className={classes.list}>
        {groups.map((group) => (
          <Group
            key={group.title}
            group={group}
            marked={marked}
            elementId={elementId}
            onClose={onClose}
          />
        ))}
      </div>
      <div className={classes.note}>
        <span role="status">{note}</span>
        {note === '' && <span aria-hidden="true">{KEYS_HINT}</span>}
      </div>
    </Dialog>
  )
}

interface GroupProps {
  group: LineGroup
  marked: string
  elementId: (key: string) => string
  onClose: () => void
}

function Group({ group: { title, lines }, marked, elementId, onClose }: GroupProps) {
  const headId = elementId(title)
  return (
    <div role="group" aria-labelledby={headId}>
      <div id={headId} role="presentation" className={classes.head}>
        {title}
      </div>
      {lines.map(({ key, draw }) => (
        <div key={key} role="presentation">
          {draw({ id: elementId(key), isMarked: key === marked, onClose })}
        </div>
      ))}
    </div>
  )
}
