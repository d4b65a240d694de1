/** The API's process: settings, context, application, listening, and an orderly end. */
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { openAlarms } from './alarms/alarm-keeper.service.ts'
import { openMaintenance } from './alarms/maintenance/maintenance.service.ts'
import { openOverrides } from './alarms/overrides/override.service.ts'
import { openBackups } from './backup/backup.service.ts'
import { buildApp } from './app.ts'
import { openRetention } from './audit/retention.service.ts'
import { openReceiverSwitches } from './paths/receiver-switches.service.ts'
import { openRecordSeals } from './audit/seals/record-seal.service.ts'
import { processConfig, redactedConfig, type Config } from './config.ts'
import { openContext } from './context.ts'
import { openHistory } from './links/history/history-recorder.service.ts'
import { openTransportHistory } from './links/transport/transport-recorder.service.ts'
import { lockFolder } from './db/sqlite/folder-lock.ts'
import { answerGaugeQuestions } from './event-loop.ts'
import { openEvents } from './events/event-recorder.service.ts'
import { openNotifier } from './notifications/notifier.service.ts'
import { openOnAirEvents } from './on-air/on-air-events.service.ts'
import { openFleet } from './fleet/fleet.service.ts'
import { openSchedules } from './schedules/schedule-runner.service.ts'
import { storageFault } from './http/storage-fault.ts'
import { addFirstAdmin } from './users/user.service.ts'

async function main(): Promise<void> {
  const config = processConfig()
  const log = pino({ level: config.logLevel, base: null })
  log.info({ config: redactedConfig(config) }, `${PRODUCT_NAME} starts.`)
  // PostgreSQL may have several: they tell each other what changes.
  const lock = config.databaseUrl === null ? lockFolder(config.dataDir, 'api') : null
  const ctx = await openContext(config, log, Date.now)
  await addFirstAdmin(ctx)
  const app = await buildApp(ctx)
  // Lists are answered at once; what is about the hosts waits until their records are read.
  ctx.programs.expectOpening()
  await app.listen(listenOptions(config)).catch((error: unknown) => {
    throw listenFault(config, error)
  })
  const history = openHistory(ctx)
  const transportHistory = openTransportHistory(ctx)
  const events = openEvents(ctx)
  const airEvents = openOnAirEvents(ctx)
  const maintenance = openMaintenance(ctx)
  const overrides = await openOverrides(ctx)
  const receiverSwitches = openReceiverSwitches(ctx)
  const alarms = openAlarms(ctx)
  const notifier = openNotifier(ctx)
  const fleet = openFleet(ctx)
  const retention = openRetention(ctx)
  const recordSeals = openRecordSeals(ctx)
  const backups = openBackups(ctx)
  const schedules = openSchedules(ctx)

  let isEnding = false
  const end = async () => {
    if (isEnding) return
    isEnding = true
    await app.close()
    await schedules[Symbol.asyncDispose]()
    await backups[Symbol.asyncDispose]()
    await recordSeals[Symbol.asyncDispose]()
    await retention[Symbol.asyncDispose]()
    ctx.programs.stopOpening()
    await (await fleet)[Symbol.asyncDispose]()
    await history[Symbol.asyncDispose]()
    await transportHistory[Symbol.asyncDispose]()
    await events[Symbol.asyncDispose]()
    await airEvents[Symbol.asyncDispose]()
    await alarms[Symbol.asyncDispose]()
    await receiverSwitches[Symbol.asyncDispose]()
    await overrides[Symbol.asyncDispose]()
    await maintenance[Symbol.asyncDispose]()
    await notifier[Symbol.asyncDispose]()
    await ctx[Symbol.asyncDispose]()
    lock?.[Symbol.dispose]()
    process.exit(0)
  }
  // Once each: whoever asks a second time does not want to wait.
  process.once('SIGTERM', () => void end())
  process.once('SIGINT', () => void end())
  const { port } = app.server.address() as AddressInfo
  answerGaugeQuestions()
  process.send?.({ type: 'ready', port })
  await fleet
  // Where NODE_COMPILE_CACHE names a folder. Node itself does it only at an orderly end.
  flushCompileCache()
}

/**
 * Browsers of a shift that come back in one moment, each with six connections. What is beyond it is dropped by the
 * kernel, and tried again a second later.
 */
const BACKLOG = 4096

function listenOptions(config: Config) {
  return {
    port: config.port,
    host: config.listenIp,
    backlog: BACKLOG,
    listenTextResolver: (address: string) => `${PRODUCT_NAME} listens on ${address}.`,
  }
}

/** One sentence for what an operator can mend. */
function listenFault(config: Config, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const where = `port ${config.port} of ${config.listenIp}`
  if (code === 'EADDRINUSE') {
    return new Error(
      `Another program uses ${where}. End it, or set TRUNKLINE_PORT to another port (0 takes any free one).`,
    )
  }
  if (code === 'EACCES') {
    return new Error(`This account may not listen on ${where}. Set TRUNKLINE_PORT to 1024 or more.`)
  }
  if (code === 'EADDRNOTAVAIL') {
    return new Error(
      `This machine has no address ${config.listenIp}. Set TRUNKLINE_LISTEN_IP to one of its own.`,
    )
  }
  return error instanceof Error ? error : new Error(String(error))
}

try {
  await main()
} catch (error) {
  const fault = storageFault(error) ?? error
  process.stderr.write(`${fault instanceof Error ? fault.message : String(fault)}\n`)
  process.exit(1)
}
