/** The plain demo, or an empty site: one host agent on this machine. */
import { DEMO_PEOPLE, SUPERADMIN_EMAIL } from '../demo-site.ts'
import { markDemo } from '../demo-state.ts'
import { seedDemo, signIn } from '../seed.ts'
import { openSite, type Site } from '../site.ts'
import {
  apiEnvOf,
  apiPortOf,
  passwordToLoad,
  USERS_ALREADY,
  type StartedSite,
  type StartMeans,
} from './started-site.ts'
import type { StarterSettings } from '../starter.config.ts'

/** What an agent is offered first; the encoder dialog's default port is 8000 (CONST-12). */
const PREFERRED_PORTS = {
  encoder: 8000,
  acants: 8010,
  channel: 8020,
  encoderOutput: 5000,
  feederToInput: 6000,
  srtToChannel: 6010,
  ristToChannel: 6020,
}

export async function startSite(
  settings: StarterSettings,
  { claim, say, keepLog }: StartMeans,
): Promise<StartedSite> {
  const password = await passwordToLoad(settings)
  say('Starting the API and the host agent …')
  const site = await openSite({
    dataDir: settings.dataDir,
    apiPort: await apiPortOf(settings),
    ports: PREFERRED_PORTS,
    apiEnv: apiEnvOf(settings, password),
    onOutput: keepLog,
    claim,
  })
  try {
    if (password !== null) await loadDemo(site, settings, { password, say })
  } catch (error) {
    await site[Symbol.asyncDispose]()
    throw error
  }
  return {
    url: site.url,
    greeting: settings.demo === 'none' ? greetEmpty(site, settings) : greetDemo(password),
    kept: [
      {
        name: 'The API',
        current: () => site.api,
        restart: async (signal) => site.restartApi(signal),
        isSilent: () => false,
      },
      {
        name: 'The host agent',
        current: () => site.agent,
        restart: async (signal) => site.restartAgent(signal),
        isSilent: () => false,
      },
    ],
    [Symbol.asyncDispose]: async () => site[Symbol.asyncDispose](),
  }
}

async function loadDemo(
  site: Site,
  { dataDir }: StarterSettings,
  { password, say }: { password: string } & Pick<StartMeans, 'say'>,
): Promise<void> {
  markDemo(dataDir, 'loading')
  const client = await signIn(site.url, SUPERADMIN_EMAIL, password).catch((error: unknown) => {
    throw new Error(USERS_ALREADY, { cause: error })
  })
  const { plan } = site
  await seedDemo(client, { plan, password, say: (step) => say(`Loading the demo site: ${step} …`) })
  markDemo(dataDir, 'loaded')
}

function greetDemo(newPassword: string | null): string[] {
  const emails = [SUPERADMIN_EMAIL, ...DEMO_PEOPLE.map((person) => person.email)]
  return [
    '  Sign in as one of these:',
    ...emails.map((email) => `    ${email}`),
    ...(newPassword === null
      ? [
          '  The password is the one printed (or set) when the demo was loaded.',
          `  Forgotten? npx trunkline user reset-password ${SUPERADMIN_EMAIL}`,
        ]
      : [`  Password of all six, shown this once: ${newPassword}`]),
  ]
}

function greetEmpty({ plan }: Site, { admin, dataDir }: StarterSettings): string[] {
  const { encoder, acants, channel } = plan.seats
  return [
    ...(admin === null ? [] : [`  Sign in as ${admin.email}.`]),
    `  This machine's host agent: encoder port ${encoder.port}, acants port ${acants.port}, channel port ${channel.port};`,
    `  its keys are in ${dataDir}/agent.json.`,
  ]
}
