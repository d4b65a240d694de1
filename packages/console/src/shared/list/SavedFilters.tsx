/** The filters of a list that somebody has saved, with the sorting that goes with them. */
import { useState } from 'react'
import { later } from '../../lib/later.ts'
import { Menu } from '../../ui/button/Menu.tsx'
import { LaterDialog } from '../page/Later.tsx'
import type { Paging } from './paging.hook.ts'

const DIALOG = later(
  'saved filters',
  async () => (await import('./SavedFiltersDialog.tsx')).SavedFiltersDialog,
)

const READ_AGAIN = 'The saved filters could not be read. Retry'

export function SavedFilters({ paging }: { paging: Paging }) {
  const [isOpen, setOpen] = useState(false)
  const saved = paging.saved ?? []
  return (
    <>
      <Menu
        label="Saved filters"
        caption="Filters"
        groups={[
          paging.readAgain === null
            ? []
            : [{ label: READ_AGAIN, icon: 'refresh', tone: 'plain', does: paging.readAgain }],
          saved.map(({ name, values }) => ({
            label: name,
            icon: 'filter' as const,
            tone: 'plain' as const,
            does: () => paging.applySaved(values),
          })),
          [
            {
              label: saved.length === 0 ? 'Save this filter…' : 'Save, rename or delete…',
              icon: 'pencil',
              tone: 'plain',
              does: () => setOpen(true),
            },
          ],
        ]}
        disabledReason={null}
      />
      {isOpen && (
        <LaterDialog
          part={DIALOG}
          props={{
            saved,
            present: paging.shown,
            onChange: paging.setSaved,
            onClose: () => setOpen(false),
          }}
        />
      )}
    </>
  )
}
