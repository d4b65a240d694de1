/** What is asked for before a link is tested, and what is wrong with it. */
import { LinkTestDraft } from '@trunkline/contract/link-tests/link-test.calls'
import { LINK_TEST_RATE_KBPS, LINK_TEST_S } from '@trunkline/contract/link-tests/link-test.rules'
import type { FieldNames } from '../field-faults.rules.ts'
import { fieldFaults } from '../field-faults.rules.ts'
import type { Sentences } from '../form.hook.ts'
import { CHOOSE_FROM, CHOOSE_TO, SAME_SERVER } from './link-test.messages.ts'

export interface LinkTestValues {
  /** '' until one is chosen. */
  fromServerId: string
  toServerId: string
  /** '' for the first of the server. */
  address: string
  /** '' for the next free one. */
  port: string
  rateKbps: string
  durationS: string
}

export const LINK_TEST_LABELS = {
  fromServerId: 'From',
  toServerId: 'To',
  address: 'Address to reach',
  port: 'UDP port',
  rateKbps: 'Rate, kbit/s',
  durationS: 'Duration, s',
} as const satisfies Record<keyof LinkTestValues, string>

/** What the API calls the fields. */
export const LINK_TEST_FIELDS: FieldNames<keyof LinkTestValues> = [
  ['id', 'fromServerId'],
  ...(['toServerId', 'address', 'port', 'rateKbps', 'durationS'] as const).map(
    (name) => [name, name] as const,
  ),
]

export function newTest(fromServerId: string, toServerId: string): LinkTestValues {
  return {
    fromServerId,
    toServerId,
    address: '',
    port: '',
    rateKbps: String(LINK_TEST_RATE_KBPS),
    durationS: String(LINK_TEST_S),
  }
}

export function bodyOf(values: LinkTestValues, address: string) {
  const { fromServerId: _from, ...body } = values
  return { ...body, address }
}

export function checkTest(values: LinkTestValues, address: string): Sentences<LinkTestValues> {
  const { fromServerId, toServerId } = values
  const faults: Sentences<LinkTestValues> = fieldFaults(
    LinkTestDraft,
    bodyOf(values, address),
    LINK_TEST_LABELS,
  )
  // It is offered once its server is read.
  if (address === '') delete faults.address
  if (fromServerId === '') faults.fromServerId = CHOOSE_FROM
  if (toServerId === '') faults.toServerId = CHOOSE_TO
  else if (toServerId === fromServerId) faults.toServerId = SAME_SERVER
  return faults
}
