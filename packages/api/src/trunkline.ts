/**
 * The command line for the administrator of the machine. Started by bin/trunkline.mjs as
 * `npx trunkline`.
 */
import { UsageFault } from './command-line/command.ts'
import { COMMANDS, HELP } from './command-line/commands.ts'
import { storageFault } from './http/storage-fault.ts'

/** Answers the exit code: 0, or 1 with a sentence on stderr. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    process.stdout.write(await run(args))
    return 0
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    return 1
  }
}

async function run(args: readonly string[]): Promise<string> {
  if (args.includes('--help') || args.includes('-h')) return HELP
  const [noun, ...rest] = args
  if (noun === undefined) throw new UsageFault('Name a command.')
  const command = COMMANDS.find((command) => command.noun === noun)
  if (command !== undefined) return command.run(rest)
  throw new UsageFault(
    noun.startsWith('-') ? 'Name a command before its options.' : `There is no command '${noun}'.`,
  )
}

function sentenceOf(error: unknown): string {
  if (error instanceof UsageFault) return `${error.message} See npx trunkline --help.`
  const cause = storageFault(error) ?? error
  return cause instanceof Error ? cause.message : String(cause)
}
