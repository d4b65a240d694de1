/** Whether the console can be reached from here, and whether the clocks agree. */
import {
  clockFinding,
  note,
  ok,
  wrong,
  type Finding,
} from '@trunkline/contract/doctor/finding.rules'

export type ConsoleAnswer =
  /** `atMs`: what its clock shows, by whole seconds; null when it does not say. */
  { reached: true; atMs: number | null } | { reached: false; reason: string }

const ANSWER_LIMIT_MS = 10_000
const SET_CLOCK = 'timedatectl set-ntp true, on the machine whose clock is wrong'

/** Any answer counts: a proxy may stand before it. */
export async function askConsole(origin: string): Promise<ConsoleAnswer> {
  try {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
    const response = await fetch(origin, { method: 'HEAD', redirect: 'manual', signal })
    const atMs = Date.parse(response.headers.get('date') ?? '')
    return { reached: true, atMs: Number.isNaN(atMs) ? null : atMs }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { reached: false, reason: cause instanceof Error ? cause.message : String(cause) }
  }
}

export interface AskedConsole {
  /** As in 'https://console.example'. */
  origin: string
  /** By the administrator just now; false: remembered from the enrolment. */
  isNamed: boolean
  answer: ConsoleAnswer
}

/** null: no console is known. `nowMs`: when it answered, by this host's clock. */
export function consoleFindings(asked: AskedConsole | null, nowMs: number): Finding[] {
  if (asked === null) {
    return [
      note(
        'Which console this host belongs to is not known here, so its clock was not compared.',
        'trunkline-agent doctor --console https://…',
      ),
    ]
  }
  const { origin, isNamed, answer } = asked
  if (!answer.reached) {
    // Streams and links need nothing of it.
    const finding = isNamed ? wrong : note
    return [
      finding(
        `The console at ${origin} cannot be reached from here (${answer.reason}). Enrolling needs that; links that the console dials do not.`,
        `Check the name, the route and the firewall: curl -I ${origin}`,
      ),
    ]
  }
  const reached = ok(`The console at ${origin} can be reached from here.`)
  if (answer.atMs === null) return [reached]
  return [reached, clockFinding('The clock of the console', answer.atMs - nowMs, SET_CLOCK)]
}
