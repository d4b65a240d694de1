/** Builds what is stale, once before the tests of the packages: they read it side by side. */
import { build } from '../build.mjs'
import { setup as setUpMachine } from '../setup.mjs'

export async function setup(): Promise<void> {
  await build(await setUpMachine('build'))
}
