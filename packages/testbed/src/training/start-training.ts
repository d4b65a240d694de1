/** `npm start` with TRUNKLINE_DEMO=fleet: the training site, loaded at its first start. */
import { SUPERADMIN_EMAIL } from '../demo-site.ts'
import { markDemo } from '../demo-state.ts'
import { CallFailed } from '../api-client.ts'
import {
  apiEnvOf,
  apiPortOf,
  passwordToLoad,
  USERS_ALREADY,
  type StartedSite,
  type StartMeans,
} from '../starter/started-site.ts'
import type { StarterSettings } from '../starter.config.ts'
import { PEOPLE, WHOLE_FLEET } from './fleet.ts'
import { openTrainingControl } from './training-control.ts'
import { openTrainingSite, type TrainingSite } from './training-site.ts'

export async function startTraining(
  settings: StarterSettings,
  { claim, say, keepLog }: StartMeans,
): Promise<StartedSite> {
  await using life = new AsyncDisposableStack()
  const { dataDir } = settings
  const password = await passwordToLoad(settings)
  say('Starting the API and the agents of three hosts …')
  if (password !== null) markDemo(dataDir, 'loading')
  const site = life.use(
    await openTrainingSite({
      dataDir,
      fleet: WHOLE_FLEET,
      apiPort: await apiPortOf(settings),
      apiEnv: apiEnvOf(settings, password),
      onOutput: keepLog,
      claim,
      password,
      say: (step) => say(`Loading the training site: ${step} …`),
    }).catch(withReason),
  )
  markDemo(dataDir, 'loaded')
  await healLeft(site, say)
  life.use(await openTrainingControl(dataDir, site.breaks))
  const end = life.move()
  return {
    url: site.url,
    greeting: greet(settings, password),
    kept: [
      {
        name: 'The API',
        current: () => site.api,
        restart: async (signal) => site.restartApi(signal),
        isSilent: () => false,
      },
      ...site.hosts.map((host) => ({
        name: host.name,
        current: () => host.agent,
        restart: async (signal: AbortSignal) => {
          await host.restartAgent(signal)
          site.note()
        },
        isSilent: () => host.isAway,
      })),
    ],
    [Symbol.asyncDispose]: async () => end.disposeAsync(),
  }
}

function withReason(error: unknown): never {
  const isRefused = error instanceof CallFailed && error.httpStatus === 401
  throw isRefused ? new Error(USERS_ALREADY, { cause: error }) : error
}

/** What was broken when the site was ended or killed. */
async function healLeft({ breaks }: TrainingSite, say: (line: string) => void): Promise<void> {
  if (breaks.list().every(({ since }) => since === null)) return
  try {
    for (const sentence of await breaks.heal(null)) say(sentence)
  } catch (error) {
    say(`Not healed: ${error instanceof Error ? error.message : String(error)}`)
    say('Try again: npx trunkline demo heal')
  }
}

function greet({ dataDir }: StarterSettings, newPassword: string | null): string[] {
  const emails = [SUPERADMIN_EMAIL, ...PEOPLE.map(({ email }) => email)]
  return [
    '  Sign in as one of these:',
    ...emails.map((email) => `    ${email}`),
    ...(newPassword === null
      ? [
          '  The password is the one printed (or set) when the training site was loaded.',
          `  Forgotten? TRUNKLINE_DATA_DIR=${dataDir} npx trunkline user reset-password ${SUPERADMIN_EMAIL}`,
        ]
      : [`  Password of all of them, shown this once: ${newPassword}`]),
    '  Break something, for practice: npx trunkline demo',
  ]
}
