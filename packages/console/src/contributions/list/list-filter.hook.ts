/** Which part of a list is asked for: search, filters with their delay, page and rows per page. */
import { useEffect, useState } from 'react'
import { useRole, useSession } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { seesAllGroups, startingGroup } from '../../shared/choices/first-group.rules.ts'
import { usePaging } from '../../shared/list/paging.hook.ts'

/** CONST-04; 0 is all. */
export const PAGE_SIZES = [12, 24, 36, 50, 75, 0] as const
/** CON-IN-42: the last change within it wins. */
export const FILTER_DELAY_MS = 1100
const PAGING = { sizes: PAGE_SIZES, rowsEntry: storage.rowsPerPage }

export type InputFilter = ReturnType<typeof useInputFilter>

export function useInputFilter() {
  const role = useRole()
  const ownGroupIds = useSession()?.user.groups.map((group) => group._id) ?? []
  const paging = usePaging(PAGING)
  const [groupId, setGroupId] = useState(() =>
    startingGroup({ role, ownGroupIds, remembered: storage.groupId.read() }),
  )
  const [serverId, setServerId] = useState(() => storage.serverId.read() ?? '')
  const [applied] = useDelayed(`${groupId} ${serverId}`, FILTER_DELAY_MS)
  const [appliedGroupId = '', appliedServerId = ''] = applied.split(' ')
  return {
    ...paging,
    groupId,
    serverId,
    hasAllGroups: seesAllGroups(role),
    list: {
      page: paging.page,
      rowsPerPage: paging.rowsPerPage,
      searchValue: paging.search,
      groupId: appliedGroupId,
      serverId: appliedServerId,
    },
    setGroupId: (id: string) => {
      storage.groupId.write(id)
      setGroupId(id)
      paging.setPage(0)
    },
    setServerId: (id: string) => {
      storage.serverId.write(id)
      setServerId(id)
      paging.setPage(0)
    },
  }
}

export type OutputFilter = ReturnType<typeof useOutputFilter>

export function useOutputFilter() {
  const paging = usePaging(PAGING)
  const [inputId, setInputId] = useState(() => storage.outputFilterInputId.read() ?? '')
  const [destinationId, setDestinationId] = useState(
    () => storage.outputFilterDestinationId.read() ?? '',
  )
  const [applied, applyNow] = useDelayed(`${inputId} ${destinationId}`, FILTER_DELAY_MS)
  const [appliedInputId = '', appliedDestinationId = ''] = applied.split(' ')
  const change = (next: { inputId: string; destinationId: string }) => {
    storage.outputFilterInputId.write(next.inputId)
    storage.outputFilterDestinationId.write(next.destinationId)
    setInputId(next.inputId)
    setDestinationId(next.destinationId)
    paging.setPage(0)
  }
  return {
    ...paging,
    inputId,
    destinationId,
    list: {
      page: paging.page,
      rowsPerPage: paging.rowsPerPage,
      searchValue: paging.search,
      contributionId: appliedInputId,
      destinationId: appliedDestinationId,
    },
    setInputId: (id: string) => change({ inputId: id, destinationId }),
    setDestinationId: (id: string) => change({ inputId, destinationId: id }),
    /** CON-IN-34: what was asked for from elsewhere is shown at once, and nothing else narrows it. */
    showOnly: (only: { inputId: string } | { destinationId: string }) => {
      const next = { inputId: '', destinationId: '', ...only }
      paging.clearSearch()
      change(next)
      applyNow(`${next.inputId} ${next.destinationId}`)
    },
  }
}

export function useDestinationFilter() {
  const paging = usePaging(PAGING)
  const { page, rowsPerPage, search: searchValue } = paging
  return { ...paging, list: { page, rowsPerPage, searchValue } }
}

export type DestinationFilter = ReturnType<typeof useDestinationFilter>

/** The value as it was once it stood still for that long; the first one counts at once. */
function useDelayed(value: string, delayMs: number) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (value === settled) return
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, settled, delayMs])
  return [settled, setSettled] as const
}
