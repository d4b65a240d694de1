/** What saving does to what runs (Q177, Q178): the panel says it, and the buttons go by it. */
import type { ProgramState } from '@trunkline/contract/program-state'
import { offersStop } from '../../programs/command/command.rules.ts'
import type { Link } from '../link.rules.ts'
import type { Consequence } from './form.messages.ts'

/** The link as it is saved; null for a new one. */
export interface Saved {
  link: Pick<Link, 'type' | 'isEnabled'>
  /** Null while it is not read. */
  state: ProgramState | null
  /** Somebody has deleted it since. */
  isGone: boolean
}

/** Nothing runs that a save could end. */
const DOWN: readonly ProgramState[] = ['stopped', 'exited', 'fatal', 'absent']

/** `type`: as chosen in the form. */
export function whichConsequence(saved: Saved | null, type: string): Consequence {
  const isLocal = type === 'Local'
  if (saved === null) return isLocal ? 'first-local' : 'first'
  const { link, state, isGone } = saved
  if (isGone) return 'gone'
  if (link.type === 'Local') return isLocal ? 'local' : 'was-local'
  if (isLocal) return state !== null && DOWN.includes(state) ? 'local' : 'becomes-local'
  if (!link.isEnabled) return 'disabled'
  if (offersStop(state)) return 'running'
  if (state === null || state === 'unknown') return 'unread'
  return state === 'unreachable' ? 'away' : 'stopped'
}
