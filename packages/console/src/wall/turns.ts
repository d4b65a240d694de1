/**
 * Players start one after the other: sixteen at once would each wait for all others' playlists,
 * and the page would stand still meanwhile.
 */

/** A first segment is there within about that time on a usual line. */
const TURN_EVERY_MS = 250

const waiting = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | null = null

function next(): void {
  timer = null
  const [first] = waiting
  if (first === undefined) return
  waiting.delete(first)
  // Before it begins: one that cannot must not keep the others waiting for good.
  timer = setTimeout(next, TURN_EVERY_MS)
  first()
}

/** Calls back once it is this one's turn: at once when nobody waits. @returns gives the place up */
export function takeTurn(begin: () => void): () => void {
  waiting.add(begin)
  timer ??= setTimeout(next, 0)
  return () => {
    waiting.delete(begin)
  }
}
