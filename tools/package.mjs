/**
 * `npm run package`: builds what is stale, and makes the Debian packages trunkline and
 * trunkline-agent of it, in dist/ of the project's folder.
 */
import { statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from './build.mjs'
import { buildPackages } from './package/build-packages.mjs'
import { say } from './say.mjs'
import { giveUp, root, setup } from './setup.mjs'

try {
  await build(await setup('build'))
  say('Making the Debian packages')
  for (const deb of await buildPackages({ root, out: join(root, 'dist') })) {
    const megabytes = (statSync(deb).size / 1e6).toFixed(1)
    say(`  ${relative(root, deb)}, ${megabytes} MB`)
  }
} catch (error) {
  giveUp(error)
}
