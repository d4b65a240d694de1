/** Each command that an operator reads in README.md or docs/operate is run by a test. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../setup.mjs'
import { blocksOfPage, commandsIn, operatorPages } from './code-blocks.ts'
import { CLAIMS, NOT_RUN } from './command-claims.ts'

/** What a fence may name beside `sh`: nothing of it is typed into a shell. */
const NO_COMMANDS = new Set(['json', 'yaml', 'nginx', 'ini', 'text'])

const blocks = operatorPages().flatMap(blocksOfPage)
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ page, line, text }) => commandsIn(text).map((command) => ({ page, line, command })))

function hasBeginning(command: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => command.startsWith(beginning))
}

test('each block says whether it is typed into a shell', () => {
  const unknown = blocks.filter(({ language }) => language !== 'sh' && !NO_COMMANDS.has(language))
  expect(unknown.map(({ page, line }) => `${page}:${line}`)).toEqual([])
})

test('each command is claimed by a test that runs it', () => {
  const known = [...CLAIMS, ...NOT_RUN]
  const unclaimed = commands.filter(
    ({ page, command }) =>
      !known.some((each) => each.page === page && hasBeginning(command, each.commands)),
  )
  expect(unclaimed.map(({ page, line, command }) => `${page}:${line}: ${command}`)).toEqual([])
})

test.each(CLAIMS)(
  '$test runs what it claims of $page',
  ({ page, commands: begun, test, proof }) => {
    const file = join(root, test)
    expect(test).toMatch(/\.(test|setup)\.ts$/)
    expect(existsSync(file)).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain(proof)
    const onPage = commands.filter((each) => each.page === page)
    const stale = begun.filter((each) => !onPage.some(({ command }) => command.startsWith(each)))
    expect(stale).toEqual([])
  },
)
