/** What each of the two ways of a RIST link carries, and what the second one saved. */
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'

export interface PathListProps {
  reading: LinkReading | null
}

export function PathList(_props: PathListProps) {
  return null
}
