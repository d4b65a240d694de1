/** librist's statistics lines as one reading of the link. Pure. */
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import type { Counted, RistLink } from './rist-count.ts'
import { parseRistLine, type RistLine } from './rist-line.ts'
import { silentPath } from './rist-paths.ts'
import { afterReceived } from './rist-receiver.ts'
import { afterSent, pathOf } from './rist-sender.ts'

/** Anybody may call a listening port, again and again: the latest are remembered. */
const MOST_CALLERS = 64

/** As it was, for a line that tells nothing. */
export function readRistLine(before: Counted, line: string, link: RistLink): Counted {
  const parsed = parseRistLine(line)
  return parsed ? take(before, parsed, link) : before
}

function take(before: Counted, parsed: RistLine, link: RistLink): Counted {
  switch (parsed.kind) {
    case 'sent':
      return link.direction === 'send' ? afterSent(before, parsed, link) : before
    case 'received':
      return link.direction === 'receive' ? afterReceived(before, parsed, link) : before
    case 'silent':
      return { ...before, reading: silenced(before, parsed, link) }
    case 'calling':
      return { ...before, count: { ...before.count, callingId: parsed.peerId } }
    case 'caller': {
      const known = [...before.count.callers, [before.count.callingId, parsed.ip] as const]
      const callers = new Map(known.slice(-MOST_CALLERS))
      return { ...before, count: { ...before.count, callers } }
    }
    default:
      return parsed satisfies never
  }
}

/** A path is silent from the line that says so, not from the next statistics on. */
function silenced(
  { count, reading }: Counted,
  { atMs, peerId }: { atMs: number; peerId: number },
  link: RistLink,
): LinkReading | null {
  if (!reading?.paths) return reading
  const index = link.direction === 'send' ? pathOf(peerId, link) : count.peerIds.indexOf(peerId)
  const path = reading.paths[index]
  if (!path) return reading
  return { ...reading, paths: reading.paths.with(index, silentPath(path, atMs)) }
}
