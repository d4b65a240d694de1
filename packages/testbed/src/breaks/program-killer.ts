/** Kills programs of a host as a fault of theirs would end them. */
import { setTimeout as pause } from 'node:timers/promises'
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { SupervisorClient, type ProcessInfo } from '@trunkline/agent/supervisor/supervisor.client'

/** A program that ran for a second counts as started. */
const KILL_EVERY_MS = 100
/** Once supervisord has given up: its agent tries again after half a minute. */
const LOOK_EVERY_MS = 300

export interface ProgramKiller {
  /** Kills them whenever they are started, until somebody has repaired them; does not wait. */
  start: () => void
  stop: () => Promise<void>
}

interface Killing {
  agentDir: string
  isTarget: (programId: string) => boolean
  /** Whether a person has started them, since that moment. */
  isRepaired: (since: Date) => Promise<boolean>
  /** When the site ends. */
  ending: AbortSignal
}

export function programKiller(killing: Killing): ProgramKiller {
  let stopping: AbortController | null = null
  let last = Promise.resolve()
  return {
    start() {
      stopping?.abort()
      stopping = new AbortController()
      last = killAgain(killing, AbortSignal.any([stopping.signal, killing.ending]))
    },
    async stop() {
      stopping?.abort()
      await last
    },
  }
}

async function killAgain(
  { agentDir, isTarget, isRepaired }: Killing,
  signal: AbortSignal,
): Promise<void> {
  const since = new Date()
  using supervisor = new SupervisorClient(openLayout(agentDir).socket)
  let hasGivenUp = false
  while (!signal.aborted) {
    // Its agent may be started again meanwhile, or its supervisord.
    const all = await supervisor.getAllProcessInfo().catch((): ProcessInfo[] => [])
    const meant = all.filter(({ name }) => isTarget(name))
    const pids = meant.flatMap(({ pid }) => (pid > 0 ? [pid] : []))
    // Once in a while: an API that is away knows of no repair.
    if (hasGivenUp && pids.length > 0 && (await isRepaired(since).catch(() => false))) return
    for (const pid of pids) kill(pid)
    hasGivenUp ||= meant.length > 0 && meant.every(({ statename }) => statename === 'FATAL')
    await pause(hasGivenUp ? LOOK_EVERY_MS : KILL_EVERY_MS)
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
