import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { makeBackup, readBackups } from '@trunkline/contract/backups/backup.calls'
import { useState } from 'react'
import { sentenceFor } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { showToast } from '../../lib/toast.ts'
import { BACKUP_BEGUN, BACKUP_FAILED, BACKUPS } from './backup.messages.ts'

const LOOK_MS = 60_000
/** While one is made. */
const SOON_MS = 1000

export const backupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: async ({ signal }) => (await call(readBackups, { signal })).data,
  refetchInterval: ({ state: { data } }) =>
    data?.backups.some(({ endedAt }) => endedAt === null) === true ? SOON_MS : LOOK_MS,
})

export function useMakeBackup() {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      await call(makeBackup, {})
      showToast('success', BACKUP_BEGUN, BACKUPS)
    } catch (error) {
      showToast('failure', sentenceFor(error, BACKUP_FAILED), BACKUPS)
    } finally {
      await client.invalidateQueries(backupsQuery)
      setBusy(false)
    }
  }
  return { isBusy, make }
}
