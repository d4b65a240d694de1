/** Which part of a list is asked for: search, filters with their delay, sorting, page and rows per page. */
import { DESTINATION_SORTS } from '@trunkline/contract/contributions/destination.calls'
import { INPUT_SORTS } from '@trunkline/contract/contributions/input.calls'
import { OUTPUT_SORTS } from '@trunkline/contract/contributions/output.calls'
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

/** `isShown`: the address is about this list, and not about another of the page. */
export function useInputFilter(isShown: boolean) {
  const role = useRole()
  const ownGroupIds = useSession()?.user.groups.map((group) => group._id) ?? []
  const paging = usePaging({
    ...PAGING,
    named: {
      list: 'inputs',
      sorts: INPUT_SORTS,
      filters: {
        group: () => startingGroup({ role, ownGroupIds, remembered: storage.groupId.read() }),
        server: () => storage.serverId.read() ?? '',
      },
      isShown,
    },
  })
  const { group: groupId, server: serverId } = paging.filters
  const [applied] = useDelayed(`${groupId} ${serverId}`)
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
      ...paging.sorted,
    },
    setGroupId: (group: string) => {
      storage.groupId.write(group)
      paging.setFilters({ group })
    },
    setServerId: (server: string) => {
      storage.serverId.write(server)
      paging.setFilters({ server })
    },
  }
}

export type OutputFilter = ReturnType<typeof useOutputFilter>

/** Which outputs: '' for all. */
export interface OutputPlace {
  input: string
  destination: string
}

export function useOutputFilter(isShown: boolean) {
  const paging = usePaging({
    ...PAGING,
    named: {
      list: 'outputs',
      sorts: OUTPUT_SORTS,
      filters: {
        input: () => storage.outputFilterInputId.read() ?? '',
        destination: () => storage.outputFilterDestinationId.read() ?? '',
      },
      isShown,
    },
  })
  const { input: inputId, destination: destinationId } = paging.filters
  const [applied, applyNow] = useDelayed(`${inputId} ${destinationId}`)
  const [appliedInputId = '', appliedDestinationId = ''] = applied.split(' ')
  const remember = ({ input, destination }: OutputPlace) => {
    storage.outputFilterInputId.write(input)
    storage.outputFilterDestinationId.write(destination)
  }
  const change = (next: OutputPlace) => {
    remember(next)
    paging.setFilters(next)
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
      ...paging.sorted,
    },
    setInputId: (input: string) => change({ input, destination: destinationId }),
    setDestinationId: (destination: string) => change({ input: inputId, destination }),
    /** CON-IN-34: what the address is about to ask for is shown at once, and is remembered. */
    expect: (next: OutputPlace) => {
      remember(next)
      applyNow(`${next.input} ${next.destination}`)
    },
  }
}

export function useDestinationFilter(isShown: boolean) {
  const paging = usePaging({
    ...PAGING,
    named: { list: 'destinations', sorts: DESTINATION_SORTS, filters: {}, isShown },
  })
  const { page, rowsPerPage, search: searchValue, sorted } = paging
  return { ...paging, list: { page, rowsPerPage, searchValue, ...sorted } }
}

export type DestinationFilter = ReturnType<typeof useDestinationFilter>

/** The value as it was once it stood still for FILTER_DELAY_MS; the first one counts at once. */
function useDelayed(value: string) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (value === settled) return
    const timer = setTimeout(() => setSettled(value), FILTER_DELAY_MS)
    return () => clearTimeout(timer)
  }, [value, settled])
  return [settled, setSettled] as const
}
