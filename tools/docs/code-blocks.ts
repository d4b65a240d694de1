/** The blocks of commands in the pages for operators, and their commands. */
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'

export interface CodeBlock {
  /** From the root, such as 'docs/operate/1-install.md'. */
  readonly page: string
  /** Of the fence that opens it, from 1. */
  readonly line: number
  /** The heading that it stands under. */
  readonly heading: string
  /** What the fence names: 'sh', 'json'; '' for nothing. */
  readonly language: string
  /** Without the indentation that it has in a list. */
  readonly text: string
}

/** README.md and all pages of docs/operate. */
export function operatorPages(): string[] {
  const names = readdirSync(join(root, 'docs/operate')).filter((name) => name.endsWith('.md'))
  return ['README.md', ...names.toSorted().map((name) => `docs/operate/${name}`)]
}

export function blocksOfPage(page: string): CodeBlock[] {
  return blocksIn(page, readFileSync(join(root, page), 'utf8'))
}

/** Throws when a block does not end. */
export function blocksIn(page: string, text: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let heading = ''
  let open: { line: number; indent: string; language: string; lines: string[] } | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^(\s*)```(\w*)\s*$/.exec(line)
    if (open !== null && fence !== null) {
      const { line: opened, indent, language, lines } = open
      const bare = lines.map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each))
      blocks.push({ page, line: opened, heading, language, text: `${bare.join('\n')}\n` })
      open = null
    } else if (open !== null) {
      open.lines.push(line)
    } else if (fence !== null) {
      open = { line: index + 1, indent: fence[1] ?? '', language: fence[2] ?? '', lines: [] }
    } else {
      heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading
    }
  }
  if (open !== null) throw new Error(`${page}:${open.line}: this block does not end.`)
  return blocks
}

/**
 * The commands of a block, in their order, each as a shell takes it: a continued line, a text in quotes, a
 * function or a here-document belongs to its command. Comments of a line of their own are left out.
 */
export function commandsIn(text: string): string[] {
  const commands: string[] = []
  let begun = ''
  for (const line of text.split('\n')) {
    if (begun === '' && (line.trim() === '' || line.trim().startsWith('#'))) continue
    begun = begun === '' ? line : `${begun}\n${line}`
    if (!isWhole(begun)) continue
    commands.push(begun)
    begun = ''
  }
  if (begun !== '') commands.push(begun)
  return commands
}

/** bash takes a here-document that does not end, and a last line that goes on. */
function isWhole(command: string): boolean {
  if (command.endsWith('\\')) return false
  const end = /<<-?\s*'?(\w+)'?/.exec(command)?.[1]
  if (end !== undefined) return command.split('\n').at(-1) === end
  try {
    execFileSync('bash', ['-n'], { input: command, stdio: ['pipe', 'ignore', 'ignore'] })
    return true
  } catch {
    return false
  }
}
