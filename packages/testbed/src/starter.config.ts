/** The starter's own settings, read together with the API's so that all faults are named at once. */
import { join, resolve } from 'node:path'
import { PASSWORD_MIN_CHARACTERS } from '@trunkline/contract/users/password.rules'
import { demoState } from './demo-state.ts'
import { repositoryRoot } from './repository.ts'

export interface StarterSettings {
  demo: boolean
  /** '' lets the starter make one. */
  demoPassword: string
  dataDir: string
  /** Null when none is named: 8080, or the next free one. */
  apiPort: number | null
  databaseUrl: string
  admin: { email: string; password: string } | null
  /** Everything the API reads itself, passed on as it came. */
  apiEnv: Record<string, string>
}

const OWN = new Set(['TRUNKLINE_DEMO', 'TRUNKLINE_DEMO_PASSWORD'])

/** Faults of the starter's own settings; the API's are the API's to name. */
export function starterFaults(env: NodeJS.ProcessEnv): string[] {
  const faults: string[] = []
  const demo = env['TRUNKLINE_DEMO'] ?? '1'
  if (demo !== '0' && demo !== '1') {
    faults.push(
      `TRUNKLINE_DEMO must be 1 (load the demo site) or 0 (an empty site), not '${demo}'.`,
    )
  }
  const password = env['TRUNKLINE_DEMO_PASSWORD']
  // A demo site that is loaded has its password already.
  const isRead = demoState(dataDirOf(env)) !== 'loaded'
  if (isRead && password !== undefined && password.length < PASSWORD_MIN_CHARACTERS) {
    faults.push(
      `TRUNKLINE_DEMO_PASSWORD must be at least ${PASSWORD_MIN_CHARACTERS} characters long. Lengthen it, or leave it out for a random one.`,
    )
  }
  return faults
}

export function starterSettings(env: NodeJS.ProcessEnv): StarterSettings {
  const email = env['TRUNKLINE_ADMIN_EMAIL'] ?? ''
  const password = env['TRUNKLINE_ADMIN_PASSWORD'] ?? ''
  return {
    demo: env['TRUNKLINE_DEMO'] !== '0',
    demoPassword: env['TRUNKLINE_DEMO_PASSWORD'] ?? '',
    dataDir: dataDirOf(env),
    apiPort: env['TRUNKLINE_PORT'] ? Number(env['TRUNKLINE_PORT']) : null,
    databaseUrl: env['TRUNKLINE_DATABASE_URL'] ?? '',
    admin: email !== '' && password !== '' ? { email, password } : null,
    apiEnv: Object.fromEntries(
      Object.entries(env).filter(
        (pair): pair is [string, string] =>
          pair[0].startsWith('TRUNKLINE_') && !OWN.has(pair[0]) && pair[1] !== undefined,
      ),
    ),
  }
}

function dataDirOf(env: NodeJS.ProcessEnv): string {
  return resolve(env['TRUNKLINE_DATA_DIR'] || join(repositoryRoot(), '.trunkline', 'data'))
}
