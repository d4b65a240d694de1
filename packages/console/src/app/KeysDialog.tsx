/** The keys of the console. */
import { useState } from 'react'
import { areSingleKeysOn } from '../lib/shortcuts.ts'
import { storage } from '../lib/storage.ts'
import { Button } from '../ui/button/Button.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Kbd } from '../ui/hint/Kbd.tsx'
import classes from './KeysDialog.module.css'

const KEYS: readonly { keys: string; does: string }[] = [
  { keys: '1 to 7', does: 'Open a tab by its number' },
  { keys: '/', does: 'Search on this page' },
  { keys: 'j k', does: 'Next and previous row, or card on the dashboard' },
  { keys: 'n', does: 'Add, on Dashboard, Servers, Groups, Access, Encoders and Contributions' },
  {
    keys: 'space',
    does: 'Select a row of Contributions; with Shift all rows from the last selected row',
  },
  { keys: '← →', does: 'Close and open a row' },
  { keys: 'F2', does: 'Rename a row of Contributions' },
  { keys: 'a m', does: 'Acknowledge and mute the worst alarm, or the focused row of Alarms' },
  { keys: 'm f', does: 'Sound of a tile, full screen, on the wall; Shift ← → moves the tile' },
  { keys: 'r', does: 'Read this page again' },
  { keys: '?', does: 'Show this list' },
  { keys: 'Esc', does: 'Close a dialog, clear the search or the selection' },
]

/** The list of keys, and the switch that turns single keys off (WCAG 2.1.4). */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [areOn, setOn] = useState(areSingleKeysOn)
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
        {KEYS.map(({ keys, does }) => (
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
