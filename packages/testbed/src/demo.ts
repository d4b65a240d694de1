/** A demo site in a folder of its own on free ports, loaded and started: for tests and benches. */
import { seedDemo, signIn, type DemoIds } from './seed.ts'
import { SUPERADMIN_EMAIL, type EncoderRate } from './demo-site.ts'
import type { Client } from './api-client.ts'
import { openSite, type Site } from './site.ts'

export interface DemoSite extends Site {
  readonly ids: DemoIds
  /** The superadmin's. */
  readonly client: Client
}

export interface DemoOptions {
  dataDir: string
  password: string
  /** As in `SiteOptions`: small pictures cost an eighth. */
  coverFile?: string
  /** Of the demo's encoder; that of its preset unless given. */
  encoderRate?: EncoderRate
}

export async function openDemoSite(options: DemoOptions): Promise<DemoSite> {
  const site = await openSite({
    dataDir: options.dataDir,
    apiPort: 0,
    ports: 'own range',
    apiEnv: {
      TRUNKLINE_ADMIN_EMAIL: SUPERADMIN_EMAIL,
      TRUNKLINE_ADMIN_PASSWORD: options.password,
      TRUNKLINE_SECRET_FILE: `${options.dataDir}.key`,
      // Tests sign in more often in a minute than people do.
      TRUNKLINE_SIGN_IN_LIMIT: '1000',
    },
    coverFile: options.coverFile,
    onOutput: keepQuiet,
  })
  try {
    const client = await signIn(site.url, SUPERADMIN_EMAIL, options.password)
    const { password, encoderRate } = options
    const { plan } = site
    const ids = await seedDemo(client, { plan, password, encoderRate, say: keepQuiet })
    return Object.assign(site, { ids, client })
  } catch (error) {
    await site[Symbol.asyncDispose]()
    throw error
  }
}

function keepQuiet(): void {}
