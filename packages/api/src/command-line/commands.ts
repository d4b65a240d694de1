/** Every command of `trunkline`, in the order of the help page. */
import { backupCommand, restoreCommand } from './backup.command.ts'
import { COMMAND_NAME, type Command } from './command.ts'
import { doctorCommand } from './doctor.command.ts'
import { userCommand } from './user.command.ts'

export const COMMANDS: readonly Command[] = [
  userCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
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

It works on the database that the API uses: ${IS_INSTALLED ? INSTALLED_PLACE : PROJECT_PLACE}
A running API notices at once.
`
