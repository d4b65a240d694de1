/**
 * `npm run release -- 1.2.3`: raises the version, dates the changelog, commits both, and makes the
 * Debian packages of that commit with their checksums, in dist/. It tags and pushes nothing.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from './build.mjs'
import { buildPackages } from './package/build-packages.mjs'
import { readManifest } from './package/licences.mjs'
import { assertLater, withProductVersion, withRelease, withVersion } from './release/version.mjs'
import { say } from './say.mjs'
import { giveUp, root, setup } from './setup.mjs'

const PRODUCT = 'packages/contract/src/product.ts'
const CHANGELOG = 'CHANGELOG.md'

try {
  await release(process.argv[2] ?? '')
} catch (error) {
  giveUp(error)
}

/** @param {string} version */
async function release(version) {
  const { version: before } = readManifest(root)
  assertLater(before, version)
  if (git('status', '--porcelain') !== '') {
    throw new Error('There are changes that are not committed. Commit them, or put them aside.')
  }
  const changelog = withRelease(read(CHANGELOG), version, new Date().toISOString().slice(0, 10))
  const manifests = ['package.json', 'package-lock.json', ...packageManifests()]
  for (const file of manifests) write(file, withVersion(read(file), before, version))
  write(PRODUCT, withProductVersion(read(PRODUCT), before, version))
  write(CHANGELOG, changelog)
  git('commit', '--all', '--quiet', '--message', `release: ${version}`)
  // npm has linked the packages by their folders: nothing is installed anew.
  await build(await setup('build'))
  const out = join(root, 'dist')
  const debs = await buildPackages({ root, out })
  const sums = debs.map((deb) => `${hashOf(deb)}  ${basename(deb)}\n`)
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
  say(`Released ${version} in dist/: ${debs.map((deb) => basename(deb)).join(', ')}, SHA256SUMS`)
  say(`Nothing was pushed. Then: git tag v${version} && git push --follow-tags`)
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

/** @param {string} file */
function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
