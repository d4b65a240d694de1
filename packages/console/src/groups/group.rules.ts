/** The form of a group: its values, and what is wrong with them. */
import {
  DESCRIPTION_REQUIRED,
  GroupDraft,
  MANAGER_REQUIRED,
  TITLE_REQUIRED,
  type Group,
} from '@trunkline/contract/groups/group.schema'
import { fieldFaults } from '../forms/field-faults.rules.ts'

export interface GroupValues {
  title: string
  description: string
  /** A user id; '' for none. */
  manager: string
}

export const GROUP_LABELS = {
  title: 'Title',
  description: 'Description',
  manager: 'Group admin',
} as const satisfies Record<keyof GroupValues, string>

/** GRP-05 to GRP-07: an empty field says its own text, letter for letter. */
const REQUIRED: Record<keyof GroupValues, string> = {
  title: TITLE_REQUIRED,
  description: DESCRIPTION_REQUIRED,
  manager: MANAGER_REQUIRED,
}

export function valuesOf(group: Group | null): GroupValues {
  if (group === null) return { title: '', description: '', manager: '' }
  const { title, description, manager } = group
  // GRP-09: who has become something else cannot lead the group any longer.
  return { title, description, manager: manager?.mode.name === 'manager' ? manager._id : '' }
}

export function emptyFields(values: GroupValues): readonly (keyof GroupValues)[] {
  const names = ['title', 'description', 'manager'] as const
  return names.filter((name) => values[name].trim() === '')
}

export function checkGroup(values: GroupValues): Partial<Record<keyof GroupValues, string>> {
  const faults = fieldFaults(GroupDraft, values, GROUP_LABELS)
  for (const name of emptyFields(values)) faults[name] = REQUIRED[name]
  return faults
}

/** GRP-02: the first of them is the manager. */
export function managerName(group: Group): string {
  return group.userInfo[0]?.fullName ?? ''
}
