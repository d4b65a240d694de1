/** What is found about hosts, in an administrator's words. Pure. */
import {
  clockFinding,
  note,
  ok,
  wrong,
  type Finding,
} from '@trunkline/contract/doctor/finding.rules'
import { DAY_MS } from '@trunkline/contract/durations'

/** What a host answered when it was asked. */
export type HostAnswer =
  | {
      answers: true
      /** Of its agent; null for a media server. */
      version: string | null
      /** Its clock before this machine's, by whole seconds; null when it does not say. */
      aheadMs: number | null
      /** null: it is reached by its key. */
      certificateEndsAtMs: number | null
    }
  /** `fix`: where to look further; '' where the sentence has it. */
  | { answers: false; sentence: string; fix: string }
  /** It was cut off on purpose. */
  | 'revoked'
  /** It connects to the API by itself, and cannot be asked from here. */
  | 'not dialled'

export interface LookedHost {
  /** 'gw1.example:8010'. */
  at: string
  answer: HostAnswer
}

/** A site of 10,000 hosts whose network is down needs no 10,000 lines. */
const MOST_LINES = 50
const SET_CLOCK = 'On the host: timedatectl set-ntp true'
/** Of a host with an agent; a media server has none. */
export const LOOK = 'On the host: trunkline-agent doctor'
/** Certificates are renewed when ten days are left. */
const ENDS_SOON_MS = 9 * DAY_MS

/** `version`: of this program. */
export function hostFindings(
  hosts: readonly LookedHost[],
  version: string,
  nowMs: number,
): Finding[] {
  if (hosts.length === 0) return [note('There are no hosts yet.', 'Add one in the console.')]
  const answering = hosts.filter(({ answer }) => typeof answer === 'object' && answer.answers)
  const sum = `${answering.length} of ${hosts.length} hosts answer.`
  const findings = hosts.flatMap((host) => findingsOf(host, version, nowMs))
  const shown = findings.slice(0, MOST_LINES)
  const more = findings.length - shown.length
  return [
    answering.length === hosts.length ? ok(sum) : note(sum),
    ...shown,
    ...(more > 0 ? [wrong(`${more} more findings about hosts are not shown.`, LOOK)] : []),
  ]
}

function findingsOf({ at, answer }: LookedHost, version: string, nowMs: number): Finding[] {
  if (answer === 'revoked') {
    return [note(`The host ${at} was revoked and is not reached.`, 'Enrol it again to reach it.')]
  }
  if (answer === 'not dialled') {
    return [note(`The host ${at} connects to the API by itself, and was not asked.`, LOOK)]
  }
  if (!answer.answers) return [wrong(answer.sentence, answer.fix)]
  return [
    ...clockFindings(at, answer.aheadMs),
    ...versionFindings(at, answer.version, version),
    ...certificateFindings(at, answer.certificateEndsAtMs, nowMs),
  ]
}

/** A clock that agrees is no line of its own. */
function clockFindings(at: string, aheadMs: number | null): Finding[] {
  if (aheadMs === null) return []
  const finding = clockFinding(`The clock of the host ${at}`, aheadMs, SET_CLOCK)
  return finding.level === 'ok' ? [] : [finding]
}

function versionFindings(at: string, agent: string | null, version: string): Finding[] {
  if (agent === null || agent === version) return []
  return [
    note(
      `The agent of the host ${at} has version ${agent}, and this is ${version}.`,
      'Install the same version on both: dpkg --install trunkline-agent_….deb. No stream is touched.',
    ),
  ]
}

function certificateFindings(at: string, endsAtMs: number | null, nowMs: number): Finding[] {
  if (endsAtMs === null || endsAtMs - nowMs > ENDS_SOON_MS) return []
  const day = new Date(endsAtMs).toISOString().slice(0, 10)
  return [
    wrong(
      `The certificate of the host ${at} ends on ${day} and was not renewed in time.`,
      'Start the API, which renews it while it is linked; after that day enrol the host again.',
    ),
  ]
}
