/** How each thing of the fleet counts where all of it is counted together: the tally of every page. */
import { viewOfStream } from '../channels/stream-view.rules.ts'
import type { ProgramStatus, StreamStatus } from './fleet.schema.ts'
import { stateView, type Family, type Freshness } from './state-view.rules.ts'

export function familyOfProgram(status: ProgramStatus, freshness: Freshness): Family {
  const known = { isEnabled: true, isConfigured: true, inputType: null }
  return stateView({ ...known, kind: status.kind, status, freshness }).family
}

/** As its row says it. Of none it is not known why. */
export function familyOfStream({ stream }: StreamStatus, freshness: Freshness): Family {
  return stream === null ? 'blind' : viewOfStream(stream, freshness).family
}
