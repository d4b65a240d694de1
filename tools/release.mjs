/**
 * `npm run release -- 1.2.3`: raises the version, dates the changelog, commits both, and makes the
 * Debian packages of that commit with their parts lists, checksums and signature, in dist/. It tags and
 * pushes nothing. Advisories that follow the version do not keep it back.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from './build.mjs'
import { buildPackages } from './package/build-packages.mjs'
import { sbomOf } from './package/deb.mjs'
import { debianPackages } from './package/packages.mjs'
import { readManifest, shippedPackages } from './package/shipped.mjs'
import { knownFaults, stoppingFaults } from './release/audit.mjs'
import { assertSigns, signSums } from './release/sign.mjs'
import { assertLater, withProductVersion, withRelease, withVersion } from './release/version.mjs'
import { say } from './say.mjs'
import { giveUp, root, setup } from './setup.mjs'

const PRODUCT = 'packages/contract/src/product.ts'
const CHANGELOG = 'CHANGELOG.md'

try {
  const [version = '', ...accepted] = process.argv.slice(2)
  await release(version, new Set(accepted))
} catch (error) {
  giveUp(error)
}

/**
 * @param {string} version
 * @param {ReadonlySet<string>} accepted ids of advisories
 */
async function release(version, accepted) {
  const key = process.env['TRUNKLINE_RELEASE_KEY'] ?? ''
  const { version: before } = readManifest(root)
  assertLater(before, version)
  if (git('status', '--porcelain') !== '') {
    throw new Error('There are changes that are not committed. Commit them, or put them aside.')
  }
  const node = await setup('build')
  await assertSigns(root, key)
  await assertNoKnownFaults(accepted)
  const changelog = withRelease(read(CHANGELOG), version, new Date().toISOString().slice(0, 10))
  const manifests = ['package.json', 'package-lock.json', ...packageManifests()]
  for (const file of manifests) write(file, withVersion(read(file), before, version))
  write(PRODUCT, withProductVersion(read(PRODUCT), before, version))
  write(CHANGELOG, changelog)
  git('commit', '--all', '--quiet', '--message', `release: ${version}`)
  // npm has linked the packages by their folders: nothing is installed anew.
  await build(node)
  const out = join(root, 'dist')
  const debs = await buildPackages({ root, out })
  const files = [...debs, ...debs.map(sbomOf)]
  const signed = await signSums(root, out, files, key)
  say(
    `Released ${version} in dist/: ${[...files, ...signed].map((file) => basename(file)).join(', ')}`,
  )
  say(
    `Nothing was pushed. Then: git tag --sign --local-user ${key} v${version} && git push --follow-tags`,
  )
}

/** @param {ReadonlySet<string>} accepted */
async function assertNoKnownFaults(accepted) {
  const shipped = debianPackages(root).flatMap(({ workspaces, native }) =>
    shippedPackages(root, workspaces, native),
  )
  const names = new Set(shipped.map(({ name }) => name))
  const faults = stoppingFaults(await knownFaults(root), names, accepted)
  if (faults.length === 0) return
  throw new Error(
    `What this release ships has known faults:\n${faults.map((fault) => `  ${fault}`).join('\n')}\nRaise these packages. Where a fault cannot be reached in Trunkline, say so in the changelog and name it after the version: npm run release -- 1.2.3 GHSA-…`,
  )
}

/** @returns {string[]} from the project's folder */
function packageManifests() {
  return readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`)
}

/** @param {string} file */
function read(file) {
  return readFileSync(join(root, file), 'utf8')
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  writeFileSync(join(root, file), text)
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
