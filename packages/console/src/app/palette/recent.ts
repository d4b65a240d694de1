/** The objects that somebody opened last from the palette, per person and browser. */
import { readKey } from '@trunkline/contract/search/found-key.rules'
import { storage } from '../../lib/storage.ts'

const KEPT = 8
const USERS_KEPT = 64

/** Newest first, as 'input:a1'. */
export function recentKeys(userId: string): readonly string[] {
  const keys = storage.recentObjects.read()?.find(([id]) => id === userId)?.[1] ?? []
  // A comma would part it: nothing of ours has one.
  return keys.filter((key) => readKey(key) !== null && !key.includes(',')).slice(0, KEPT)
}

export function rememberOpened(userId: string, key: string): void {
  const before = recentKeys(userId).filter((known) => known !== key)
  const others = (storage.recentObjects.read() ?? []).filter(([id]) => id !== userId)
  const mine: [string, string[]] = [userId, [key, ...before].slice(0, KEPT)]
  storage.recentObjects.write([...others.slice(1 - USERS_KEPT), mine])
}
