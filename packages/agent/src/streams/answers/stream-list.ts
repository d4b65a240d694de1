/** A page of the stream list: cut by cursor and limit, narrowed to the fields asked for. Pure. */
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { StreamRefused } from '../definition/stream.refusal.ts'
import type { StoredStream, StreamListQuery } from '../definition/stream.schema.ts'

export interface StreamPage {
  streams: Partial<StreamDetail>[]
  estimated_count: number
  /** Absent on the last page. */
  next?: string
}

/** `streams` in the order of their names; only those of the page are answered in full. */
export function listPage(
  streams: readonly StoredStream[],
  { limit, cursor, select }: StreamListQuery,
  answer: (stream: StoredStream) => StreamDetail,
): StreamPage {
  const after = cursor === undefined ? '' : readCursor(cursor)
  const rest = streams.filter((stream) => stream.name > after)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    streams: page.map((stream) => narrowed(answer(stream), select)),
    estimated_count: streams.length,
    ...(rest.length > page.length && last ? { next: writeCursor(last.name) } : {}),
  }
}

/** The name after which the page begins; opaque, so that nobody builds on it. */
function writeCursor(name: string): string {
  return Buffer.from(name).toString('base64url')
}

function readCursor(cursor: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(cursor)) return Buffer.from(cursor, 'base64url').toString()
  throw new StreamRefused('cursor', "is not one that a list's 'next' has given.")
}

function narrowed(stream: StreamDetail, select: string | undefined): Partial<StreamDetail> {
  if (select === undefined || select === '') return stream
  const wanted = new Set(['name', ...select.split(',').map((field) => field.trim())])
  return Object.fromEntries(Object.entries(stream).filter(([field]) => wanted.has(field)))
}
