/** `trunkline export`. */
import { clientConfig } from '../config.ts'
import { makeApiCall } from './api.client.ts'
import { readAllObjects } from './as-text/apply.ts'
import { siteText } from './as-text/site-file.ts'
import { COMMAND_NAME, readArguments, UsageFault, type Command } from './command.ts'

export const exportCommand: Command = {
  noun: 'export',
  help: `  ${COMMAND_NAME} export > site.yaml
      Writes groups, servers, destinations, encoders, feeders, inputs and outputs as YAML, in the same
      order each time, without a secret. A token of scope 'Read only' is enough.
`,
  async run(args) {
    if (readArguments(args, {}).positionals.length > 0) {
      throw new UsageFault('export takes no arguments: send its output into a file with >.')
    }
    return siteText(await readAllObjects(makeApiCall(clientConfig(), [])))
  },
}
