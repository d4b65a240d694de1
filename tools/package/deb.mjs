/**
 * Makes a .deb of files of the project, by dpkg-deb alone. The same commit gives the same bytes:
 * nothing is newer than it, everything belongs to root, and modes are given.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { runQuietly } from '../say.mjs'
import { licencesText } from './licences.mjs'
import { shippedPackages } from './shipped.mjs'

/**
 * @typedef {import('./packages.mjs').DebianPackage} DebianPackage
 * @typedef {object} DebOptions
 * @property {string} root the project's folder
 * @property {string} out folder of the .deb
 * @property {string} version
 * @property {number} epochS seconds since 1970: nothing in the package is newer
 * @property {readonly string[]} compression options of dpkg-deb
 */

const FOLDER = 0o755
const PLAIN = 0o644
const SCRIPTS = ['postinst', 'prerm', 'postrm']
const COPYRIGHT = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Trunkline
Comment: The software that it contains is in third-party-licences.txt and sbom.cdx.json.

Files: *
Copyright: The Trunkline authors
License: Apache-2.0
 On Debian systems the whole licence is in /usr/share/common-licenses/Apache-2.0.
`

/**
 * The parts list goes beside the package as well: who scans it need not unpack anything.
 * @param {DebianPackage} debianPackage
 * @param {DebOptions} options
 * @returns {Promise<string>} path of the .deb
 */
export async function buildDeb(debianPackage, options) {
  const { root, out, version, epochS, compression } = options
  const { name } = debianPackage
  const deb = join(out, `${name}_${version}_amd64.deb`)
  const stage = join(root, 'node_modules/.cache/trunkline', `${name}-deb-${process.pid}`)
  rmSync(stage, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  try {
    stageFiles(debianPackage, root, stage)
    const sbom = await stageParts(debianPackage, options, stage)
    stageControl(debianPackage, root, stage, version)
    await runQuietly(
      'dpkg-deb',
      ['--root-owner-group', '--threads-max=1', ...compression, '--build', stage, deb],
      { env: { ...process.env, SOURCE_DATE_EPOCH: `${epochS}` }, label: `dpkg-deb ${name}` },
    )
    writeFileSync(sbomOf(deb), sbom)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
  return deb
}

/** @param {string} deb path of the .deb */
export function sbomOf(deb) {
  return deb.replace(/\.deb$/, '.cdx.json')
}

/**
 * @param {DebianPackage} debianPackage
 * @param {string} root
 * @param {string} stage
 */
function stageFiles({ files }, root, stage) {
  for (const { from, to, mode } of files) {
    const target = join(stage, to)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(root, from), target)
    chmodSync(target, mode)
  }
}

/**
 * What of others is in it.
 * @param {DebianPackage} debianPackage
 * @param {DebOptions} options
 * @param {string} stage
 * @returns {Promise<string>} the parts list
 */
async function stageParts({ name, workspaces, native }, { root, version, epochS }, stage) {
  // It needs an npm package, which is not there yet when a fresh clone begins to set itself up.
  const { sbomText } = await import('./sbom.mjs')
  const shipped = shippedPackages(root, workspaces, native)
  const sbom = sbomText(root, { name, version, epochS }, shipped)
  const doc = join(stage, 'usr/share/doc', name)
  write(join(doc, 'copyright'), COPYRIGHT, PLAIN)
  write(join(doc, 'third-party-licences.txt'), licencesText(root, shipped), PLAIN)
  write(join(doc, 'sbom.cdx.json'), sbom, PLAIN)
  return sbom
}

/**
 * @param {DebianPackage} debianPackage
 * @param {string} root
 * @param {string} stage
 * @param {string} version
 */
function stageControl(debianPackage, root, stage, version) {
  const { name, conffiles } = debianPackage
  const files = filesIn(stage)
  const bytes = files.reduce((sum, path) => sum + statSync(join(stage, path)).size, 0)
  const sums = files.map((path) => `${md5Of(join(stage, path))}  ${path}\n`)
  for (const folder of foldersIn(stage)) chmodSync(folder, FOLDER)
  const control = join(stage, 'DEBIAN')
  mkdirSync(control)
  chmodSync(control, FOLDER)
  write(join(control, 'control'), controlText(debianPackage, version, bytes), PLAIN)
  write(join(control, 'md5sums'), sums.join(''), PLAIN)
  if (conffiles.length > 0) {
    write(join(control, 'conffiles'), conffiles.map((path) => `${path}\n`).join(''), PLAIN)
  }
  for (const script of SCRIPTS) {
    write(
      join(control, script),
      readFileSync(join(root, 'tools/package', name, script), 'utf8'),
      FOLDER,
    )
  }
}

/**
 * @param {DebianPackage} debianPackage
 * @param {string} version
 * @param {number} bytes
 */
function controlText({ name, depends, recommends, synopsis, description }, version, bytes) {
  return `Package: ${name}
Version: ${version}
Section: video
Priority: optional
Architecture: amd64
Maintainer: The Trunkline authors <maintainers@trunkline.example>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: ${depends.join(', ')}
Recommends: ${recommends.join(', ')}
Description: ${synopsis}
 ${description}
`
}

/**
 * @param {string} path
 * @param {string} text
 * @param {number} mode
 */
function write(path, text, mode) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
}

/**
 * @param {string} stage
 * @returns {string[]} from there, in a fixed order
 */
function filesIn(stage) {
  return readdirSync(stage, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(stage.length + 1))
    .toSorted()
}

/** @param {string} stage */
function foldersIn(stage) {
  const below = readdirSync(stage, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
  return [stage, ...below]
}

/** @param {string} path */
function md5Of(path) {
  return createHash('md5').update(readFileSync(path)).digest('hex')
}
