/**
 * Every command of `trunkline`, in the order of the help page. Each is loaded when it is called: a client
 * of the API needs neither its database nor the rest of it.
 */
import { COMMAND_NAME, type Command } from './command.ts'

const object = (noun: string) => async () => {
  const { objectCommands } = await import('./objects/object.command.ts')
  return objectCommands.find((command) => command.noun === noun)
}

const LOADERS: Readonly<Record<string, () => Promise<Command | undefined>>> = {
  user: async () => (await import('./user.command.ts')).userCommand,
  backup: async () => (await import('./backup.command.ts')).backupCommand,
  restore: async () => (await import('./backup.command.ts')).restoreCommand,
  audit: async () => (await import('./audit.command.ts')).auditCommand,
  doctor: async () => (await import('./doctor.command.ts')).doctorCommand,
  whoami: async () => (await import('./whoami.command.ts')).whoamiCommand,
  export: async () => (await import('./export.command.ts')).exportCommand,
  apply: async () => (await import('./apply.command.ts')).applyCommand,
  encoder: object('encoder'),
  feeder: object('feeder'),
  input: object('input'),
  output: object('output'),
  channel: object('channel'),
  server: object('server'),
  events: async () => (await import('./objects/events.command.ts')).eventsCommand,
}

/** Undefined: there is no such command. */
export async function loadCommand(noun: string): Promise<Command | undefined> {
  return Object.hasOwn(LOADERS, noun) ? LOADERS[noun]?.() : undefined
}

const IS_INSTALLED = COMMAND_NAME === 'trunkline'

/** Training sites are the testbed's: bin/trunkline.mjs runs these before the API's are looked at. */
const DEMO_HELP = `
  npx trunkline demo [break <what> | heal [<what>]]
      Causes and heals breaks on a training site that runs (TRUNKLINE_DEMO=fleet npm start), and
      on no other. Alone it lists what can be broken, and what is broken now.
`

const ON_DATABASE = IS_INSTALLED
  ? `the database that the API uses, by the settings
in /etc/trunkline/trunkline.env, which the service has too.`
  : `the database that the API uses: run it in the folder
where the API was started, or with the API's own settings (TRUNKLINE_DATA_DIR, or
TRUNKLINE_DATABASE_URL and TRUNKLINE_SECRET_FILE).`

const PLACES = `whoami, export, apply, events and the commands of objects are clients of the API: they take its address from
TRUNKLINE_URL and an API token from TRUNKLINE_TOKEN. The others work on ${ON_DATABASE}
A running API notices at once.
`

const NO_CLIENTS = new Set(['user', 'backup', 'restore', 'audit', 'doctor'])
const CLIENT_PLACE = `It is a client of the API: it takes its address from TRUNKLINE_URL and an API token from
TRUNKLINE_TOKEN, made in the console under Access, API tokens.`
const DATABASE_PLACE = `It works on ${ON_DATABASE}`

export async function helpText(): Promise<string> {
  const commands = await Promise.all(Object.keys(LOADERS).map(loadCommand))
  const help = commands.map((command) => command?.help ?? '')
  return `Trunkline's command line, for the administrator of this machine.

${help.join('\n')}${IS_INSTALLED ? '' : DEMO_HELP}
  ${COMMAND_NAME} --help
      This page. After a command: the help of that command alone.

  ${COMMAND_NAME} --version
      The version of this command.

${PLACES}`
}

/** Of a single command. */
export function helpOf({ noun, help }: Command): string {
  return `${help}
${NO_CLIENTS.has(noun) ? DATABASE_PLACE : CLIENT_PLACE}
${COMMAND_NAME} --help lists all commands.
`
}
