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

/** Of a word that is none of the verbs of `noun`; undefined: there is none at all. */
export function verbFault(
  noun: string,
  verb: string | undefined,
  verbs: readonly string[],
): UsageFault {
  const known = `${verbs.slice(0, -1).join(', ')} or ${verbs.at(-1) ?? ''}`
  return new UsageFault(
    verb === undefined
      ? `Name a command after '${noun}': ${known}.`
      : `There is no command '${noun} ${verb}'. After '${noun}' comes ${known}.`,
  )
}

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
    const known = options[option.replace(/^--?/, '')]
    throw new UsageFault(optionFault(option, known?.type), { cause: error })
  }
}

/** `type`: of a known option. */
function optionFault(option: string, type: 'string' | 'boolean' | undefined): string {
  if (type === undefined) return `There is no option '${option}'.`
  return type === 'string' ? `${option} needs a value after it.` : `${option} takes no value.`
}
