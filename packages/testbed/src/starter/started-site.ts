/** A site that the starter runs, whatever kind of site it is. */
import { randomBytes } from 'node:crypto'
import type { OwnProcess } from '../child.ts'
import { SUPERADMIN_EMAIL } from '../demo-site.ts'
import { demoState, forgetHalfLoaded } from '../demo-state.ts'
import { freeTcpPort } from '../free-port.ts'
import type { SiteClaim } from '../site-claim.ts'
import type { StarterSettings } from '../starter.config.ts'

interface KeptPart {
  name: string
  current: () => OwnProcess
  restart: (signal: AbortSignal) => Promise<void>
  /** Its end is meant: nothing is said of it. */
  isSilent: () => boolean
}

export interface StartedSite extends AsyncDisposable {
  url: string
  /** What people read below the address, line by line. */
  greeting: readonly string[]
  /** Started again when they end by themselves. */
  kept: readonly KeptPart[]
}

export interface StartMeans {
  claim: SiteClaim
  say: (line: string) => void
  /** Of the logs of our processes. */
  keepLog: (name: string, text: string) => void
}

const PREFERRED_API_PORT = 8080

export async function apiPortOf({ apiPort }: StarterSettings): Promise<number> {
  return apiPort ?? freeTcpPort(PREFERRED_API_PORT)
}

/** Of all people, where the site is to be loaded in this run; null: it was loaded before. */
export async function passwordToLoad(settings: StarterSettings): Promise<string | null> {
  const { demo, dataDir, databaseUrl, demoPassword } = settings
  if (demo === 'none' || demoState(dataDir) === 'loaded') return null
  if (databaseUrl === '') await forgetHalfLoaded(dataDir)
  return demoPassword || randomBytes(9).toString('base64url')
}

export function apiEnvOf(
  { apiEnv }: StarterSettings,
  password: string | null,
): Record<string, string> {
  if (password === null) return apiEnv
  const admin = { TRUNKLINE_ADMIN_EMAIL: SUPERADMIN_EMAIL, TRUNKLINE_ADMIN_PASSWORD: password }
  return { ...apiEnv, ...admin }
}

export const USERS_ALREADY =
  'This database has users already, so the demo site was not loaded. Start with TRUNKLINE_DEMO=0, or give an empty database.'
