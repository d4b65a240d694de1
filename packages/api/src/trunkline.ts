/**
 * The command line for the administrator of the machine. Started by bin/trunkline.mjs as
 * `npx trunkline` in the project's folder, and as `trunkline` where the package is installed.
 */
import { type CommandAnswer, COMMAND_NAME, UsageFault } from './command-line/command.ts'
import { helpText, loadCommand } from './command-line/commands.ts'
import { storageFault } from './http/storage-fault.ts'

/** Answers the exit code: that of the command, or 1 with a sentence on stderr. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    const answer = await run(args)
    const { text, exitCode } = typeof answer === 'string' ? { text: answer, exitCode: 0 } : answer
    process.stdout.write(text)
    return exitCode
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    return 1
  }
}

async function run(args: readonly string[]): Promise<string | CommandAnswer> {
  if (args.includes('--help') || args.includes('-h')) return helpText()
  const [noun, ...rest] = args
  if (noun === undefined) throw new UsageFault('Name a command.')
  const command = await loadCommand(noun)
  if (command !== undefined) return command.run(rest)
  throw new UsageFault(
    noun.startsWith('-') ? 'Name a command before its options.' : `There is no command '${noun}'.`,
  )
}

function sentenceOf(error: unknown): string {
  if (error instanceof UsageFault) return `${error.message} See ${COMMAND_NAME} --help.`
  const cause = storageFault(error) ?? error
  return cause instanceof Error ? cause.message : String(cause)
}
