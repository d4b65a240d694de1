/**
 * `node main.js <config.json>`: configuration, agent, signals. Programs outlive it. `node main.js enrol`:
 * a certificate for a seat. `node main.js prepare-programs <config.json>`: what supervisord reads, for
 * the service that starts it; prints the folder to start it in. `node main.js doctor`: what is missing
 * or wrong on this host.
 */
import { destination, pino } from 'pino'
import { openAgent } from './app.ts'
import { ConfigRefused, DEFAULT_CONFIG, logLevel, readConfig } from './config.ts'
import { doctor } from './doctor/doctor-command.ts'
import { enrol } from './identity/enrol-command.ts'
import { prepareSupervisor } from './supervisor/supervisor.process.ts'

const USAGE =
  'Usage: trunkline-agent <configuration.json>, trunkline-agent enrol …, or trunkline-agent doctor'

/** A console that hangs takes the request and says nothing. */
const WAITING = 'The console has not answered yet. Waiting for it, for at most 30 s.'
const WAITING_AFTER_MS = 2000

async function main(): Promise<void> {
  const [file, ...args] = process.argv.slice(2)
  if (file === undefined) throw new ConfigRefused(USAGE)
  if (file === 'enrol') {
    const waiting = setTimeout(() => process.stderr.write(`${WAITING}\n`), WAITING_AFTER_MS)
    process.stdout.write(`${await enrol(args).finally(() => clearTimeout(waiting))}\n`)
    return
  }
  if (file === 'doctor') {
    const { text, exitCode } = await doctor(args)
    process.stdout.write(text)
    process.exitCode = exitCode
    return
  }
  if (file === 'prepare-programs') {
    const { dataDir } = readConfig(args[0] ?? DEFAULT_CONFIG)
    process.stdout.write(`${await prepareSupervisor(dataDir)}\n`)
    return
  }
  const config = readConfig(file)
  const log = pino({ level: logLevel(), base: null }, destination({ fd: 2, sync: true }))
  const agent = await openAgent(config, log)
  const end = async () => {
    await agent[Symbol.asyncDispose]()
    process.exit(0)
  }
  let ending: Promise<void> | null = null
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      ending ??= end()
    })
  }
  process.send?.({ type: 'ready' })
  log.info('the agent is ready')
}

main().catch((error: unknown) => {
  const words = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${words}\n`)
  process.exit(1)
})
