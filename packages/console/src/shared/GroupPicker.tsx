/** The group filter of a page. '' stands for all groups. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '../lib/session.ts'
import { Select } from '../ui/Select.tsx'
import { groupsQuery } from './group.queries.ts'

interface GroupPickerProps {
  value: string
  onChange: (groupId: string) => void
  /** Q48: admin-level may see all groups at once, everybody else picks among their own. */
  hasAll: boolean
}

export function GroupPicker({ value, onChange, hasAll }: GroupPickerProps) {
  const session = useSession()
  const { data, isFetching } = useQuery(groupsQuery())
  // Until the list is there, the groups of the signed-in user stand in for it.
  const groups = data ?? session?.user.groups ?? []
  const isKnown = value === '' || groups.some((group) => group._id === value)
  // A group that is deleted, or left by this user, would stand for an empty list without a name.
  const isGone = data !== undefined && !isFetching && !isKnown
  const start = hasAll ? '' : (groups[0]?._id ?? '')
  useEffect(() => {
    if (isGone) onChange(start)
  }, [isGone, start, onChange])
  return (
    <Select
      label="Group"
      isLabelShown
      choices={[
        ...(hasAll || groups.length === 0 ? [{ value: '', label: 'All groups' }] : []),
        ...groups.map((group) => ({ value: group._id, label: group.title })),
        ...(isKnown ? [] : [{ value, label: UNREAD }]),
      ]}
      value={value}
      onChange={onChange}
    />
  )
}

/** Shown for the moment between a remembered filter and the list that names it. */
const UNREAD = '…'
