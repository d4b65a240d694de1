/** The commands of the walk from a fresh Debian to a running link, as the pages print them. */
import { blocksOfPage, commandsIn } from './code-blocks.ts'

const INSTALL = 'docs/operate/1-install.md'
const AUTOMATE = 'docs/operate/18-automate.md'

/** The headings of the install page whose commands are typed, in their order. */
export const SECTIONS = {
  console: 'The console',
  proxy: 'Reach the console over https',
  host: 'The first host',
} as const

/** Typed with a code of the console in the place of the example's. */
export const ENROL = commandThat(INSTALL, (command) => command.includes('enrol --console'))
/** Shows at the end that the encoder runs. */
export const LIST = commandThat(AUTOMATE, (command) => command === 'trunkline encoder list')

/** Without the enrolment. */
export function commandsUnder(heading: string): string[] {
  const blocks = blocksOfPage(INSTALL).filter((block) => block.heading === heading)
  const commands = blocks.flatMap(({ text }) => commandsIn(text))
  if (commands.length === 0) throw new Error(`${INSTALL} has no commands under '${heading}'.`)
  return commands.filter((command) => command !== ENROL)
}

function commandThat(page: string, isIt: (command: string) => boolean): string {
  const found = blocksOfPage(page)
    .flatMap(({ text }) => commandsIn(text))
    .find(isIt)
  if (found === undefined) throw new Error(`${page} has no such command any more.`)
  return found
}
