/** Whether a program that was started on a host runs there by now, from what the host says alone. */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'

/** `ended`: it will not run without somebody's doing; `cause` as its host says it, or ''. */
export type CopyState =
  | { is: 'waiting' }
  | { is: 'running' }
  | { is: 'ended'; cause: string; state: string }

type TriedReport = Pick<ProgramReport, 'state' | 'cause' | 'runningRevision'>

/** A new program is 'stopped' until its supervisor takes it up, so that is no end. */
export function copyState(report: TriedReport | undefined, revision: string): CopyState {
  if (report === undefined) return { is: 'ended', cause: '', state: 'absent' }
  const { state, cause } = report
  switch (state) {
    case 'running':
      return report.runningRevision === revision ? { is: 'running' } : { is: 'waiting' }
    case 'backoff':
    case 'fatal':
    case 'exited':
      return { is: 'ended', cause, state }
    case 'stopped':
    case 'starting':
    case 'stopping':
    case 'unknown':
    case 'absent':
    case 'unreachable':
      return { is: 'waiting' }
  }
}
