/** Kills programs of a host as a fault of theirs would end them. */
import { setTimeout as pause } from 'node:timers/promises'
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { SupervisorClient, type ProcessInfo } from '@trunkline/agent/supervisor/supervisor.client'

const KILL_EVERY_MS = 100

export interface ProgramKiller {
  /** Kills them whenever supervisord has started them, until it gives up; does not wait for that. */
  start: () => void
  stop: () => Promise<void>
}

export function programKiller(
  agentDir: string,
  isMeant: (programId: string) => boolean,
  siteEnding: AbortSignal,
): ProgramKiller {
  let ending: AbortController | null = null
  let killing = Promise.resolve()
  return {
    start() {
      ending?.abort()
      ending = new AbortController()
      const signal = AbortSignal.any([ending.signal, siteEnding])
      killing = killAgain(agentDir, isMeant, signal)
    },
    async stop() {
      ending?.abort()
      await killing
    },
  }
}

async function killAgain(
  agentDir: string,
  isMeant: (programId: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  using supervisor = new SupervisorClient(openLayout(agentDir).socket)
  while (!signal.aborted) {
    // Its agent may be started again meanwhile, or its supervisord.
    const all = await supervisor.getAllProcessInfo().catch((): ProcessInfo[] => [])
    const meant = all.filter(({ name }) => isMeant(name))
    for (const { pid } of meant) if (pid > 0) kill(pid)
    if (meant.length > 0 && meant.every(({ statename }) => statename === 'FATAL')) return
    await pause(KILL_EVERY_MS)
  }
}

/** It may have ended meanwhile. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    return
  }
}
