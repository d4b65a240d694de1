/** An object that is added once, however often the answer about it is lost on the way. */
import { ADDITION_KEY_HEADER } from '@trunkline/contract/route'
import { sendAgain } from '@trunkline/contract/send-again'
import { type ApiError, isNoAnswer } from '../api-error.ts'

/** A console that restarts is back by then, and an operator waits no longer for it. */
export const SENT_AGAIN_AFTER_MS = [300, 700, 1500, 1500] as const
const KEY_BYTES = 16

type Send<T> = (headers: Readonly<Record<string, string>>) => Promise<T>

/** Keys of those whose answer is not known, by what was sent: pressed again, it is the same addition. */
const unanswered = new Map<string, string>()
const lost = new WeakSet<ApiError>()

/** Sends it again while its answer is lost. `content`: what is added, and by which call. */
export async function sendAddition<T>(content: string, send: Send<T>): Promise<T> {
  const key = unanswered.get(content) ?? newKey()
  unanswered.set(content, key)
  try {
    const answer = await sendAgain({
      send: async () => send({ [ADDITION_KEY_HEADER]: key }),
      isLost: isNoAnswer,
      waitsMs: SENT_AGAIN_AFTER_MS,
      pause,
    })
    unanswered.delete(content)
    return answer
  } catch (error) {
    if (isNoAnswer(error)) lost.add(error)
    else unanswered.delete(content)
    throw error
  }
}

/** Whether it may be sent again as it is: it is not added twice. */
export function isLostAddition(error: ApiError): boolean {
  return lost.has(error)
}

async function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}

/** Not randomUUID: that is missing on a page without TLS. */
function newKey(): string {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES)).join('.')
}
