/**
 * Which Node runs the commands of this product. npx finds the one that npm brought, and the packages
 * have their own; called in another way it may be an older one, which cannot read the sources: then
 * that of npm is asked. This file runs on Node 20.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The oldest Node that may run Trunkline: it runs TypeScript natively, better-sqlite3 needs it. */
export const PRODUCT_NODE_MAJOR = 24
const pinnedNode = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url))

/**
 * True where this Node will do. Else the command has been run by the Node that npm brought, or what
 * to do has been printed, and the exit code is set.
 * @param {string} command the URL of its file
 */
export function isProductNode(command) {
  if (Number(process.versions.node.split('.')[0]) >= PRODUCT_NODE_MAJOR) return true
  if (existsSync(pinnedNode) && realpathSync(pinnedNode) !== process.execPath) {
    const args = [fileURLToPath(command), ...process.argv.slice(2)]
    process.exitCode = spawnSync(pinnedNode, args, { stdio: 'inherit' }).status ?? 1
  } else {
    process.stderr.write(
      `Trunkline runs on Node ${PRODUCT_NODE_MAJOR} or newer, and this is ${process.versions.node}. Run "npm ci" in the project folder, which brings the right one.\n`,
    )
    process.exitCode = 1
  }
  return false
}
