/** Which push outputs of a stream a client means, when it knows their addresses without secrets. */
import type { PushConfig } from '../stream-servers/flussonic.client.ts'
import { publicUrl } from '../stream-servers/stream-secrets.rules.ts'

export interface PushSwitch {
  url: string
  disabled: boolean
}

/**
 * The server's own list with the switches set (Q122): nothing else of a push changes, and pushes
 * that are not named stay as they are (Q130). Of pushes that look alike without their secrets the
 * first named is the first in the list. Answers the index of a switch that fits none.
 */
export function mergePushes(
  current: readonly PushConfig[],
  switches: readonly PushSwitch[],
): { pushes: PushConfig[] } | { unknownAt: number } {
  const pushes = [...current]
  const switched = new Set<number>()
  for (const [at, { url, disabled }] of switches.entries()) {
    const shown = publicUrl(url)
    const index = pushes.findIndex((push, i) => !switched.has(i) && publicUrl(push.url) === shown)
    const push = pushes[index]
    if (push === undefined) return { unknownAt: at }
    switched.add(index)
    pushes[index] = { ...push, disabled }
  }
  return { pushes }
}
