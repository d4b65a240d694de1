/** The starter's own settings, read together with the API's so that all faults are named at once. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PASSWORD_MIN_CHARACTERS } from '@trunkline/contract/users/password.rules'
import { demoState } from './demo-state.ts'
import { defaultTrainingDir } from './training/training-folder.ts'
import { storedTrainingPlan } from './training/training-plan.ts'
import { repositoryRoot } from './repository.ts'

type Demo = 'none' | 'chain' | 'fleet'
const DEMOS: Readonly<Record<string, Demo>> = { 0: 'none', 1: 'chain', fleet: 'fleet' }

export interface StarterSettings {
  /** What is loaded into an empty folder: nothing, one chain, or the training site. */
  demo: Demo
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
  if (!Object.hasOwn(DEMOS, demo)) {
    faults.push(
      `TRUNKLINE_DEMO must be 1 (load the demo site), fleet (the training site) or 0 (an empty site), not '${demo}'.`,
    )
  }
  const folderFault = otherSiteFault(dataDirOf(env), demoOf(env))
  if (folderFault !== '') faults.push(folderFault)
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
    demo: demoOf(env),
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

function demoOf(env: NodeJS.ProcessEnv): Demo {
  return DEMOS[env['TRUNKLINE_DEMO'] ?? '1'] ?? 'chain'
}

function dataDirOf(env: NodeJS.ProcessEnv): string {
  const own =
    demoOf(env) === 'fleet' ? defaultTrainingDir() : join(repositoryRoot(), '.trunkline', 'data')
  return resolve(env['TRUNKLINE_DATA_DIR'] || own)
}

/** A training site and another one are not started on each other's folder; '' when all is well. */
function otherSiteFault(dataDir: string, demo: Demo): string {
  const isTraining = storedTrainingPlan(dataDir) !== null
  if (isTraining && demo !== 'fleet') {
    return `${dataDir} holds a training site. Start it with TRUNKLINE_DEMO=fleet, or name another folder in TRUNKLINE_DATA_DIR.`
  }
  if (demo !== 'fleet') return ''
  if (!isTraining && isUsed(dataDir)) {
    return `${dataDir} holds another site, which is never made a training site. Name an empty folder in TRUNKLINE_DATA_DIR.`
  }
  return PLAIN_PATH.test(dataDir)
    ? ''
    : `A training site needs a data folder whose path has letters, digits and . _ - / only, not ${dataDir}. Name another folder in TRUNKLINE_DATA_DIR.`
}

/** Stands inside the filters of ffmpeg. */
const PLAIN_PATH = /^[A-Za-z0-9/._-]+$/

function isUsed(dataDir: string): boolean {
  return ['site.json', 'trunkline.db'].some((name) => existsSync(join(dataDir, name)))
}
