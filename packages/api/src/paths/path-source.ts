import type { PathKind } from '@trunkline/contract/paths/path.calls'
import type { Db } from '../context.ts'
import type { StreamLinks } from '../fleet/streams/stream-links.ts'

/** A server has no place of its own in a path. */
export interface PathKey {
  kind: PathKind
  id: string
}

/** What paths are joined from: a part of the context. */
export interface PathSource {
  db: Db
  board: { streams: { links: StreamLinks } }
}
