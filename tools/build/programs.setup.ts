/**
 * The API, its command line and the agent as they are installed, once for all test files: what tests
 * start as processes of their own starts in a third of the time of its sources.
 */
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { build } from '../build.mjs'
import { openKeptFolder } from '../keeper.mjs'
import '../postgres.provided.ts'
import { root, setup as setUpMachine } from '../setup.mjs'

/** What stands beside the built API where its package is installed. */
const COMMAND = 'api/bin/trunkline.mjs'
const COPIED = [COMMAND, 'contract/bin/product-node.mjs']

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await build(await setUpMachine('build'), ['api', 'agent'])
  const folder = openKeptFolder('trunkline-installed-')
  for (const file of COPIED) cpSync(join(root, 'packages', file), join(folder.path, file))
  symlinkSync(join(root, 'packages/api/dist'), join(folder.path, 'api/dist'))
  project.provide('installedCommand', join(folder.path, COMMAND))
  return async () => folder[Symbol.asyncDispose]()
}
