/** `trunkline doctor`: what is missing or wrong with the API of this machine and with its hosts. */
import { processConfig } from '../config.ts'
import * as doctorService from '../doctor/doctor.service.ts'
import { COMMAND_NAME, readArguments, UsageFault, type Command } from './command.ts'

export const doctorCommand: Command = {
  noun: 'doctor',
  help: `  ${COMMAND_NAME} doctor
      Says what is missing or wrong, and the command that puts it right: settings, data folder, secret
      file, disk, database, the API's port, and of every host whether it answers, its clock, the
      version of its agent and its certificate. Changes nothing. Exit code 1 when something is wrong.
`,
  async run(args) {
    if (readArguments(args, {}).positionals.length > 0) {
      throw new UsageFault('doctor takes no arguments.')
    }
    return doctorService.examine(processConfig, Date.now)
  },
}
