/** Puts objects on air and takes them off: call, say how it went. Never throws. */
import { putOnAir, takeOffAir } from '@trunkline/contract/on-air/on-air.calls'
import { sentenceFor } from '../../lib/api-error.ts'
import { call, type CallInput } from '../../lib/call.ts'
import type { OnAirObject } from '../../lib/on-air.ts'
import { showToast } from '../../lib/toast.ts'
import { PUT_FAILED, TAKE_OFF_FAILED, momentText } from './on-air.messages.ts'

/** Answers why it was refused; '' when it worked. */
export async function putObjectOnAir(
  { kind, id, title }: OnAirObject,
  body: NonNullable<CallInput<typeof putOnAir>['body']>,
): Promise<string> {
  try {
    const { data } = await call(putOnAir, { params: { kind, id }, body })
    showToast('success', momentText(data), title)
    return ''
  } catch (error) {
    return sentenceFor(error, PUT_FAILED)
  }
}

/** Answers whether it worked. */
export async function takeObjectOffAir({ kind, id, title }: OnAirObject): Promise<boolean> {
  try {
    await call(takeOffAir, { params: { kind, id } })
    showToast('success', 'Taken off air', title)
    return true
  } catch (error) {
    showToast('failure', sentenceFor(error, TAKE_OFF_FAILED), title)
    return false
  }
}
