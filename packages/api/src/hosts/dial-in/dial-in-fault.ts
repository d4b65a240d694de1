/** Why a host that connects by itself is not there, in an operator's words. */
import type { HostAccess } from '../certificates/host-access.ts'
import { faultOfError, timedOut, type LinkFault } from '../link-fault.ts'

const LOOK =
  'Check that the host is on, that its agent runs, and what trunkline-agent doctor says there.'

/** It was not seen since this process started, or since it was enrolled. */
export function notConnected(at: string): LinkFault {
  return fault(
    `The host ${at} has not connected. It is not dialled, because it connects to this console by itself. ${LOOK}`,
  )
}

/** A link that was closed, by whoever opened it. */
export function closedFault(at: string, access: HostAccess): LinkFault {
  if (access.by !== 'host') return faultOfError(at, undefined, 'agent')
  return fault(
    `The host ${at} has closed its connection to this console, or lost it. It connects again by itself. ${LOOK}`,
  )
}

/** A link over which nothing more comes. */
export function silentFault(at: string, access: HostAccess): LinkFault {
  if (access.by !== 'host') return timedOut(at)
  return fault(
    `The host ${at} is connected to this console and answers nothing more, so that its connection was closed. It connects again by itself. ${LOOK}`,
  )
}

/** Why calls that were under way have failed. */
export function connectionReplaced(at: string): string {
  return `The host ${at} has connected anew, and its older connection was closed.`
}

/** `nowText`: what the clock of the console shows. */
export function expiredHost(at: string, nowText: string): LinkFault {
  return {
    kind: 'certificate',
    sentence: `The host ${at} tries to connect, and its certificate has expired: it was not connected in time for a new certificate. Enrol the host again. The clock of this console shows ${nowText}: if that is wrong, set the clock instead.`,
  }
}

function fault(sentence: string): LinkFault {
  return { kind: 'not-connected', sentence }
}
