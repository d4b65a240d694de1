#!/usr/bin/env node
/**
 * `npx trunkline`, and `trunkline` where the package is installed: the command line for the
 * administrator of the machine. This file runs on Node 20.
 */
import { existsSync } from 'node:fs'
import { isProductNode } from '../../contract/bin/product-node.mjs'

/** Settings of `npm start` alone: what started the product may stand in the shell's environment. */
const STARTER_SETTINGS = ['TRUNKLINE_DEMO', 'TRUNKLINE_DEMO_PASSWORD']

/** The package has what was built and no sources; in the project the sources are newer. */
const built = new URL('../dist/trunkline.js', import.meta.url)
const isInstalled = !existsSync(new URL('../src/trunkline.ts', import.meta.url))

if (isProductNode(import.meta.url)) {
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
}
