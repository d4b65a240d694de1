/** The keys of the console, as far as they do something on the page that is open. */
import { useState } from 'react'
import { useOpenAlarms } from '../lib/live/live-hooks.ts'
import { BUTTON_KEYS } from '../lib/row-keys.ts'
import { areSingleKeysOn, hasShortcut, JUMP_KEY } from '../lib/shortcuts.ts'
import { storage } from '../lib/storage.ts'
import { Button } from '../ui/button/Button.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Kbd } from '../ui/hint/Kbd.tsx'
import classes from './KeysDialog.module.css'

interface Key {
  keys: string
  does: string
  /** Whether it does anything on the page behind this list. */
  works: () => boolean
}

const ALWAYS = () => true

function hears(key: string) {
  return () => hasShortcut(key)
}

function shows(selector: string) {
  return () => document.querySelector(`#main :is(${selector})`) !== null
}

/** Of a button in a row or card. */
function hasButton(name: keyof typeof BUTTON_KEYS) {
  return shows(`[aria-keyshortcuts='${BUTTON_KEYS[name]}']`)
}

const KEYS: readonly Key[] = [
  { keys: '1 to 7', does: 'Open a tab by its number', works: ALWAYS },
  { keys: JUMP_KEY, does: 'Jump to an object, an action or a page', works: hears(JUMP_KEY) },
  { keys: '/', does: 'Search on this page', works: hears('/') },
  { keys: 'j k', does: 'Next and previous row or card', works: hears('j') },
  { keys: '[ ]', does: 'Previous and next page of the list', works: hears('[') },
  { keys: 'Alt 1 2 3', does: 'Open a tab of this page', works: shows('[role=tab]') },
  { keys: 'n', does: 'Add', works: hears('n') },
  {
    keys: 'space',
    does: 'Select the row; with Shift all rows from the last selected row',
    works: shows('[data-row-focus][type=checkbox]'),
  },
  { keys: '← →', does: 'Close and open the row', works: shows('[aria-keyshortcuts^=Arrow]') },
  { keys: 's', does: 'Start the focused row or card; asks first', works: hasButton('start') },
  { keys: 'Shift S', does: 'Stop it; asks first', works: hasButton('stop') },
  { keys: 'Shift R', does: 'Restart it; asks first', works: hasButton('restart') },
  { keys: 'l', does: 'Open its log', works: hasButton('log') },
  { keys: 'F2', does: 'Rename the row', works: shows('[aria-keyshortcuts=F2]') },
  {
    keys: 'm f',
    does: 'Sound of a tile, full screen; Shift ← → moves the tile',
    works: hears('f'),
  },
  { keys: 'r', does: 'Read this page again', works: hears('r') },
  { keys: '?', does: 'Show this list', works: ALWAYS },
  {
    keys: 'Esc',
    does: 'Close a dialog, clear the search or the selection',
    works: ALWAYS,
  },
]

const ALARM_KEYS: Key = {
  keys: 'a m',
  does: 'Acknowledge and mute the worst alarm, or the focused row of Alarms',
  works: ALWAYS,
}

/** Looked for once: the page behind the list does nothing meanwhile. */
function useKeysOfPage(): readonly Key[] {
  const [keys] = useState(() => KEYS.filter(({ works }) => works()))
  const hasAlarm = (useOpenAlarms()?.worst ?? null) !== null
  // On the wall m is the sound of a tile.
  return hasAlarm && !hasShortcut('f') ? [...keys, ALARM_KEYS] : keys
}

/** The keys that do something on this page, and the switch that turns single keys off (WCAG 2.1.4). */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [areOn, setOn] = useState(areSingleKeysOn)
  const keysOfPage = useKeysOfPage()
  return (
    <Dialog
      title="Keys"
      width={440}
      isOpen
      onClose={onClose}
      footer={
        <Button
          size={36}
          data-autofocus
          aria-pressed={areOn}
          onClick={() => {
            storage.singleKeys.write(!areOn)
            setOn(!areOn)
          }}
        >
          {areOn ? 'Switch single keys off' : 'Switch single keys on'}
        </Button>
      }
    >
      <dl className={classes.keys}>
        {keysOfPage.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <Kbd>{keys}</Kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
