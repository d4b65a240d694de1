/** `trunkline user`: people and their passwords, without a session. */
import type { Role } from '@trunkline/contract/roles'
import { isPlaceGiven } from '../config.ts'
import { AppError } from '../errors.ts'
import * as requiredFactorService from '../users/second-factor/required-factor.service.ts'
import * as secondFactorService from '../users/second-factor/second-factor.service.ts'
import * as userService from '../users/user.service.ts'
import { COMMAND_NAME, type Command } from './command.ts'
import { openDatabase } from './database.ts'
import { readPassword, type PasswordFrom } from './password.ts'
import { readUserCommand, USER_HELP, type NewUser } from './user-arguments.ts'

export const userCommand: Command = {
  noun: 'user',
  help: USER_HELP,
  async run(args) {
    const command = readUserCommand(args)
    switch (command.kind) {
      case 'add':
        return add(command.user, command.passwordFrom)
      case 'reset':
        return reset(command.email, command.passwordFrom)
      case 'resetFactor':
        return resetFactor(command.email)
      case 'requireFactor':
        return requireFactor(command.roles)
    }
  },
}

async function add(user: NewUser, from: PasswordFrom): Promise<string> {
  await using ctx = await openDatabase({ mayBeMade: isPlaceGiven() })
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
    `There is a user ${email} already. Use another address, or give that user a new password: ${COMMAND_NAME} user reset-password ${email}`,
  )
}

async function reset(email: string, from: PasswordFrom): Promise<string> {
  await using ctx = await openDatabase({ mayBeMade: false })
  const unknown = new Error(`There is no user ${email}. Check the address.`)
  if ((await userService.findByEmail(ctx, email)) === null) throw unknown
  const password = await readPassword(from)
  if (!(await userService.resetPassword(ctx, email, password))) throw unknown
  return `${email} has a new password, and every session of that user was ended.\n${shownOnce(from, password)}`
}

async function resetFactor(email: string): Promise<string> {
  await using ctx = await openDatabase({ mayBeMade: false })
  if ((await userService.findByEmail(ctx, email)) === null) {
    throw new Error(`There is no user ${email}. Check the address.`)
  }
  const hadOne = await secondFactorService.resetByCommand(ctx, email)
  return hadOne
    ? `${email} signs in without a code, until they turn on a second factor again.\n`
    : `${email} has no second factor. Nothing was changed.\n`
}

async function requireFactor(roles: readonly Role[]): Promise<string> {
  await using ctx = await openDatabase({ mayBeMade: false })
  await requiredFactorService.saveByCommand(ctx, roles)
  return roles.length === 0
    ? 'Nobody has to have a second factor.\n'
    : `From the next sign-in on these roles need a second factor: ${roles.join(', ')}.\n`
}

function shownOnce(from: PasswordFrom, password: string): string {
  return from === 'random' ? `Password, shown this once: ${password}\n` : ''
}
