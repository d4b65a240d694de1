/**
 * The command line for the administrator of the machine: users and passwords, without a session.
 * Started by bin/trunkline.mjs as `npx trunkline`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import {
  HELP,
  readCommand,
  UsageFault,
  type Command,
  type NewUser,
} from './command-line/arguments.ts'
import { readPassword, type PasswordFrom } from './command-line/password.ts'
import { isPlaceGiven, processConfig, type Config } from './config.ts'
import { openContext, type OpenContext } from './context.ts'
import { AppError } from './errors.ts'
import { storageFault } from './http/storage-fault.ts'
import * as userService from './users/user.service.ts'

/** Answers the exit code: 0, or 1 with a sentence on stderr. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    process.stdout.write(await run(readCommand(args)))
    return 0
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    return 1
  }
}

async function run(command: Command): Promise<string> {
  switch (command.kind) {
    case 'help':
      return HELP
    case 'add':
      return add(command.user, command.passwordFrom)
    case 'reset':
      return reset(command.email, command.passwordFrom)
  }
}

async function add(user: NewUser, from: PasswordFrom): Promise<string> {
  await using ctx = await open({ mayBeMade: isPlaceGiven() })
  const { email, role } = user
  if ((await userService.findByEmail(ctx, email)) !== null) throw taken(email)
  const password = await readPassword(from)
  const { firstName, lastName } = user
  await userService
    .addByCommand(ctx, { email, firstName, lastName, mode: role, password })
    .catch((error: unknown) => {
      // Somebody else took it while the password was typed.
      throw error instanceof AppError && error.code === 'conflict' ? taken(email) : error
    })
  return `Added ${email} as ${role}.\n${shownOnce(from, password)}`
}

function taken(email: string): Error {
  return new Error(
    `There is a user ${email} already. Use another address, or give that user a new password: npx trunkline user reset-password ${email}`,
  )
}

async function reset(email: string, from: PasswordFrom): Promise<string> {
  await using ctx = await open({ mayBeMade: false })
  const unknown = new Error(`There is no user ${email}. Check the address.`)
  if ((await userService.findByEmail(ctx, email)) === null) throw unknown
  const password = await readPassword(from)
  if (!(await userService.resetPassword(ctx, email, password))) throw unknown
  return `${email} has a new password, and every session of that user was ended.\n${shownOnce(from, password)}`
}

function shownOnce(from: PasswordFrom, password: string): string {
  return from === 'random' ? `Password, shown this once: ${password}\n` : ''
}

/**
 * A database that is not there is made for its first user only, and only where the settings say so,
 * not where somebody happens to stand.
 */
async function open({ mayBeMade }: { mayBeMade: boolean }): Promise<OpenContext> {
  const config = processConfig()
  if (!mayBeMade && config.databaseUrl === null && !existsSync(sqliteFile(config))) {
    throw new Error(
      `There is no database at ${sqliteFile(config)}. Run this in the folder where Trunkline was started, or set TRUNKLINE_DATA_DIR or TRUNKLINE_DATABASE_URL as the API has it.`,
    )
  }
  return openContext(config, pino({ level: 'silent' }), Date.now)
}

function sqliteFile(config: Config): string {
  return join(config.dataDir, 'trunkline.db')
}

function sentenceOf(error: unknown): string {
  if (error instanceof UsageFault) return `${error.message} See npx trunkline --help.`
  const cause = storageFault(error) ?? error
  return cause instanceof Error ? cause.message : String(cause)
}
