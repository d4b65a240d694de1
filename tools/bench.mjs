/**
 * `npm run bench -- first-frame`: makes the machine ready, builds what is stale and runs that bench;
 * without a name all of them, one after the other. Each prints one JSON line to stdout and nothing
 * else does, so that `npm run -s bench > figures.jsonl` is a file of figures.
 */
import { build } from './build.mjs'
import { askedNames, namedFiles, runChild, runInTurn } from './named-runs.mjs'
import { sayTo } from './say.mjs'
import { giveUp, setup } from './setup.mjs'

sayTo(process.stderr)
const files = namedFiles('bench', '.bench.ts')
const asked = askedNames(files, 'bench')
const node = await setup('test').catch(giveUp)
await build(node).catch(giveUp)
// In a session of its own, so that a Ctrl-C reaches it once and its site and browser by it alone.
await runInTurn(asked.length > 0 ? asked : files.keys(), (name) =>
  runChild([node, files.get(name) ?? ''], { stdio: 'inherit', detached: true }),
)
