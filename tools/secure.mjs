/**
 * `npm run secure -- fuzz`: makes the machine ready and runs that proof of what SECURITY.md promises;
 * without a name all of them. Each prints one JSON line to stdout, as benches do. They run as tests,
 * with the databases that tests get: what a test does in seconds they do for minutes.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askedNames, namedFiles, runChild, runInTurn } from './named-runs.mjs'
import { sayTo } from './say.mjs'
import { giveUp, root, setup } from './setup.mjs'

sayTo(process.stderr)
const files = namedFiles('bench/secure', '.secure.ts')
const asked = askedNames(files, 'proof')
const node = await setup('test').catch(giveUp)
const folder = mkdtempSync(join(tmpdir(), 'trunkline-secure-'))
await runInTurn(asked.length > 0 ? asked : files.keys(), run)
rmSync(folder, { recursive: true, force: true })

/**
 * What vitest says goes to stderr, the figure to stdout.
 * @param {string} name
 */
async function run(name) {
  const figureFile = join(folder, `${name}.json`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const code = await runChild([node, vitest, 'run', '--project', 'secure', files.get(name) ?? ''], {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, FIGURE_FILE: figureFile },
  })
  if (existsSync(figureFile)) process.stdout.write(readFileSync(figureFile, 'utf8'))
  return code
}
