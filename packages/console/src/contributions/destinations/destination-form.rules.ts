/** The form of a destination: its values, what is wrong with them, and what of it is sent. */
import {
  DestinationDraft,
  type Destination,
} from '@trunkline/contract/contributions/destination.schema'
import type { Sentences } from '../../forms/form.hook.ts'
import { ENCRYPTION, type KeyChoice } from '../../shared/link-settings/encryption.rules.ts'
import { fieldFaults } from '../../forms/field-faults.rules.ts'
import { FIELD_REQUIRED, SELECT_GROUP } from '../contribution.messages.ts'

export interface DestinationValues {
  /** '' until one is chosen; a manager chooses none. */
  groupId: string
  title: string
  ip: string
  selection: 'yes' | 'no'
  type: '128' | '256'
  /** '' keeps the stored one. */
  passphrase: string
}

export const DESTINATION_LABELS = {
  groupId: 'Group',
  title: 'Title',
  ip: 'Destination IP',
  selection: ENCRYPTION,
  type: 'Key size',
  passphrase: 'Passphrase',
} as const satisfies Record<keyof DestinationValues, string>

/** CON-DEST-07: what 'no' stands with. */
const NO_KEY = { selection: 'no', type: '128', passphrase: '' } as const

export function valuesOf(destination: Destination | null): DestinationValues {
  if (destination === null) return { groupId: '', title: '', ip: '', ...NO_KEY }
  const { groupId, title, ip, encryption } = destination
  const { selection, type } = encryption
  return { groupId, title, ip, selection, type: type === 256 ? '256' : '128', passphrase: '' }
}

/** CON-DEST-07: 'no' sets the type back to 128 and empties the passphrase. */
export function withKeyChoice(choice: KeyChoice): Partial<DestinationValues> {
  return choice === 'no' ? NO_KEY : { selection: 'yes', type: choice }
}

interface Circumstances {
  /** False for a manager, whose first group it is (CON-DEST-05). */
  picksGroup: boolean
  hasKey: boolean
}

/** CON-DEST-06, Q185. */
export function checkDestination(
  values: DestinationValues,
  { picksGroup, hasKey }: Circumstances,
): Sentences<DestinationValues> {
  const faults: Sentences<DestinationValues> = {
    ...fieldFaults(DestinationDraft, bodyOf(values, picksGroup), DESTINATION_LABELS),
    ...keyFault(values, hasKey),
  }
  if (values.title.trim() === '') faults.title = FIELD_REQUIRED
  if (values.ip.trim() === '') faults.ip = FIELD_REQUIRED
  if (picksGroup && values.groupId === '') faults.groupId = SELECT_GROUP
  return faults
}

function keyFault(values: DestinationValues, hasKey: boolean): Sentences<DestinationValues> {
  if (values.selection === 'no') return {}
  if (values.passphrase === '') return hasKey ? {} : { passphrase: FIELD_REQUIRED }
  const { passphrase } = DestinationDraft.shape.encryption.unwrap().shape
  const isWell = passphrase.safeParse(values.passphrase).success
  return isWell ? {} : { passphrase: PASSPHRASE_RULE }
}

/** decisions.md 13, as the contract has it. */
const PASSPHRASE_RULE =
  'Passphrase must be 10 to 79 characters from A-Z a-z 0-9 . _ ~ and -. Use Generate A Key.'

/** CON-DEST-08. */
export function bodyOf(values: DestinationValues, picksGroup: boolean) {
  const { groupId, title, ip, selection, type, passphrase } = values
  return {
    title,
    ip,
    ...(picksGroup ? { groupId } : {}),
    encryption: { selection, passphrase, type: type === '256' ? (256 as const) : (128 as const) },
  }
}
