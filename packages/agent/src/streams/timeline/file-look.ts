/** Files of the media room that others may remove, replace or forbid at any time. */
import { statSync, type Stats } from 'node:fs'

/** Undefined for what is not there, and for what cannot be looked at: nobody is served from it either. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
