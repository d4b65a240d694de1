/** Every command of `trunkline`, in the order of the help page. */
import { applyCommand } from './apply.command.ts'
import { backupCommand, restoreCommand } from './backup.command.ts'
import { COMMAND_NAME, type Command } from './command.ts'
import { doctorCommand } from './doctor.command.ts'
import { exportCommand } from './export.command.ts'
import { eventsCommand } from './objects/events.command.ts'
import { objectCommands } from './objects/object.command.ts'
import { userCommand } from './user.command.ts'

export const COMMANDS: readonly Command[] = [
  userCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  exportCommand,
  applyCommand,
  ...objectCommands,
  eventsCommand,
]

const IS_INSTALLED = COMMAND_NAME === 'trunkline'

/** Training sites are the testbed's: bin/trunkline.mjs runs these before the API's are looked at. */
const DEMO_HELP = `
  npx trunkline demo [break <what> | heal [<what>]]
      Causes and heals breaks on a training site that runs (TRUNKLINE_DEMO=fleet npm start), and
      on no other. Alone it lists what can be broken, and what is broken now.
`

const PROJECT_PLACE = `run it in the folder where the API was started, or with
the API's own settings (TRUNKLINE_DATA_DIR, or TRUNKLINE_DATABASE_URL and TRUNKLINE_SECRET_FILE).`
const INSTALLED_PLACE = `by the settings in
/etc/trunkline/trunkline.env, which the service has too.`

export const HELP = `Trunkline's command line, for the administrator of this machine.

${COMMANDS.map((command) => command.help).join('\n')}${IS_INSTALLED ? '' : DEMO_HELP}
  ${COMMAND_NAME} --help
      This page.

export, apply, events and the commands of objects are clients of the API: they take its address from
TRUNKLINE_URL and an API token from TRUNKLINE_TOKEN. The others work on the database that the API uses: ${IS_INSTALLED ? INSTALLED_PLACE : PROJECT_PLACE}
A running API notices at once.
`
