/** Tells whether something built is still what its sources would give, by their content. */
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Not sources of anything built. Tests are left out so that editing one rebuilds nothing. */
const LEFT_OUT = /(^|\/)(node_modules|dist|\.[^/]+)$|\.test\.tsx?$/

/**
 * One hash over names and contents of files and of whole folders, in a fixed order. A few hundred
 * small files take some 20 ms; times of files are not looked at, a fresh clone has none that count.
 * @param {string} root
 * @param {readonly string[]} paths files and folders, relative to root; what is absent is skipped
 */
export function fingerprint(root, paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((path) => filesOf(root, path))) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(root, path) {
  if (LEFT_OUT.test(path)) return []
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(root, path))
    .toSorted()
    .flatMap((name) => filesOf(root, join(path, name)))
}
