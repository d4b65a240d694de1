/**
 * What must be stored after writers were interrupted: every acknowledged change, no refused one, and of
 * one whose answer never came either all of it or nothing; and for each change its line of the record of
 * activity. Pure, so that each check is shown to fail.
 */

/** 'unknown': the connection ended before the answer came. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown'
export type Action = 'add' | 'update' | 'remove'

export interface Write {
  /** Of the object, as long as it lives: its title begins with it. */
  tag: string
  /** Which value it wrote: the title is `<tag> <value>`. */
  value: number
  action: Action
  outcome: Outcome
}

export interface StoredRow {
  id: string
  title: string
  version: number
}

/** A change that the record of activity has as done. */
export interface RecordedChange {
  id: string
  action: Action
}

export interface WriteFaults {
  /** Acknowledged, and not there. */
  lost: string[]
  /** Refused, and there all the same; or written by nobody. */
  unexpected: string[]
  /** Row and record of activity differ. */
  torn: string[]
}

export function titleOf({ tag, value }: Pick<Write, 'tag' | 'value'>): string {
  return `${tag} ${value}`
}

const ABSENT = -1

export function checkWrites(
  writes: readonly Write[],
  rows: readonly StoredRow[],
  recorded: readonly RecordedChange[],
): WriteFaults {
  const stored = new Map(rows.map(({ title }) => splitTitle(title)))
  const versions = new Map(rows.map(({ title, version }) => [splitTitle(title)[0], version]))
  const lost: string[] = []
  const unexpected: string[] = []
  for (const [tag, ofTag] of Map.groupBy(writes, (write) => write.tag)) {
    const allowed = allowedValues(ofTag)
    const found = stored.get(tag) ?? ABSENT
    if (allowed.has(found)) {
      // A change that was carried out twice: its value is right, its version is not.
      const most = ofTag.filter(({ outcome }) => outcome !== 'refused').length
      const version = versions.get(tag) ?? 0
      if (version > most) unexpected.push(`${tag}: version ${version} after ${most} changes`)
      continue
    }
    const isRefused = ofTag.some(({ outcome, value }) => outcome === 'refused' && value === found)
    const list = isRefused ? unexpected : lost
    list.push(`${tag}: ${valueText(found)}, allowed ${[...allowed].map(valueText).join(' or ')}`)
  }
  const tags = new Set(writes.map(({ tag }) => tag))
  for (const tag of stored.keys()) if (!tags.has(tag)) unexpected.push(`${tag}: written by nobody`)
  return { lost, unexpected, torn: tornRows(rows, recorded) }
}

/** What may be stored after these writes of one object, in their order. */
function allowedValues(writes: readonly Write[]): Set<number> {
  let allowed = new Set([ABSENT])
  for (const { action, value, outcome } of writes) {
    const after = action === 'remove' ? ABSENT : value
    if (outcome === 'acknowledged') allowed = new Set([after])
    if (outcome === 'unknown') allowed.add(after)
  }
  return allowed
}

/** The version grows by one with each change, and so does the number of lines about the object. */
function tornRows(rows: readonly StoredRow[], recorded: readonly RecordedChange[]): string[] {
  const lines = Map.groupBy(recorded, ({ id }) => id)
  const torn = rows.flatMap(({ id, title, version }) => {
    const count = lines.get(id)?.length ?? 0
    return count === version ? [] : [`${title}: version ${version}, ${count} lines`]
  })
  const ids = new Set(rows.map(({ id }) => id))
  for (const [id, ofObject] of lines) {
    const isRemoved = ofObject.some(({ action }) => action === 'remove')
    if (isRemoved === ids.has(id)) torn.push(`${id}: ${isRemoved ? 'removed, and there' : 'gone'}`)
  }
  return torn
}

function splitTitle(title: string): [string, number] {
  const at = title.lastIndexOf(' ')
  return [title.slice(0, at), Number(title.slice(at + 1))]
}

function valueText(value: number): string {
  return value === ABSENT ? 'absent' : `value ${value}`
}
