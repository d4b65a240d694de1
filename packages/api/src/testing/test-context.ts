/** A context as main opens it, on a database of its own in a temporary folder, for tests. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pino from 'pino'
import type { Config } from '../config.ts'
import { openContext, type Context } from '../context.ts'
import { sqliteFile } from '../db/open.ts'
import { copySqliteTemplate } from './databases.ts'
import { makeFolder } from './folder.ts'

export interface TestContext extends AsyncDisposable {
  ctx: Context
  /** Its temporary folder; removed with it. */
  folder: string
  /** Lines that the product logged, parsed. */
  logged: Record<string, unknown>[]
  /** Sets the clock forward. */
  advance(durationMs: number): void
}

/**
 * `more` overrides settings, `parts` whole members such as `hosts` or `board`, from what was opened.
 * `prepare` makes the database, which is empty otherwise.
 */
export async function makeTestContext(
  more: Partial<Config> = {},
  parts: Partial<Context> | ((opened: Context) => Partial<Context>) = {},
  prepare: (config: Config) => Promise<void> = prepareEmpty,
): Promise<TestContext> {
  const kept = await makeFolder()
  const folder = kept.path
  const logged: Record<string, unknown>[] = []
  const log = pino(
    { level: 'info' },
    { write: (line: string) => logged.push(JSON.parse(line) as Record<string, unknown>) },
  )
  const clock = testClock()
  const config = testConfig(folder, more)
  await prepare(config)
  const opened = await openContext(config, log, clock.now)
  const ctx: Context = { ...opened, ...(typeof parts === 'function' ? parts(opened) : parts) }
  return {
    ctx,
    folder,
    logged,
    advance: clock.advance,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]()
      await kept[Symbol.asyncDispose]()
    },
  }
}

async function prepareEmpty(config: Config): Promise<void> {
  if (config.databaseUrl === null) await copySqliteTemplate(sqliteFile(config))
}

function testConfig(folder: string, more: Partial<Config>): Config {
  return {
    port: 0,
    listenIp: '127.0.0.1',
    dataDir: folder,
    databaseUrl: null,
    secretFile: join(folder, `${randomBytes(4).toString('hex')}.key`),
    processAddress: null,
    agentListen: null,
    agentAddresses: [],
    trustedProxies: [],
    firstAdmin: null,
    allowLocalHosts: true,
    hostPorts: null,
    busNetwork: '239.255',
    consoleDir: join(folder, 'console'),
    signInLimit: 1000,
    connectionLimit: 5000,
    callLimit: 1_000_000,
    answerCacheMegabytes: 32,
    addressConnectionLimit: 1500,
    sessionDays: 7,
    publicUrl: null,
    oidc: null,
    auditDays: 400,
    backupDir: join(folder, 'backups'),
    backupTimes: [],
    backupsKept: 14,
    logLevel: 'info',
    checksAnswers: true,
    ...more,
  }
}

/** Never the same twice, so that 'in order of creation' means something in a fast test. */
function testClock() {
  let lastMs = 0
  let aheadMs = 0
  return {
    now: () => (lastMs = Math.max(Date.now() + aheadMs, lastMs + 1)),
    // Both: many readings within a millisecond have run ahead of the real clock.
    advance: (durationMs: number) => {
      aheadMs += durationMs
      lastMs += durationMs
    },
  }
}
