/** The command palette: any object, action or page, by typing. The arrows move, Enter chooses, Esc closes. */
import {
  type ComponentType,
  useId,
  useLayoutEffect,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import type { Later } from '../../lib/later.ts'
import { takeTypedAhead } from '../../lib/shortcuts.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import classes from './CommandPalette.module.css'
import type { ShowDialog } from './ActionOptions.tsx'
import type { LineOf } from './Option.tsx'
import { usePaletteLines, type LineGroup } from './palette-lines.hook.tsx'
import { FIELD, KEYS_HINT, PLACEHOLDER, TITLE } from './palette.messages.ts'
import type { ShellDialog } from './PlaceOptions.tsx'

interface CommandPaletteProps {
  onClose: () => void
  onShow: (dialog: ShellDialog) => void
  onDialog: (dialogOf: (onClose: () => void) => ReactNode) => void
}

/** As long as the API's search takes. */
const LONGEST = 200

export function CommandPalette({ onClose, onShow, onDialog }: CommandPaletteProps) {
  const id = useId()
  const [text, setText] = useState('')
  // Kept by what it is for: lines that come and go meanwhile do not move it to something else.
  const [movedTo, setMovedTo] = useState('')
  const showDialog: ShowDialog = (part, props) => onDialog(dialogOf(part, props))
  const { groups, note, isSearching, look } = usePaletteLines(text, {
    onShow,
    onDialog: showDialog,
  })
  // As state: the dialog draws its content later than this.
  const [list, setList] = useState<HTMLElement | null>(null)
  const lines = useLines(list)
  const marked = lines.includes(movedTo) ? movedTo : (lines[0] ?? '')
  const idOf = (key: string) => `${id}-${key.replaceAll(/\s/g, '-')}`
  const lineOf: LineOf = (key) => {
    const line = idOf(key)
    return { id: line, isMarked: line === marked, onClose }
  }
  const move = (step: 1 | -1) => {
    const at = lines.indexOf(marked) + step
    setMovedTo(lines[(at + lines.length) % lines.length] ?? '')
  }
  const type = (value: string) => {
    setText(value)
    setMovedTo('')
    look(value)
  }
  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => document.getElementById(marked)?.click(),
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
          aria-expanded={lines.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={marked === '' ? undefined : marked}
          aria-busy={isSearching || undefined}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          maxLength={LONGEST}
          placeholder={PLACEHOLDER}
          value={text}
          onChange={({ target: { value } }) => type(value)}
          onFocus={() => {
            const ahead = takeTypedAhead()
            if (ahead !== '') type(`${text}${ahead}`.slice(0, LONGEST))
          }}
          onKeyDown={hear}
        />
      </div>
      <div
        ref={setList}
        id={`${id}-list`}
        role="listbox"
        aria-label={TITLE}
        className={classes.list}
      >
        {groups.map((group) => (
          <Group key={group.title} group={group} headId={idOf(group.title)} lineOf={lineOf} />
        ))}
      </div>
      <div className={classes.note}>
        <span role="status">{note}</span>
        {note === '' && (
          <span className={classes.keys} aria-hidden="true">
            {KEYS_HINT}
          </span>
        )}
      </div>
    </Dialog>
  )
}

/** The ids of the lines as they are drawn: what an object offers comes and goes by itself. */
function useLines(shown: HTMLElement | null): readonly string[] {
  const [ids, setIds] = useState<readonly string[]>([])
  useLayoutEffect(() => {
    if (shown === null) return
    const read = () => {
      const now = [...shown.querySelectorAll('[role=option]')].map((line) => line.id)
      setIds((before) => (before.join(' ') === now.join(' ') ? before : now))
    }
    read()
    const observer = new MutationObserver(read)
    observer.observe(shown, { childList: true, subtree: true, attributeFilter: ['id'] })
    return () => observer.disconnect()
  }, [shown])
  return ids
}

interface GroupProps {
  group: LineGroup
  headId: string
  lineOf: LineOf
}

function Group({ group: { title, lines }, headId, lineOf }: GroupProps) {
  return (
    <div role="group" aria-labelledby={headId} className={classes.group}>
      <div id={headId} role="presentation" className={classes.head}>
        {title}
      </div>
      {lines.map(({ key, draw }) => (
        <div key={key} role="presentation">
          {draw(lineOf)}
        </div>
      ))}
    </div>
  )
}

function dialogOf<P extends { onClose: () => void }>(
  part: Later<ComponentType<P>>,
  props: Omit<P, 'onClose'>,
) {
  return (onClose: () => void) => <LaterDialog part={part} props={{ ...props, onClose } as P} />
}
