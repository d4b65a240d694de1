/** Both Debian packages of one version, from what is built. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildDeb } from './deb.mjs'
import { debianPackages } from './packages.mjs'
import { readManifest } from './shipped.mjs'

/** Debian 12 reads it, and packs a package in seconds. */
const ZSTD = ['-Zzstd', '-z10']

/**
 * @typedef {object} PackageOptions
 * @property {string} root the project's folder
 * @property {string} out where the packages go
 * @property {string} [version] without it: that of package.json
 * @property {readonly string[]} [compression] of dpkg-deb
 */

/**
 * @param {PackageOptions} options
 * @returns {Promise<string[]>} paths of the packages
 * @throws an Error with a sentence
 */
export async function buildPackages({ root, out, version, compression = ZSTD }) {
  const known = version ?? productVersion(root)
  const epochS = commitTime(root)
  const debs = []
  for (const debianPackage of debianPackages(root)) {
    debs.push(await buildDeb(debianPackage, { root, out, version: known, epochS, compression }))
  }
  return debs
}

/** @param {string} root */
function productVersion(root) {
  const { version } = readManifest(root)
  const source = readFileSync(join(root, 'packages/contract/src/product.ts'), 'utf8')
  const inCode = /PRODUCT_VERSION = '([^']+)'/.exec(source)?.[1]
  if (version === inCode) return version
  throw new Error(
    `package.json says version ${version}, and packages/contract/src/product.ts ${inCode}. Make them the same.`,
  )
}

/**
 * Of the commit, so that it gives the same bytes everywhere.
 * @param {string} root
 * @returns {number} seconds since 1970
 */
function commitTime(root) {
  const given = process.env['SOURCE_DATE_EPOCH']
  if (given !== undefined && /^\d+$/.test(given)) return Number(given)
  try {
    const args = ['log', '-1', '--format=%ct']
    return Number(execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }))
  } catch {
    throw new Error(
      'The packages have the time of their commit, and this is no checkout of git. Set SOURCE_DATE_EPOCH to a time in seconds since 1970.',
    )
  }
}
