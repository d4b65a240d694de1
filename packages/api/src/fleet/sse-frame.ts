import type { LiveEvent } from '@trunkline/contract/fleet/fleet.schema'

/** The same change goes to every browser that may see it: it is written out once. */
const frames = new WeakMap<object, string>()

/** One Server-Sent Event. JSON has no raw line break, so one data line is enough. */
export function frameOf(event: LiveEvent): string {
  const known = frames.get(event.data)
  if (known !== undefined) return known
  const frame = `event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
  frames.set(event.data, frame)
  return frame
}
