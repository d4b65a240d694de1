/** The language and the times of the account, against those that this page was loaded with (ADR 0076). */
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { outlivesPage } from '../storage.ts'
import { LANGUAGE, languageFor } from './language.ts'
import { TIMES, timesFor } from './time-zone.ts'

type Chosen = Pick<SessionUser, 'language' | 'times'>

const NOBODY: Chosen = { language: null, times: null }

/**
 * Loads the page again when it is shown otherwise than `user` reads the console, null for somebody who
 * is not known. Not where the session would end by it. Call it where nothing was typed yet.
 */
export function showAs(user: Chosen | null): void {
  const { language, times } = user ?? NOBODY
  const isShown = languageFor(language) === LANGUAGE && timesFor(times) === TIMES
  if (!isShown && outlivesPage()) location.reload()
}
