/** The group filter of a page. '' stands for all groups. */
import { useEffect } from 'react'
import { Select } from '../../ui/choice/Select.tsx'
import { useGroupChoices } from './group.queries.ts'

interface GroupPickerProps {
  value: string
  onChange: (groupId: string) => void
  /** Q48: admin-level may see all groups at once, everybody else picks among their own. */
  hasAll: boolean
}

export function GroupPicker({ value, onChange, hasAll }: GroupPickerProps) {
  // A group that is deleted, or left by this user, would stand for an empty list without a name.
  const { rows: groups, isGone, more, onType, total } = useGroupChoices(value)
  const isKnown = value === '' || groups.some((group) => group._id === value)
  const start = hasAll ? '' : (groups[0]?._id ?? '')
  useEffect(() => {
    if (isGone) onChange(start)
  }, [isGone, start, onChange])
  return (
    <Select
      label="Group"
      isLabelShown
      choices={[
        ...(hasAll || total === 0 ? [{ value: '', label: 'All groups' }] : []),
        ...groups.map((group) => ({ value: group._id, label: group.title })),
        ...(isKnown ? [] : [{ value, label: UNREAD }]),
      ]}
      more={more}
      onType={onType}
      value={value}
      onChange={onChange}
    />
  )
}

/** Shown for the moment between a remembered filter and the answer that names it. */
const UNREAD = '…'
