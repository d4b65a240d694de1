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
 * first named is the first in the list. With `onlyAt` the others of `switches` merely say how the
 * list looked, perhaps some time ago. Answers the index of a switch that fits none.
 */
export function mergePushes(
  current: readonly PushConfig[],
  switches: readonly PushSwitch[],
  onlyAt?: number,
): { pushes: PushConfig[] } | { unknownAt: number } {
  const pushes = [...current]
  const named = new Set<number>()
  for (const [at, { url, disabled }] of switches.entries()) {
    const isAsked = onlyAt === undefined || at === onlyAt
    const shown = publicUrl(url)
    const index = pushes.findIndex((push, i) => !named.has(i) && publicUrl(push.url) === shown)
    const push = pushes[index]
    if (push === undefined) {
      if (isAsked) return { unknownAt: at }
      continue
    }
    named.add(index)
    if (isAsked) pushes[index] = { ...push, disabled }
  }
  return { pushes }
}

/**
 * Of `asked` the first push that a server shows otherwise afterwards: it is the address without its
 * secrets, and whether it is off there. Of pushes that look alike as many must be off as were asked
 * for. A missing push is visible by itself; null when everything is as requested.
 */
export function unmetPush(
  asked: readonly KnownPush[],
  after: readonly KnownPush[],
): PushSwitch | null {
  for (const url of new Set(asked.map((push) => publicUrl(push.url)))) {
    const [wanted, found] = [offOf(asked, url), offOf(after, url)]
    if (wanted.all !== found.all || wanted.off === found.off) continue
    return { url, disabled: found.off > wanted.off }
  }
  return null
}

interface KnownPush {
  url: string
  /** Left out by servers when it is on. */
  disabled?: boolean | undefined
}

function offOf(pushes: readonly KnownPush[], url: string): { all: number; off: number } {
  const alike = pushes.filter((push) => publicUrl(push.url) === url)
  return { all: alike.length, off: alike.filter((push) => push.disabled === true).length }
}
