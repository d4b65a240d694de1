/**
 * `npm run secure -- fuzz`: makes the machine ready and runs that proof of what SECURITY.md promises;
 * without a name all of them. Each prints one JSON line to stdout, as benches do. They run as tests,
 * with the databases that tests get: what a test does in seconds they do for minutes.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sayTo } from './say.mjs'
import { giveUp, root, setup } from './setup.mjs'
import { forwardSignals } from './signals.mjs'

const FOLDER = 'bench/secure'
const END = '.secure.ts'

sayTo(process.stderr)
const names = readdirSync(join(root, FOLDER))
  .filter((file) => file.endsWith(END))
  .map((file) => basename(file, END))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  giveUp(
    new Error(`There is no proof named ${unknown.join(', ')}. There are: ${names.join(', ')}.`),
  )
}

const node = await setup('test').catch(giveUp)
const folder = mkdtempSync(join(tmpdir(), 'trunkline-secure-'))
for (const name of asked.length > 0 ? asked : names) {
  const code = await run(name)
  if (code !== 0) process.exitCode = 1
  // A signal ended it: whoever sent that wants no other either.
  if (code > 128) break
}
rmSync(folder, { recursive: true, force: true })

/**
 * What vitest says goes to stderr, the figure to stdout.
 * @param {string} name
 * @returns {Promise<number>} above 128 when a signal ended it
 */
async function run(name) {
  const figureFile = join(folder, `${name}.json`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const file = join(FOLDER, `${name}${END}`)
  const child = spawn(
    'setpriv',
    ['--pdeathsig', 'TERM', node, vitest, 'run', '--project', 'secure', file],
    {
      cwd: root,
      stdio: ['ignore', process.stderr, process.stderr],
      env: { ...process.env, FIGURE_FILE: figureFile },
    },
  )
  const stopForwarding = forwardSignals(child)
  await once(child, 'exit').catch(giveUp)
  stopForwarding()
  if (existsSync(figureFile)) process.stdout.write(readFileSync(figureFile, 'utf8'))
  return child.exitCode ?? 143
}
