/** Which templates a person may change, and what the form of a template holds. */
import {
  EncoderTemplateDraft,
  type EncoderTemplate,
} from '@trunkline/contract/encoders/template.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { isAdminLevel, type Role } from '@trunkline/contract/roles'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import { fieldFaults } from '../../forms/field-faults.rules.ts'
import { ADMINS_ONLY, ALL_GROUPS } from './template.messages.ts'

export interface TemplateValues {
  title: string
  /** '' for all groups. */
  groupId: string
}

export const TEMPLATE_LABELS = { title: 'Title', groupId: 'Group' } as const

const Named = EncoderTemplateDraft.pick({ title: true, groupId: true })

export function checkTemplate(values: TemplateValues) {
  return fieldFaults(Named, values, TEMPLATE_LABELS)
}

/** Why this person may not change it; null when they may. */
export function whyNotChange(role: Role | null, template: EncoderTemplate): string | null {
  if (template.groupId === '' && !isAdminLevel(role)) return ADMINS_ONLY
  return mayDo(role, 'editTemplates') ? null : ''
}

/** Where a new template may go; the first is proposed. */
export function groupChoices(role: Role | null, groups: readonly GroupRef[]) {
  const own = groups.map(({ _id, title }) => ({ value: _id, label: title }))
  return isAdminLevel(role) ? [{ value: '', label: ALL_GROUPS }, ...own] : own
}

export function groupOf({ groupInfo }: EncoderTemplate): string {
  return groupInfo?.title ?? ALL_GROUPS
}
