/**
 * `npm run bench -- first-frame`: makes the machine ready, builds what is stale and runs that bench;
 * without a name all of them, one after the other. Each prints one JSON line to stdout and nothing
 * else does, so that `npm run -s bench > figures.jsonl` is a file of figures.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from './build.mjs'
import { sayTo } from './say.mjs'
import { giveUp, root, setup } from './setup.mjs'
import { forwardSignals } from './signals.mjs'

const END = '.bench.ts'

sayTo(process.stderr)
const files = new Map(
  readdirSync(join(root, 'bench'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(END))
    .map((path) => [basename(path, END), join('bench', path)]),
)
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !files.has(name))
if (unknown.length > 0) {
  giveUp(
    new Error(
      `There is no bench named ${unknown.join(', ')}. There are: ${[...files.keys()].join(', ')}.`,
    ),
  )
}

const node = await setup('test').catch(giveUp)
await build(node).catch(giveUp)
for (const name of asked.length > 0 ? asked : files.keys()) {
  const code = await run(files.get(name) ?? '')
  if (code !== 0) process.exitCode = 1
  // A signal ended it: whoever sent that wants no other either.
  if (code > 128) break
}

/**
 * In a session of its own, so that a Ctrl-C reaches it once and its site and browser by it alone;
 * and the kernel ends it should this process be killed without warning.
 * @param {string} file
 * @returns {Promise<number>} above 128 when a signal ended it
 */
async function run(file) {
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', node, file], {
    cwd: root,
    stdio: 'inherit',
    detached: true,
  })
  const stopForwarding = forwardSignals(child)
  await once(child, 'exit').catch(giveUp)
  stopForwarding()
  return child.exitCode ?? 143
}
