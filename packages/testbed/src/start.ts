/** `npm start`: API, console and one local agent; on an empty folder the demo site. Ctrl-C ends it all. */
import { ConfigFault, readConfig } from '@trunkline/api/config'
import { keepAlive } from './keep-alive.ts'
import { claimSite } from './site-claim.ts'
import { startSite } from './starter/start-site.ts'
import type { StartedSite } from './starter/started-site.ts'
import { starterFaults, starterSettings } from './starter.config.ts'
import { startTraining } from './training/start-training.ts'

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
  const open = settings.demo === 'fleet' ? startTraining : startSite
  await using site = await open(settings, { claim, say, keepLog })
  say('')
  say(`  Trunkline is ready: ${site.url}`)
  for (const line of site.greeting) say(line)
  say('  Ctrl-C stops everything that was started here, and nothing else.')
  say('')
  await keepRunningUntil(site.kept, stopSignal)
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

/** Resolves with the first signal; from the call on, no signal ends this process by itself. */
async function untilStopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => resolve())
  }
  return promise
}

/** Until then whichever of our processes dies is started again: no stream ends because of it. */
async function keepRunningUntil(
  kept: StartedSite['kept'],
  stopSignal: Promise<void>,
): Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  const keepers = kept.map(async ({ name, current, restart, isSilent }) =>
    keepAlive({
      name,
      current,
      restart: async () => restart(signal),
      say: (line) => isSilent() || say(line),
      signal,
    }),
  )
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
