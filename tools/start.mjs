/**
 * `npm start`: makes the machine ready, builds what is stale, and hands over to the starter in
 * packages/testbed, which runs API, console and one local agent. The demo site is its business.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { forwardSignals } from './signals.mjs'
import { giveUp, root, setup } from './setup.mjs'

const node = await setup('run').catch(giveUp)
await build(node).catch(giveUp)

// setpriv makes the kernel end the starter should this process be killed without warning.
// A session of its own keeps the terminal's Ctrl-C away from it: npm and the terminal both deliver
// that to this process, and it is handed on once.
const child = spawn(
  'setpriv',
  ['--pdeathsig', 'TERM', node, join(root, 'packages/testbed/src/start.ts')],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: true },
)
child.on('error', giveUp)
forwardSignals(child)
child.on('exit', (code, signal) => {
  // 128 + number is how a shell tells that a signal ended a program.
  process.exit(code ?? (signal === 'SIGINT' ? 130 : 143))
})
