/** What every command of `trunkline` is, and how its arguments are read. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'

/** What the command is called by: the package installs it, and npx finds it in the project's folder. */
export const COMMAND_NAME = import.meta.url.endsWith('.ts') ? 'npx trunkline' : 'trunkline'

export interface CommandAnswer {
  /** For stdout. */
  text: string
  exitCode: number
}

export interface Command {
  /** The first word after `trunkline`. */
  readonly noun: string
  /** Its part of the help page, indented by two. */
  readonly help: string
  /**
   * `args`: what stands behind the noun. Answers what is printed on stdout, with the exit code where
   * that is not always 0. Throws UsageFault for what cannot be done as typed, and an Error whose
   * message is a sentence for everything else.
   */
  run(args: readonly string[]): Promise<string | CommandAnswer>
}

/** Its message is ready to be printed. */
export class UsageFault extends Error {}

/** Throws UsageFault for an option that is not among `options`, or that is not used as it says. */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // An argument may be a password by mistake: only the option's name is repeated.
    const option = /'(-[^\s'=]*)/.exec(error instanceof Error ? error.message : '')?.[1] ?? ''
    const isKnown = Object.hasOwn(options, option.replace(/^--?/, ''))
    throw new UsageFault(
      isKnown ? `${option} is not used like that.` : `There is no option '${option}'.`,
      { cause: error },
    )
  }
}
