/** How the processes of a site are started: the API and its host agents, each a Node of its own. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessStart } from './child.ts'
import { repositoryRoot } from './repository.ts'

interface StartOptions {
  onOutput: (name: 'api' | 'agent', text: string) => void
}

/** A small young generation: these processes hold little and run for months. Saves about 15 MB of two. */
const LEAN = ['--max-semi-space-size=1']

/** `port` 0: any free one. */
export function apiStart(
  options: StartOptions & { dataDir: string; apiEnv: Readonly<Record<string, string>> },
  port: number,
): ProcessStart {
  return {
    name: 'The API',
    node: process.execPath,
    args: [...LEAN, entryOf('api')],
    env: {
      ...inherited(),
      TRUNKLINE_ALLOW_LOCAL_HOSTS: '1',
      ...options.apiEnv,
      TRUNKLINE_PORT: String(port),
      TRUNKLINE_DATA_DIR: options.dataDir,
    },
    onOutput: (text: string) => options.onOutput('api', text),
  }
}

export function agentStart(
  name: string,
  { onOutput }: StartOptions,
  configFile: string,
): ProcessStart {
  return {
    name,
    node: process.execPath,
    args: [...LEAN, entryOf('agent'), configFile],
    env: inherited(),
    onOutput: (text: string) => onOutput('agent', text),
  }
}

/** Where a browser on this machine finds the API. */
export function baseUrl(apiEnv: Readonly<Record<string, string>>, port: number): string {
  const listenIp = apiEnv['TRUNKLINE_LISTEN_IP'] ?? ''
  const isAny = listenIp === '' || listenIp === '0.0.0.0' || listenIp === '::'
  return `http://${isAny ? '127.0.0.1' : listenIp}:${port}`
}

/** What Node is given to start it: what is built, which starts fast, and its source where nothing is. */
export function entryOf(name: 'api' | 'agent'): string {
  const bundle = join(repositoryRoot(), 'packages', name, 'dist', 'main.js')
  if (existsSync(bundle)) return bundle
  return join(repositoryRoot(), 'packages', name, 'src', 'main.ts')
}

/** PATH and the like; no setting of ours passes by accident. */
function inherited(): Record<string, string> {
  const pairs = Object.entries(process.env).filter(
    ([name, value]) => !name.startsWith('TRUNKLINE_') && value !== undefined,
  )
  return Object.fromEntries(pairs) as Record<string, string>
}
