/**
 * The command line for the administrator of the machine. Started by bin/trunkline.mjs as
 * `npx trunkline` in the project's folder, and as `trunkline` where the package is installed.
 */
import { PRODUCT_VERSION } from '@trunkline/contract/product'
import { type CommandAnswer, COMMAND_NAME, UsageFault } from './command-line/command.ts'
import { helpOf, helpText, loadCommand } from './command-line/commands.ts'
import { storageFault } from './http/storage-fault.ts'

/** Answers the exit code: that of the command, or 1 with a sentence on stderr. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  process.stdout.on('error', endUnwritten)
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

/** Who reads a pipe may have had enough, as `head` does. */
function endUnwritten(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.stderr.write(`${unwrittenText(error)}\n`)
  process.exit(1)
}

function unwrittenText({ code, message }: NodeJS.ErrnoException): string {
  const why =
    code === 'ENOSPC'
      ? 'No space is left on its disk. Make room, or name another file'
      : `${message}. Name another file`
  return `The output could not be written. ${why}, and run the command again.`
}

async function run(args: readonly string[]): Promise<string | CommandAnswer> {
  const isHelp = args.includes('--help') || args.includes('-h') || args[0] === 'help'
  if (isHelp) return help(args.find((arg) => !arg.startsWith('-') && arg !== 'help'))
  const [noun, ...rest] = args
  if (noun === '--version') return `${PRODUCT_VERSION}\n`
  if (noun === undefined) throw new UsageFault('Name a command.')
  const command = await loadCommand(noun)
  if (command !== undefined) return command.run(rest)
  throw new UsageFault(
    noun.startsWith('-') ? 'Name a command before its options.' : `There is no command '${noun}'.`,
  )
}

/** `noun`: the command that is asked about, if any. */
async function help(noun: string | undefined): Promise<string> {
  const command = noun === undefined ? undefined : await loadCommand(noun)
  return command === undefined ? helpText() : helpOf(command)
}

function sentenceOf(error: unknown): string {
  if (error instanceof UsageFault) return `${error.message} See ${COMMAND_NAME} --help.`
  const cause = storageFault(error) ?? error
  return cause instanceof Error ? cause.message : String(cause)
}
