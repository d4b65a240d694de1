/**
 * Many programs of a host that only sleep: the media tools would be the load, where what is measured is
 * what stands around them.
 */
import { writeFileSync } from 'node:fs'
import type { Unit } from '@trunkline/agent/commands/unit'
import * as programStore from '@trunkline/agent/programs/program.store'
import { scriptFile, type Layout } from '@trunkline/agent/supervisor/layout'
import { scriptText, writeSection } from '@trunkline/agent/supervisor/program-file'
import { SupervisorClient } from '@trunkline/agent/supervisor/supervisor.client'
import { startSupervisor } from '@trunkline/agent/supervisor/supervisor.process'

export const SLEEPING: Unit = {
  argv: ['sleep', '1000000'],
  repeat: 'never',
  output: 'srt',
  direction: 'receive',
  secrets: [],
}

export interface SleepingProgram {
  id: string
  revision: string
}

/**
 * As an agent leaves them that is replaced by a newer one: supervisord and the programs run on. `owner`:
 * the seat whose they are; '' for none, and no agent may come.
 */
export async function startSleepingPrograms(
  dataDir: string,
  programs: readonly SleepingProgram[],
  owner: string,
): Promise<Layout> {
  const { layout } = await startSupervisor(dataDir)
  using client = new SupervisorClient(layout.socket)
  for (const program of programs) {
    writeFileSync(scriptFile(layout, program.id), scriptText(SLEEPING), { mode: 0o600 })
    writeSection(layout, program.id, true)
    if (owner !== '') programStore.save(layout, stored(program, owner))
  }
  await client.reloadConfig()
  for (const { id } of programs) await client.addProcessGroup(id)
  return layout
}

function stored({ id, revision }: SleepingProgram, owner: string): programStore.StoredProgram {
  return {
    id,
    owner,
    spec: null,
    unit: { ...SLEEPING, argv: [...SLEEPING.argv], secrets: [] },
    ports: [],
    bus: null,
    revision,
    wanted: 'running',
    restarts: 0,
    deathCause: '',
    changedByHand: '',
    written: null,
    sinceMs: null,
    running: null,
    observed: null,
    peer: '',
    counted: null,
  }
}
