#!/usr/bin/env node
/**
 * `npx trunkline`, and `trunkline` where the package is installed: the command line for the
 * administrator of the machine. npx finds the Node that npm brought, and the package has its own;
 * called in another way this may be an older one, which cannot read the sources: then that Node is
 * asked. This file runs on Node 20.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR = 24
/** Settings of `npm start` alone: what started the product may stand in the shell's environment. */
const STARTER_SETTINGS = ['TRUNKLINE_DEMO', 'TRUNKLINE_DEMO_PASSWORD']

const own = fileURLToPath(import.meta.url)
/** The package has what was built and no sources; in the project the sources are newer. */
const built = new URL('../dist/trunkline.js', import.meta.url)
const isInstalled = !existsSync(new URL('../src/trunkline.ts', import.meta.url))
const pinnedNode = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) {
  for (const name of STARTER_SETTINGS) delete process.env[name]
  const [noun, ...args] = process.argv.slice(2)
  // Training sites are the testbed's: the API knows nothing of them.
  if (noun === 'demo' && isInstalled) {
    process.stderr.write(
      'Training sites are not part of the installed package. Run "npx trunkline demo" in a folder with the source code.\n',
    )
    process.exitCode = 1
  } else if (noun === 'demo') {
    const { runDemoCommand } = await import('../../testbed/src/training/demo-command.ts')
    process.exitCode = await runDemoCommand(args, process.env)
  } else {
    /** @type {unknown} */
    const loaded = isInstalled ? await import(built.href) : await import('../src/trunkline.ts')
    const commandLine = /** @type {typeof import('../src/trunkline.ts')} */ (loaded)
    process.exitCode = await commandLine.runCommandLine(process.argv.slice(2))
  }
} else if (existsSync(pinnedNode) && realpathSync(pinnedNode) !== process.execPath) {
  const args = [own, ...process.argv.slice(2)]
  const { status } = spawnSync(pinnedNode, args, { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else {
  process.stderr.write(
    `Trunkline runs on Node ${NODE_MAJOR} or newer, and this is ${process.versions.node}. Run "npm ci" in the project folder, which brings the right one.\n`,
  )
  process.exitCode = 1
}
