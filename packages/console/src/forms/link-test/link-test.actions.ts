import {
  cancelLinkTest,
  startLinkTest,
  type StartedLinkTest,
} from '@trunkline/contract/link-tests/link-test.calls'
import { call } from '../../lib/call.ts'
import { bodyOf, type LinkTestValues } from './link-test-form.rules.ts'
import { refOf, type TestRef } from './link-test.queries.ts'

/** Rejects with an ApiError for the form to show. */
export async function startTest(values: LinkTestValues, address: string): Promise<StartedLinkTest> {
  return (await call(startLinkTest, { body: bodyOf(values, address) })).data
}

/** One that cannot be cancelled, such as by a lost connection, ends by itself when nobody reads it. */
export async function cancelTest(test: TestRef): Promise<void> {
  await call(cancelLinkTest, refOf(test)).catch(() => undefined)
}
