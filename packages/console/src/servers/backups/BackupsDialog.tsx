/** The backups that were made, when the next one is due, and one at once. */
import { useQuery } from '@tanstack/react-query'
import type { BackupRecord, BackupState } from '@trunkline/contract/backups/backup.schema'
import { QueryContent } from '../../shared/page/QueryContent.tsx'
import { useSortedRows } from '../../shared/list/sorted-rows.hook.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Band } from '../../ui/notice/Notice.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { type Column, PlainHead } from '../../ui/table/Table.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import * as text from './backup.messages.ts'
import { backupsQuery, useMakeBackup } from './backup.queries.ts'
import classes from './BackupsDialog.module.css'

export function BackupsDialog({ onClose }: { onClose: () => void }) {
  const answer = useQuery(backupsQuery)
  const { isBusy, make } = useMakeBackup()
  return (
    <Dialog
      title={text.BACKUPS}
      width={720}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button size={36} onClick={onClose}>
            Close
          </Button>
          <Button
            size={36}
            tone="primary"
            disabledReason={isBusy ? '' : busyReason(answer.data)}
            onClick={() => void make()}
          >
            Back up now
          </Button>
        </>
      }
    >
      <QueryContent
        answer={answer}
        failedText={text.READ_FAILED}
        waiting={<Skeleton kind="row" count={4} height={36} />}
      >
        {(state) => <Content state={state} />}
      </QueryContent>
    </Dialog>
  )
}

function busyReason(data: BackupState | undefined): string | null {
  const isMade = data?.backups.some(({ endedAt }) => endedAt === null) ?? false
  return isMade ? 'A backup is being made.' : null
}

function Content({ state }: { state: BackupState }) {
  const { backups, isOnSameDisk } = state
  return (
    <div className={classes.content}>
      {isOnSameDisk && (
        <Band family="warn" shape="triangle">
          {text.SAME_DISK}
        </Band>
      )}
      <p className={classes.schedule}>{text.scheduleText(state)}</p>
      {backups.length === 0 ? <p>{text.NONE_YET}</p> : <List state={state} />}
      <p className={classes.quiet}>{text.SECRET_APART}</p>
    </div>
  )
}

const COLUMNS: readonly Column[] = [
  { head: 'Begun', sort: 'begun' },
  { head: 'Why', sort: 'why' },
  { head: 'Result', sort: 'size' },
]
const SORTED = {
  table: 'backups',
  values: {
    begun: ({ begunAt }: BackupRecord) => Date.parse(begunAt),
    why: ({ reason }: BackupRecord) => text.REASON_TEXTS[reason],
    /** Those that were not made stand last. */
    size: ({ bytes }: BackupRecord) => bytes,
  },
} as const

function List({ state: { backups, folder } }: { state: BackupState }) {
  const { sorting, sorted } = useSortedRows(SORTED)
  return (
    <table className={classes.list} aria-label={text.BACKUPS}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <PlainHead key={column.head} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody aria-live="polite">
        {sorted(backups).map((backup) => (
          <tr key={backup.id}>
            <th scope="row">{text.momentText(backup.begunAt)}</th>
            <td className={classes.why}>{text.REASON_TEXTS[backup.reason]}</td>
            <td>
              <Result backup={backup} folder={folder} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Result({ backup, folder }: { backup: BackupRecord; folder: string }) {
  const { bytes, endedAt, file, machine } = backup
  return (
    <>
      <span className={classes.result}>
        {bytes === null && endedAt !== null && <Shape shape="triangle" family="warn" size={14} />}
        {text.resultText(backup)}
      </span>
      {bytes !== null && (
        <span className={classes.file}>
          {text.placeText(file, folder)} on {machine}
        </span>
      )}
    </>
  )
}
