/** How each thing of the fleet counts where all of it is counted together: the tally of every page. */
import type { ProgramStatus, StreamStatus } from './fleet.schema.ts'
import { isStale, stateView, type Family, type Freshness } from './state-view.rules.ts'

export function familyOfProgram(status: ProgramStatus, freshness: Freshness): Family {
  const known = { isEnabled: true, isConfigured: true, inputType: null }
  return stateView({ ...known, kind: status.kind, status, freshness }).family
}

export function familyOfStream({ stream }: StreamStatus, freshness: Freshness): Family {
  if (isStale(freshness)) return 'blind'
  if (stream === null) return 'blind'
  if (stream.disabled === true) return 'off'
  return stream.stats.alive === true ? 'ok' : 'bad'
}
