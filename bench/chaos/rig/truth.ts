/** What really runs on a host, from its supervisord and from /proc, never from the API. */
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { processesOf, programNameOf } from '@trunkline/agent/supervisor/process-identity'
import { SupervisorClient } from '@trunkline/agent/supervisor/supervisor.client'
import { stateFromSupervisor, type ProgramState } from '@trunkline/contract/program-state'
import type { MediaHost } from './media-site.ts'

/** Processes of each program of a host: of its script and of the tool below it, by pid and start. */
export type RunningProcesses = ReadonlyMap<string, ReadonlySet<string>>

export function processesOn({ agentDir }: MediaHost): RunningProcesses {
  const found = new Map<string, Set<string>>()
  for (const { pid, startTicks } of processesOf(openLayout(agentDir).socket)) {
    const program = programNameOf(pid)
    const known = found.get(program) ?? new Set()
    found.set(program, known.add(`${pid}:${startTicks}`))
  }
  return found
}

export interface TrueState {
  state: ProgramState
  /** Null while no process runs. */
  pid: number | null
}

/** By program id. Null while its supervisord does not answer. */
export async function statesOn({ agentDir }: MediaHost): Promise<Map<string, TrueState> | null> {
  using supervisor = new SupervisorClient(openLayout(agentDir).socket)
  const all = await supervisor.getAllProcessInfo().catch(() => null)
  if (all === null) return null
  return new Map(
    all.map(({ name, statename, pid }) => [
      name,
      { state: stateFromSupervisor(statename), pid: pid > 0 ? pid : null },
    ]),
  )
}
