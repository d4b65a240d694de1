/** `trunkline apply`. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { clientConfig, environmentSecret } from '../config.ts'
import { makeApiCall } from './api.client.ts'
import { apply } from './as-text/apply.ts'
import {
  type CommandAnswer,
  COMMAND_NAME,
  readArguments,
  UsageFault,
  type Command,
} from './command.ts'

const OPTIONS = {
  'dry-run': { type: 'boolean' },
  'detailed-exitcode': { type: 'boolean' },
  yes: { type: 'boolean' },
  prune: { type: 'boolean' },
  'replace-secrets': { type: 'boolean' },
  'interrupt-on-air': { type: 'string', multiple: true },
} as const

export const applyCommand: Command = {
  noun: 'apply',
  help: `  ${COMMAND_NAME} apply <file> [options]
      Makes the site what the file says, after it has shown what would be done and asked for it. What
      the file leaves out of an object is its default; objects that it leaves out stay. Each object is
      changed as a whole or not at all. Exit code 1 when something is wrong or was refused.
        --dry-run             shows what would be done, and does nothing
        --detailed-exitcode   with --dry-run: exit code 2 when there is something to do
        --yes                 does not ask
        --prune               also removes what the file does not have, of the kinds that it lists
        --replace-secrets     gives secrets also to what has one already
        --interrupt-on-air <title>
                              may interrupt this, which is on air; once for each title
`,
  async run(args) {
    const { values, positionals } = readArguments(args, OPTIONS)
    const [fileName, ...more] = positionals
    if (fileName === undefined || more.length > 0) throw new UsageFault('Name one file.')
    const isDryRun = values['dry-run'] === true
    const isAsked = !isDryRun && values.yes !== true
    const config = clientConfig()
    const onAirTitles = values['interrupt-on-air'] ?? []
    return apply(makeApiCall(config, []), makeApiCall(config, onAirTitles), {
      fileName,
      text: readText(fileName),
      secrets: { fromEnvironment: environmentSecret, fromFile: readSecret },
      isDryRun,
      hasDetailedExitCode: values['detailed-exitcode'] === true,
      prunes: values.prune === true,
      replacesSecrets: values['replace-secrets'] === true,
      onAirTitles,
      confirm: async (plan) => (isAsked ? askOnTerminal(plan) : shown(plan)),
    } satisfies Parameters<typeof apply>[2]) satisfies Promise<CommandAnswer>
  },
}

function readText(fileName: string): string {
  try {
    return readFileSync(fileName, 'utf8')
  } catch {
    throw new Error(`The file ${fileName} cannot be read. Check its name and who may read it.`)
  }
}

function readSecret(fileName: string): string {
  return readFileSync(fileName, 'utf8').split(/\r?\n/, 1)[0] ?? ''
}

async function shown(plan: string): Promise<boolean> {
  process.stdout.write(`${plan}\n`)
  return Promise.resolve(true)
}

async function askOnTerminal(plan: string): Promise<boolean> {
  process.stdout.write(`${plan}\n`)
  if (!process.stdin.isTTY) {
    throw new UsageFault(
      'Nothing was changed: there is no terminal to ask on. Add --yes, or --dry-run.',
    )
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await lines.question("Do this? Only 'yes' is a yes: ")
    return answer.trim() === 'yes'
  } finally {
    lines.close()
  }
}
