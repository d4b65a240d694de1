/** As forms keep what is typed over the end of a session, for what is no form: a name in its row, a file. */
import { useState } from 'react'
import { isSame } from './is-same.rules.ts'
import { dialogPlace, useKeepingTyping, useKeptTyping } from './kept-typing.hook.ts'

/** `keptAs`: names it and its object. */
export function useKeptValues<T extends object>(keptAs: readonly string[], saved: T) {
  const place = dialogPlace(keptAs)
  const kept = useKeptTyping<{ base: T; values: T; bulk: null }>(place)
  const [values, set] = useState(kept?.values ?? saved)
  useKeepingTyping(place, { base: saved, values, bulk: null }, !isSame(saved, values))
  return [values, set] as const
}
