/** Whether this data folder's demo site was loaded; a load that was cut off starts again from nothing. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shutdownSupervisor } from '@trunkline/agent/supervisor/supervisor.process'

export type DemoState = 'none' | 'loading' | 'loaded'

export function demoState(dataDir: string): DemoState {
  const file = join(dataDir, 'demo')
  if (!existsSync(file)) return 'none'
  return readFileSync(file, 'utf8').trim() === 'loaded' ? 'loaded' : 'loading'
}

export function markDemo(dataDir: string, state: DemoState): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'demo'), `${state}\n`)
}

/** Removes what a cut-off load left, in the embedded database and on the host; nothing else is touched. */
export async function forgetHalfLoaded(dataDir: string): Promise<void> {
  if (demoState(dataDir) !== 'loading') return
  for (const folder of agentFolders(dataDir)) await shutdownSupervisor(folder)
  for (const name of readdirSync(dataDir)) {
    if (/\.db(-wal|-shm)?$/.test(name) || name === 'agent' || name === 'agents') {
      rmSync(join(dataDir, name), { recursive: true, force: true })
    }
  }
}

/** Of the plain demo one, of a training site one for each host. */
function agentFolders(dataDir: string): string[] {
  const hosts = join(dataDir, 'agents')
  const ofHosts = existsSync(hosts) ? readdirSync(hosts).map((name) => join(hosts, name)) : []
  return existsSync(join(dataDir, 'agent')) ? [join(dataDir, 'agent'), ...ofHosts] : ofHosts
}
