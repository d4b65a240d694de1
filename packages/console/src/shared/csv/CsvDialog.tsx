/** Writes a list to a CSV file; reads one, shows what each row will do, and sends it once that is confirmed. */
import type { CsvKind } from '@trunkline/contract/as-text/csv-columns.rules'
import { controlFor } from '@trunkline/contract/role-table'
import { useRef, useState } from 'react'
import { useRole } from '../../lib/session.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog, Lead } from '../../ui/dialog/Dialog.tsx'
import type { EnrolledObject } from '../enrolment/enrolment.actions.ts'
import { EnrolHosts } from '../enrolment/EnrolHosts.tsx'
import { PageGuard } from '../page/PageGuard.tsx'
import classes from './CsvDialog.module.css'
import { type Import, isSaved, useCsvExport, useCsvImport } from './csv-import.hook.ts'
import { CsvPreview, countsOf } from './CsvPreview.tsx'
import { encodersOnNewHosts, IMPORT_RIGHTS } from './csv-plan.rules.ts'
import * as text from './csv.messages.ts'
import { LOCALE } from '../../lib/locale/language.ts'

interface CsvDialogProps {
  kind: CsvKind
  onClose: () => void
}

export function CsvDialog({ kind, onClose }: CsvDialogProps) {
  const mayImport = controlFor(useRole(), IMPORT_RIGHTS[kind]) === 'usable'
  const csv = useCsvImport(kind)
  const { state } = csv
  const [enrolled, setEnrolled] = useState<readonly EnrolledObject[]>([])
  if (enrolled.length > 0) return <EnrolHosts objects={enrolled} onClose={() => setEnrolled([])} />
  const isWide = state.is !== 'choosing' && state.is !== 'reading'
  return (
    <Dialog
      title={text.dialogTitle(kind)}
      {...('name' in state ? { subtitle: state.name } : {})}
      width={isWide ? 1264 : 560}
      isOpen
      // By Escape or a click beside it too the outcome of what was sent is shown first; who will not wait closes it again.
      onClose={state.is === 'sending' && !csv.isStopping ? csv.stop : onClose}
      footer={<Footer kind={kind} csv={csv} onEnrol={setEnrolled} onClose={onClose} />}
    >
      {state.is === 'sending' && <PageGuard mayLeave={stopInstead(csv)} />}
      {isWide ? (
        <CsvPreview kind={kind} rows={state.rows} isSent={state.is !== 'shown'} />
      ) : (
        <div className={classes.parts}>
          <ExportPart kind={kind} />
          {mayImport && (
            <ImportPart kind={kind} state={state} onFile={(file) => void csv.read(file)} />
          )}
        </div>
      )}
    </Dialog>
  )
}

/** As Escape: the outcome of what was sent is shown first. */
function stopInstead({ isStopping, stop }: ReturnType<typeof useCsvImport>) {
  return () => {
    stop()
    return isStopping
  }
}

function ExportPart({ kind }: { kind: CsvKind }) {
  const { isBusy, save } = useCsvExport(kind)
  return (
    <section className={classes.part} aria-labelledby="csv-export">
      <h3 id="csv-export">Export</h3>
      <Lead>{text.exportLead(kind)}</Lead>
      <Button size={36} disabledReason={isBusy ? '' : null} onClick={() => void save()}>
        {isBusy ? 'Reading…' : 'Save CSV file'}
      </Button>
    </section>
  )
}

interface ImportPartProps {
  kind: CsvKind
  state: Import
  onFile: (file: File) => void
}

function ImportPart({ kind, state, onFile }: ImportPartProps) {
  const input = useRef<HTMLInputElement>(null)
  const isReading = state.is === 'reading'
  return (
    <section className={classes.part} aria-labelledby="csv-import">
      <h3 id="csv-import">Import</h3>
      <Lead>{text.importLead(kind)}</Lead>
      <Button
        size={36}
        disabledReason={isReading ? '' : null}
        onClick={() => input.current?.click()}
      >
        {isReading ? 'Reading…' : 'Choose CSV file'}
      </Button>
      <input
        ref={input}
        className={classes.file}
        type="file"
        accept=".csv,text/csv"
        tabIndex={-1}
        aria-label="CSV file"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // The same file, corrected, can be chosen again.
          currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      {state.is === 'choosing' && state.fault !== '' && (
        <p className={classes.fault} role="alert">
          {state.fault}
        </p>
      )}
    </section>
  )
}

interface FooterProps {
  kind: CsvKind
  csv: ReturnType<typeof useCsvImport>
  onEnrol: (objects: readonly EnrolledObject[]) => void
  onClose: () => void
}

function Footer({ kind, csv, onEnrol, onClose }: FooterProps) {
  const { state } = csv
  if (state.is === 'sending') {
    return (
      <>
        <Progress kind={kind} state={state} />
        <Button size={36} disabledReason={csv.isStopping ? '' : null} onClick={csv.stop}>
          {csv.isStopping ? 'Stopping…' : 'Stop'}
        </Button>
      </>
    )
  }
  if (state.is === 'shown') return <SendFooter kind={kind} csv={csv} rows={state.rows} />
  return (
    <>
      {state.is === 'sent' && (
        <Button size={36} onClick={csv.again}>
          Choose another file
        </Button>
      )}
      {state.is === 'sent' && <EnrolButton state={state} onEnrol={onEnrol} />}
      <Button size={36} onClick={onClose}>
        {state.is === 'sent' ? 'Done' : 'Close'}
      </Button>
    </>
  )
}

/** Of encoders on new hosts: until these are enrolled, their keys cross the network in clear. */
function EnrolButton({
  state: { rows, site },
  onEnrol,
}: Pick<FooterProps, 'onEnrol'> & { state: Extract<Import, { is: 'shown' | 'sent' }> }) {
  const saved = rows.filter(({ outcome }) => isSaved(outcome))
  const objects = encodersOnNewHosts(saved, site)
  if (objects.length === 0) return null
  return (
    <Button size={36} tone="primary" onClick={() => onEnrol(objects)}>
      {text.enrolText(objects.length)}
    </Button>
  )
}

function SendFooter({ kind, csv, rows }: Pick<FooterProps, 'kind' | 'csv'> & Rows) {
  const { add, change, fail } = countsOf(rows)
  const label =
    fail === 0
      ? `Save ${text.countText(add + change, kind)}`
      : `Save ${(add + change).toLocaleString(LOCALE)} without errors`
  return (
    <>
      <Button size={36} onClick={csv.again}>
        Choose another file
      </Button>
      <Button
        size={36}
        tone="primary"
        disabledReason={add + change === 0 ? text.NOTHING_TO_SEND : null}
        onClick={() => void csv.send()}
      >
        {label}
      </Button>
    </>
  )
}

interface Rows {
  rows: Extract<Import, { rows: unknown }>['rows']
}

function Progress({ kind, state }: { kind: CsvKind; state: Extract<Import, { is: 'sending' }> }) {
  const { add, change, done } = countsOf(state.rows)
  const all = add + change
  return (
    <span className={classes.progress} role="status">
      <progress aria-label="Rows sent" max={all} value={done} />
      {done.toLocaleString(LOCALE)} of {text.countText(all, kind)}
      {state.leftMs !== null && <span>{text.leftText(state.leftMs)}</span>}
    </span>
  )
}
