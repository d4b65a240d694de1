/**
 * `npm run bench -- first-frame`: makes the machine ready, builds what is stale and runs that bench;
 * without a name all of them, one after the other. Each prints one JSON line to stdout and nothing
 * else does, so that `npm run -s bench > figures.jsonl` is a file of figures.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { sayTo } from './say.mjs'
import { giveUp, root, setup } from './setup.mjs'

const END = '.bench.ts'

sayTo(process.stderr)
const known = readdirSync(join(root, 'bench'))
  .filter((name) => name.endsWith(END))
  .map((name) => name.slice(0, -END.length))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  giveUp(
    new Error(`There is no bench named ${unknown.join(', ')}. There are: ${known.join(', ')}.`),
  )
}

const node = await setup('test').catch(giveUp)
await build(node).catch(giveUp)
for (const name of asked.length > 0 ? asked : known) {
  const { status } = spawnSync(node, [join('bench', name + END)], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
