/** What was typed after `trunkline user`, checked; and what may be typed. */
import { ROLES, type Role } from '@trunkline/contract/roles'
import { Email } from '@trunkline/contract/text.schema'
import { UserDraft } from '@trunkline/contract/users/user.schema'
import { COMMAND_NAME, readArguments, UsageFault, verbFault } from './command.ts'
import type { PasswordFrom } from './password.ts'

export const USER_HELP = `  ${COMMAND_NAME} user add --email <address> [options]
      Adds a user, whoever is there already. The first superadmin is made like this too.
        --role <role>         ${ROLES.join(', ')}
                              without it: superadmin
        --first-name <name>   without it: what stands before the @
        --last-name <name>    without it: the role

  ${COMMAND_NAME} user reset-password <address>
      Gives a user a new password. Every session of that user ends, on every machine.

  ${COMMAND_NAME} user reset-second-factor <address>
      Sign-in of that user asks for no code any more, until they turn it on again.

  ${COMMAND_NAME} user require-second-factor <role> …
      Whoever has one of these roles and no second factor sets one up at the next sign-in.
      'none' in place of roles: nobody has to.

  The password is asked twice, unseen. Instead:
        --password-stdin      reads it from stdin, for scripts
        --generate            makes a random one and prints it, once
`

export interface NewUser {
  email: string
  firstName: string
  lastName: string
  role: Role
}

export type UserCommand =
  | { kind: 'add'; user: NewUser; passwordFrom: PasswordFrom }
  | { kind: 'reset'; email: string; passwordFrom: PasswordFrom }
  | { kind: 'resetFactor'; email: string }
  | { kind: 'requireFactor'; roles: Role[] }

const OPTIONS = {
  email: { type: 'string' },
  role: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  'password-stdin': { type: 'boolean' },
  generate: { type: 'boolean' },
} as const

const VERBS = ['add', 'reset-password', 'reset-second-factor', 'require-second-factor']

/** Throws UsageFault for whatever cannot be done as typed. */
export function readUserCommand(args: readonly string[]): UserCommand {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [verb, ...rest] = positionals
  const passwordFrom = passwordSource(values)
  if (verb === 'add') {
    if (rest.length > 0) throw surplus()
    return { kind: 'add', user: newUser(values), passwordFrom }
  }
  if (verb === 'reset-password') {
    return { kind: 'reset', email: onlyAddress(verb, values, rest), passwordFrom }
  }
  if (verb === 'reset-second-factor') {
    if (passwordFrom !== 'terminal') throw new UsageFault(`${verb} takes no password.`)
    return { kind: 'resetFactor', email: onlyAddress(verb, values, rest) }
  }
  if (verb === 'require-second-factor') {
    if (passwordFrom !== 'terminal') throw new UsageFault(`${verb} takes no password.`)
    if (rest.length === 0) throw new UsageFault(`Name the roles, or none: ${verb} <role> ….`)
    const isNone = rest.length === 1 && rest[0] === 'none'
    return { kind: 'requireFactor', roles: isNone ? [] : rest.map(roleOf) }
  }
  throw verbFault('user', verb, VERBS)
}

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values']

/** Of a command that changes what a user signs in with, and nothing else. */
function onlyAddress(
  verb: keyof typeof CHANGES,
  { email: named, role, 'first-name': first, 'last-name': last }: Values,
  rest: readonly string[],
): string {
  if ([role, first, last].some((item) => item !== undefined)) {
    throw new UsageFault(`${verb} changes the ${CHANGES[verb]} and nothing else.`)
  }
  const [email = named, ...more] = rest
  if (more.length > 0) throw surplus()
  if (email === undefined) throw new UsageFault(`Name the user: ${verb} <address>.`)
  return emailOf(email)
}

const CHANGES = { 'reset-password': 'password', 'reset-second-factor': 'second factor' } as const

function passwordSource(values: Values): PasswordFrom {
  const { 'password-stdin': stdin = false, generate = false } = values
  if (stdin && generate) throw new UsageFault('Give --password-stdin or --generate, not both.')
  if (stdin) return 'stdin'
  return generate ? 'random' : 'terminal'
}

function newUser(values: Values): NewUser {
  if (values.email === undefined) throw new UsageFault('--email is missing. Name the address.')
  const email = emailOf(values.email)
  const role = roleOf(values.role ?? 'superadmin')
  return {
    email,
    role,
    firstName: nameOf('--first-name', values['first-name'] ?? email.split('@')[0] ?? ''),
    lastName: nameOf('--last-name', values['last-name'] ?? capital(role)),
  }
}

function emailOf(typed: string): string {
  const { data } = Email.safeParse(typed)
  if (data !== undefined) return data
  throw new UsageFault(`'${typed}' is not an e-mail address.`)
}

function roleOf(typed: string): Role {
  const role = ROLES.find((role) => role === typed.toLowerCase())
  if (role !== undefined) return role
  throw new UsageFault(`There is no role '${typed}'. Roles are ${ROLES.join(', ')}.`)
}

function nameOf(option: string, typed: string): string {
  const { data, error } = UserDraft.shape.firstName.safeParse(typed)
  if (data !== undefined) return data
  throw new UsageFault(`${option} ${error?.issues[0]?.message ?? ''}`)
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function surplus(): UsageFault {
  return new UsageFault(
    'There are too many arguments. A password is never an argument: others on this machine could read it.',
  )
}
