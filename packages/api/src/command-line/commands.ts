/** Every command of `trunkline`, in the order of the help page. */
import { backupCommand, restoreCommand } from './backup.command.ts'
import type { Command } from './command.ts'
import { userCommand } from './user.command.ts'

export const COMMANDS: readonly Command[] = [userCommand, backupCommand, restoreCommand]

/** Training sites are the testbed's: bin/trunkline.mjs runs these before the API's are looked at. */
const DEMO_HELP = `  npx trunkline demo [break <what> | heal [<what>]]
      Causes and heals breaks on a training site that runs (TRUNKLINE_DEMO=fleet npm start), and
      on no other. Alone it lists what can be broken, and what is broken now.
`

export const HELP = `Trunkline's command line, for the administrator of this machine.

${COMMANDS.map((command) => command.help).join('\n')}
${DEMO_HELP}
  npx trunkline --help
      This page.

It works on the database that the API uses: run it in the folder where the API was started, or with
the API's own settings (TRUNKLINE_DATA_DIR, or TRUNKLINE_DATABASE_URL and TRUNKLINE_SECRET_FILE).
A running API notices at once.
`
