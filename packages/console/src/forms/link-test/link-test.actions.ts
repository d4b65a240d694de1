import { cancelLinkTest, startLinkTest } from '@trunkline/contract/link-tests/link-test.calls'
import { call } from '../../lib/call.ts'
import { bodyOf, type LinkTestValues } from './link-test-form.rules.ts'
import type { TestRef } from './link-test.queries.ts'

export interface StartedTest extends TestRef {
  address: string
  port: number
  rateKbps: number
  durationS: number
}

/** Rejects with an ApiError for the form to show. */
export async function startTest(values: LinkTestValues, address: string): Promise<StartedTest> {
  const { fromServerId } = values
  const body = bodyOf(values, address)
  const { data } = await call(startLinkTest, { params: { id: fromServerId }, body })
  return { ...data, fromServerId }
}

/** One that cannot be cancelled, such as by a lost connection, ends by itself when nobody reads it. */
export async function cancelTest({ id: testId, fromServerId: id, toServerId }: TestRef) {
  await call(cancelLinkTest, { params: { id, testId }, query: { toServerId } }).catch(
    () => undefined,
  )
}
