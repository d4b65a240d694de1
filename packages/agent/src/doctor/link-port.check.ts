/** Whether the UDP ports of this host's links are theirs, or somebody else's. */
import { ok, wrong, type Finding } from '@trunkline/contract/doctor/finding.rules'
import { join } from 'node:path'
import { namesIn, readJson } from '../host/files.ts'
import { holderOf } from '../host/free-port.ts'
import { StoredProgram } from '../programs/program.store.ts'
import type { Layout } from '../supervisor/layout.ts'
import { supervisorOf } from '../supervisor/process-identity.ts'

/** Who has a port of a program. */
export interface PortUse {
  programId: string
  port: number
  /** null: nobody. foreign: a process that the agent's supervisord has not started. */
  holder: 'own' | { foreign: string } | null
}

/** Files that cannot be read are left out: the agent names them at its start. */
export function portUses(layout: Layout): PortUse[] {
  return namesIn(layout.programsDir)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const program = readJson<StoredProgram>(join(layout.programsDir, name), StoredProgram)
      return program === null ? [] : program.ports.map((port) => useOf(layout, program.id, port))
    })
}

function useOf(layout: Layout, programId: string, port: number): PortUse {
  const holder = holderOf({ ip: '', port })
  if (holder === null) return { programId, port, holder }
  if (holder === 'unknown') return { programId, port, holder: { foreign: 'another user' } }
  const isOwn = supervisorOf(holder.pid) === layout.socket
  const foreign = `${holder.command} (process ${holder.pid})`
  return { programId, port, holder: isOwn ? 'own' : { foreign } }
}

export function portFindings(uses: readonly PortUse[]): Finding[] {
  const taken = uses.flatMap(({ programId, port, holder }) =>
    holder === null || holder === 'own'
      ? []
      : [
          wrong(
            `UDP port ${port} of the link ${programId} is used by ${holder.foreign}.`,
            `End it (ss -ulnp sport = :${port}), or give the link another port in the console`,
          ),
        ],
  )
  if (taken.length > 0) return taken
  return uses.length === 0 ? [] : [ok(`The UDP ports of all links are free or theirs.`)]
}
