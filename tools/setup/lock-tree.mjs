/**
 * Tells whether node_modules already holds what package-lock.json asks for, by the record that npm
 * leaves in node_modules/.package-lock.json. So a developer's own `npm install` is not undone.
 */

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean, bin?: Record<string, string> }} LockEntry
 * @typedef {{ packages?: Record<string, LockEntry> }} Lock
 */

/**
 * True when every required package of the lock is installed in the very same version, and no
 * package is installed in another one. Optional packages may be absent: they are for other systems.
 * @param {Lock} lock package-lock.json
 * @param {Lock | undefined} installed node_modules/.package-lock.json
 */
export function isSameTree(lock, installed) {
  if (lock.packages === undefined || installed?.packages === undefined) return false
  for (const [path, wanted] of Object.entries(lock.packages)) {
    const found = installed.packages[path]
    // The project itself and its workspaces stand in the lock by their folders; what they offer on
    // the command line is linked by npm.
    if (!path.includes('node_modules/')) {
      if (isSameBin(wanted, found)) continue
      return false
    }
    if (found === undefined) {
      if (wanted.optional === true) continue
      return false
    }
    if (found.version !== wanted.version || found.integrity !== wanted.integrity) return false
    if (found.link !== wanted.link) return false
  }
  return true
}

/**
 * @param {LockEntry} wanted
 * @param {LockEntry | undefined} found
 */
function isSameBin(wanted, found) {
  return JSON.stringify(wanted.bin ?? {}) === JSON.stringify(found?.bin ?? {})
}
