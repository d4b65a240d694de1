/** An event of a timeline for tests; each test changes what it is about. */
import type { TimelineEvent } from '@trunkline/contract/events/event.schema'

export function eventOf(parts: Partial<TimelineEvent>): TimelineEvent {
  return {
    id: parts.kind ?? 'up',
    at: '2026-11-25T10:00:00.123Z',
    kind: 'up',
    since: null,
    state: '',
    cause: '',
    call: '',
    result: 'done',
    actor: '',
    ...parts,
  }
}
