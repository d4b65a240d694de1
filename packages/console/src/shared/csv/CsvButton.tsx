/** Opens the dialog that writes a list to a CSV file, and reads one. */
import type { CsvKind } from '@trunkline/contract/as-text/csv-columns.rules'
import { useState } from 'react'
import { IconButton } from '../../ui/button/Button.tsx'
import { LaterDialog } from '../page/Later.tsx'
import { CSV_DIALOG } from './csv.loader.ts'

export function CsvButton({ kind }: { kind: CsvKind }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="move" label="Import or export CSV" onClick={() => setOpen(true)} />
      {isOpen && <LaterDialog part={CSV_DIALOG} props={{ kind, onClose: () => setOpen(false) }} />}
    </>
  )
}
