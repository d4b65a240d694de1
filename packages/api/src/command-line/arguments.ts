/** What was typed after `trunkline`, checked; and the page that says what may be typed. */
import { parseArgs } from 'node:util'
import { ROLES, type Role } from '@trunkline/contract/roles'
import { Email } from '@trunkline/contract/text.schema'
import { UserDraft } from '@trunkline/contract/users/user.schema'
import type { PasswordFrom } from './password.ts'

export const HELP = `Trunkline's command line, for the administrator of this machine.

  npx trunkline user add --email <address> [options]
      Adds a user, whoever is there already. The first superadmin is made like this too.
        --role <role>         ${ROLES.join(', ')}
                              without it: superadmin
        --first-name <name>   without it: what stands before the @
        --last-name <name>    without it: the role

  npx trunkline user reset-password <address>
      Gives a user a new password. Every session of that user ends, on every machine.

  The password is asked twice, unseen. Instead:
        --password-stdin      reads it from stdin, for scripts
        --generate            makes a random one and prints it, once

  npx trunkline demo [break <what> | heal [<what>]]
      Causes and heals breaks on a training site that runs (TRUNKLINE_DEMO=fleet npm start), and
      on no other. Alone it lists what can be broken, and what is broken now.

  npx trunkline --help
      This page.

It works on the database that the API uses: run it in the folder where the API was started, or with
the API's own settings (TRUNKLINE_DATA_DIR, or TRUNKLINE_DATABASE_URL and TRUNKLINE_SECRET_FILE).
A running API notices at once.
`

export interface NewUser {
  email: string
  firstName: string
  lastName: string
  role: Role
}

export type Command =
  | { kind: 'help' }
  | { kind: 'add'; user: NewUser; passwordFrom: PasswordFrom }
  | { kind: 'reset'; email: string; passwordFrom: PasswordFrom }

/** Its message is ready to be printed. */
export class UsageFault extends Error {}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  email: { type: 'string' },
  role: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  'password-stdin': { type: 'boolean' },
  generate: { type: 'boolean' },
} as const

/** Throws UsageFault for whatever cannot be done as typed. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parsed(args)
  if (values.help === true) return { kind: 'help' }
  const [noun, verb, ...rest] = positionals
  const passwordFrom = passwordSource(values)
  if (noun === 'user' && verb === 'add') {
    if (rest.length > 0) throw surplus()
    return { kind: 'add', user: newUser(values), passwordFrom }
  }
  if (noun === 'user' && verb === 'reset-password') {
    const { email: named, role, 'first-name': first, 'last-name': last } = values
    if ([role, first, last].some((item) => item !== undefined)) {
      throw new UsageFault('reset-password changes the password and nothing else.')
    }
    const [email = named, ...more] = rest
    if (more.length > 0) throw surplus()
    if (email === undefined) throw new UsageFault('Name the user: reset-password <address>.')
    return { kind: 'reset', email: emailOf(email), passwordFrom }
  }
  if (positionals.length === 0) throw new UsageFault('Name a command.')
  throw new UsageFault(`There is no command '${positionals.slice(0, 2).join(' ')}'.`)
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    // An argument may be a password by mistake: only the option's name is repeated.
    const option = /'(-[^\s'=]*)/.exec(error instanceof Error ? error.message : '')?.[1] ?? ''
    const isKnown = Object.hasOwn(OPTIONS, option.replace(/^--?/, ''))
    throw new UsageFault(
      isKnown ? `${option} is not used like that.` : `There is no option '${option}'.`,
      { cause: error },
    )
  }
}

type Values = ReturnType<typeof parsed>['values']

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
