/** The form of a new API token: its values, what is wrong with them, and what of it is sent. Pure. */
import { isAdminLevel } from '@trunkline/contract/roles'
import {
  ApiTokenDraft,
  ServiceTokenDraft,
  type ServiceRole,
} from '@trunkline/contract/users/api-token.schema'
import type { TokenScope } from '@trunkline/contract/users/token-scope.rules'
import { fieldFaults } from '../forms/field-faults.rules.ts'
import type { Sentences } from '../forms/form.hook.ts'

export interface TokenValues {
  title: string
  /** Of oneself, or of a service with a role and groups of its own. */
  owner: 'self' | 'service'
  scope: TokenScope
  role: ServiceRole
  groupIds: string[]
  days: string
  currentPassword: string
}

export const EMPTY_TOKEN: TokenValues = {
  title: '',
  owner: 'self',
  scope: 'read',
  role: 'monitor',
  groupIds: [],
  days: '90',
  currentPassword: '',
}

export const TOKEN_LABELS = {
  title: 'Title',
  owner: 'For',
  scope: 'Scope',
  role: 'Role of the service',
  groupIds: 'Groups of the service',
  days: 'Expires after (days)',
  currentPassword: 'Your current password',
} as const satisfies Record<keyof TokenValues, string>

const NO_PASSWORD = `${TOKEN_LABELS.currentPassword} must not be empty.`
const NO_GROUPS = 'Choose at least 1 group: this role sees only its groups.'

/** As the two calls take it: without a password where there is none, without groups where the role has all. */
export function draftOf({ title, scope, days, currentPassword }: TokenValues) {
  return { title, scope, days, ...(currentPassword === '' ? {} : { currentPassword }) }
}

export function serviceDraftOf(values: TokenValues) {
  const groupIds = isAdminLevel(values.role) ? [] : values.groupIds
  return { ...draftOf(values), role: values.role, groupIds }
}

/** `hasPassword`: people of the sign-in provider have none here. */
export function checkToken(values: TokenValues, hasPassword: boolean): Sentences<TokenValues> {
  const isMissing = hasPassword && values.currentPassword === ''
  const password = isMissing ? { currentPassword: NO_PASSWORD } : {}
  if (values.owner === 'self') {
    return { ...password, ...fieldFaults(ApiTokenDraft, draftOf(values), TOKEN_LABELS) }
  }
  const faults = fieldFaults(ServiceTokenDraft, serviceDraftOf(values), TOKEN_LABELS)
  const hasNoGroup = !isAdminLevel(values.role) && values.groupIds.length === 0
  return { ...password, ...(hasNoGroup ? { groupIds: NO_GROUPS } : {}), ...faults }
}
