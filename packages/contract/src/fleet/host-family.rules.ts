/** How loud the state of a host is: the same on its row and in the count of the whole fleet. */
import type { HostStatus } from './fleet.schema.ts'
import { isStale, type Family, type Freshness, type StateView } from './state-view.rules.ts'

/** A host that answers wrongly is broken; of one that is silent we cannot see what it does. */
export function answersWrongly(fault: HostStatus['fault']): boolean {
  return fault === 'wrong-key' || fault === 'not-an-agent' || fault === 'certificate'
}

export function familyOfHost(host: HostStatus, freshness: Freshness): Family {
  const { online, fault, problem } = host
  if (isStale(freshness)) return 'blind'
  if (online) return problem === undefined ? 'ok' : PROBLEMS[problem.kind].family
  return answersWrongly(fault) ? 'bad' : 'blind'
}

/** What is wrong with a host that answers, short enough for a row. */
const PROBLEMS = {
  // A notice: nothing is broken, so it neither changes the colour nor counts.
  'command-lines-readable': { family: 'ok', shape: 'disc', cause: 'passphrases readable on host' },
  'disk-low': { family: 'warn', shape: 'triangle', cause: 'disk nearly full' },
  'supervisor-silent': { family: 'bad', shape: 'octagon', cause: 'supervisor does not answer' },
  'supervisor-lost': { family: 'bad', shape: 'octagon', cause: 'supervisor ended' },
  'disk-full': { family: 'bad', shape: 'octagon', cause: 'disk full' },
  'disk-unreadable': { family: 'bad', shape: 'octagon', cause: 'disk cannot be read' },
} as const

/** The state of a host that answers: its word stays, what is wrong with it stands beside. */
export function withProblem(view: StateView, host: HostStatus): StateView {
  const { problem } = host
  const known = problem === undefined ? view : { ...view, ...PROBLEMS[problem.kind] }
  // Of two notices the row has room for the worse; both are in its sentence.
  const isNotice = known.family === 'ok'
  return isNotice && isOpenToOthers(host) ? { ...known, cause: 'not encrypted' } : known
}

/** What is wrong with a host that answers, cause and fix; '' for nothing. */
export function problemText(host: HostStatus): string {
  return [host.problem?.sentence, isOpenToOthers(host) ? NOT_ENCRYPTED : undefined]
    .filter((sentence) => sentence !== undefined)
    .join(' ')
}

/** Said to those alone who can do something about it. */
const NOT_ENCRYPTED =
  'Connection is not encrypted: who listens on the network can read the API key and what is sent. Enrol the host under “Secure connection”.'

function isOpenToOthers({ isEncrypted }: HostStatus): boolean {
  return isEncrypted === false
}
