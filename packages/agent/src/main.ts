/**
 * `node main.js <config.json>`: configuration, agent, signals. Programs outlive it. `node main.js enrol`:
 * a certificate for a seat.
 */
import { destination, pino } from 'pino'
import { openAgent } from './app.ts'
import { ConfigRefused, logLevel, readConfig } from './config.ts'
import { enrol } from './identity/enrol-command.ts'

async function main(): Promise<void> {
  const [file, ...args] = process.argv.slice(2)
  if (file === undefined) throw new ConfigRefused('Usage: node main.js <configuration.json>')
  if (file === 'enrol') {
    process.stdout.write(`${await enrol(args)}\n`)
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
