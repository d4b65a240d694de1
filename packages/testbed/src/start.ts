/** `npm start`: API, console and one local agent; on an empty folder the demo site. Ctrl-C ends it all. */
import { randomBytes } from 'node:crypto'
import { ConfigFault, readConfig } from '@trunkline/api/config'
import { DEMO_PEOPLE, SUPERADMIN_EMAIL } from './demo-site.ts'
import { demoState, forgetHalfLoaded, markDemo } from './demo-state.ts'
import { freeTcpPort } from './free-port.ts'
import { seedDemo, signIn } from './seed.ts'
import { keepAlive } from './keep-alive.ts'
import { openSite, type Site } from './site.ts'
import { claimSite, type SiteClaim } from './site-claim.ts'
import { starterFaults, starterSettings, type StarterSettings } from './starter.config.ts'

const PREFERRED_API_PORT = 8080
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

async function main(): Promise<number> {
  const settings = starterSettings(process.env)
  const faults = [...starterFaults(process.env), ...apiFaults(settings.apiEnv)]
  if (faults.length > 0) {
    say('Nothing was started. Correct these settings first:')
    for (const fault of faults) say(`  ${fault}`)
    return 2
  }
  // From here on: a Ctrl-C while things start must end them too.
  const stopSignal = untilStopSignal()
  // Before anything is touched; the last to go.
  await using claim = await claimSite(settings.dataDir)
  await using site = await open(settings, claim)
  await greet(site, settings)
  await keepRunningUntil(site, stopSignal)
  say('Stopping everything that was started here …')
  return 0
}

function apiFaults(apiEnv: Readonly<Record<string, string>>): string[] {
  try {
    readConfig(apiEnv, '')
    return []
  } catch (error) {
    if (error instanceof ConfigFault) return error.message.split('\n')
    throw error
  }
}

interface Starting extends Site {
  /** Empty when the demo is not loaded in this run. */
  newPassword: string
}

async function open(settings: StarterSettings, claim: SiteClaim): Promise<Starting> {
  const loads = settings.demo && demoState(settings.dataDir) !== 'loaded'
  if (loads && settings.databaseUrl === '') await forgetHalfLoaded(settings.dataDir)
  const password = settings.demoPassword || randomBytes(9).toString('base64url')
  say('Starting the API and the host agent …')
  const site = await openSite({
    dataDir: settings.dataDir,
    apiPort: settings.apiPort ?? (await freeTcpPort(PREFERRED_API_PORT)),
    ports: PREFERRED_PORTS,
    apiEnv: { ...settings.apiEnv, ...(loads ? demoAdmin(password) : {}) },
    run: 'bundle',
    onOutput: keepLog,
    claim,
  })
  return Object.assign(site, { newPassword: loads ? password : '' })
}

function demoAdmin(password: string) {
  return { TRUNKLINE_ADMIN_EMAIL: SUPERADMIN_EMAIL, TRUNKLINE_ADMIN_PASSWORD: password }
}

async function greet(site: Starting, settings: StarterSettings): Promise<void> {
  if (site.newPassword !== '') await loadDemo(site, settings, site.newPassword)
  say('')
  say(`  Trunkline is ready: ${site.url}`)
  if (settings.demo) greetDemo(site.newPassword)
  else greetEmpty(site, settings)
  say('  Ctrl-C stops everything that was started here, and nothing else.')
  say('')
}

async function loadDemo(site: Site, settings: StarterSettings, password: string): Promise<void> {
  markDemo(settings.dataDir, 'loading')
  const client = await signIn(site.url, SUPERADMIN_EMAIL, password).catch((error: unknown) => {
    throw new Error(
      'This database has users already, so the demo site was not loaded. Start with TRUNKLINE_DEMO=0, or give an empty database.',
      { cause: error },
    )
  })
  const { plan } = site
  await seedDemo(client, { plan, password, say: (step) => say(`Loading the demo site: ${step} …`) })
  markDemo(settings.dataDir, 'loaded')
}

function greetDemo(newPassword: string): void {
  say('  Sign in as one of these:')
  for (const email of [SUPERADMIN_EMAIL, ...DEMO_PEOPLE.map((person) => person.email)])
    say(`    ${email}`)
  if (newPassword !== '') {
    say(`  Password of all six, shown this once: ${newPassword}`)
    return
  }
  say('  The password is the one printed (or set) when the demo was loaded.')
  say(`  Forgotten? npx trunkline user reset-password ${SUPERADMIN_EMAIL}`)
}

function greetEmpty(site: Site, settings: StarterSettings): void {
  const { encoder, acants, channel } = site.plan.seats
  if (settings.admin !== null) say(`  Sign in as ${settings.admin.email}.`)
  say(
    `  This machine's host agent: encoder port ${encoder.port}, acants port ${acants.port}, channel port ${channel.port};`,
  )
  say(`  its keys are in ${settings.dataDir}/agent.json.`)
}

/** Resolves with the first signal; from the call on, no signal ends this process by itself. */
async function untilStopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => resolve())
  }
  return promise
}

/** Until then whichever of our processes dies is started again: no stream ends because of it. */
async function keepRunningUntil(site: Site, stopSignal: Promise<void>): Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  const keepers = [
    keepAlive({
      name: 'The API',
      current: () => site.api,
      restart: async () => site.restartApi(signal),
      say,
      signal,
    }),
    keepAlive({
      name: 'The host agent',
      current: () => site.agent,
      restart: async () => site.restartAgent(signal),
      say,
      signal,
    }),
  ]
  await stopSignal
  ending.abort()
  await Promise.all(keepers)
}

/** Their own logs go to stderr only when something is wrong enough. */
function keepLog(name: string, text: string): void {
  for (const line of text.split('\n')) {
    if (/"level":(50|60)/.test(line)) process.stderr.write(`${name}: ${line}\n`)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
