/**
 * What `npm run bench`, `npm run secure` and `npm run chaos` share: files are found by their names, and
 * those that are asked for run one after the other, each in a process that a signal ends as well.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { giveUp, root } from './setup.mjs'
import { forwardSignals } from './signals.mjs'

/**
 * @param {string} folder below which it looks
 * @param {string} end of the file's name, such as '.bench.ts'
 * @returns {Map<string, string>} paths from the root by the name that people type
 */
export function namedFiles(folder, end) {
  return new Map(
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith(end))
      .map((path) => [basename(path, end), join(folder, path)]),
  )
}

/**
 * The names on the command line. Ends this process with a sentence when one of them is unknown.
 * @param {ReadonlyMap<string, string>} files
 * @param {string} noun what such a file is called, such as 'bench'
 * @returns {string[]}
 */
export function askedNames(files, noun) {
  const asked = process.argv.slice(2)
  const unknown = asked.filter((name) => !files.has(name))
  if (unknown.length > 0) {
    const known = [...files.keys()].join(', ')
    giveUp(new Error(`There is no ${noun} named ${unknown.join(', ')}. There are: ${known}.`))
  }
  return asked
}

/**
 * Fails this process when one of them fails.
 * @param {Iterable<string>} names
 * @param {(name: string) => Promise<number>} run answers the exit code; above 128 a signal ended it
 */
export async function runInTurn(names, run) {
  for (const name of names) {
    const code = await run(name)
    if (code !== 0) process.exitCode = 1
    // A signal ended it: whoever sent that wants no other either.
    if (code > 128) break
  }
}

/**
 * The kernel ends it should this process be killed without warning.
 * @param {string[]} argv
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>} its exit code, above 128 when a signal ended it
 */
export async function runChild(argv, options) {
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...argv], { cwd: root, ...options })
  const stopForwarding = forwardSignals(child)
  await once(child, 'exit').catch(giveUp)
  stopForwarding()
  return child.exitCode ?? 143
}
