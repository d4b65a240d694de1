/** What is asked for before a link is tested, and what is wrong with it. */
import {
  LinkTestDraft,
  type LinkTestHostKind,
} from '@trunkline/contract/link-tests/link-test.calls'
import { LINK_TEST_RATE_KBPS, LINK_TEST_S } from '@trunkline/contract/link-tests/link-test.rules'
import { fieldFaults } from '../field-faults.rules.ts'
import type { Sentences } from '../form.hook.ts'
import { CHOOSE_FROM, CHOOSE_TO, SAME_SERVER } from './link-test.messages.ts'

export interface LinkTestValues {
  fromKind: LinkTestHostKind
  /** '' until one is chosen. */
  fromId: string
  toServerId: string
  /** '' for the first of the server. */
  address: string
  /** '' for the next free one. */
  port: string
  rateKbps: string
  durationS: string
}

/** The two ends that are chosen from the start; '' for none. */
export type ChosenEnds = Pick<LinkTestValues, 'fromKind' | 'fromId' | 'toServerId'>

export const LINK_TEST_LABELS = {
  fromKind: 'From',
  fromId: 'Sends first',
  toServerId: 'To server',
  address: 'Address to reach',
  port: 'UDP port',
  rateKbps: 'Rate, kbit/s',
  durationS: 'Duration, s',
} as const satisfies Record<keyof LinkTestValues, string>

export function newTest(ends: ChosenEnds): LinkTestValues {
  const [rateKbps, durationS] = [String(LINK_TEST_RATE_KBPS), String(LINK_TEST_S)]
  return { ...ends, address: '', port: '', rateKbps, durationS }
}

export function bodyOf(values: LinkTestValues, address: string) {
  return { ...values, address }
}

export function checkTest(values: LinkTestValues, address: string): Sentences<LinkTestValues> {
  const { fromId, toServerId } = values
  const faults: Sentences<LinkTestValues> = fieldFaults(
    LinkTestDraft,
    bodyOf(values, address),
    LINK_TEST_LABELS,
  )
  // It is offered once its server is read.
  if (address === '') delete faults.address
  if (fromId === '') faults.fromId = CHOOSE_FROM
  if (toServerId === '') faults.toServerId = CHOOSE_TO
  else if (toServerId === fromId) faults.toServerId = SAME_SERVER
  return faults
}
