/** Beside the title of the servers: when the site was last backed up; opens the list of backups. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePreload } from '../../lib/later.ts'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { BACKUPS_DIALOG } from './backup.loader.ts'
import { BACKUPS, markText } from './backup.messages.ts'
import { backupsQuery } from './backup.queries.ts'

const PARTS = [BACKUPS_DIALOG]

export function BackupMark() {
  const { data } = useQuery(backupsQuery)
  const [isOpen, setOpen] = useState(false)
  usePreload(data !== undefined, PARTS)
  const last = data?.backups[0]
  const hasFailed = last !== undefined && last.endedAt !== null && last.bytes === null
  return (
    <>
      <Button tone="quiet" onClick={() => setOpen(true)}>
        {hasFailed && <Shape shape="triangle" family="warn" size={14} />}
        {data === undefined ? BACKUPS : <Words last={last} />}
      </Button>
      {isOpen && <LaterDialog part={BACKUPS_DIALOG} props={{ onClose: () => setOpen(false) }} />}
    </>
  )
}

/** Apart, as its age ticks. */
function Words({ last }: { last: Parameters<typeof markText>[0] }) {
  return markText(last, useApiNow())
}
