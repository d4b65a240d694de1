/** Which tests `npm test -- quick` adds: those that what changed since main can reach. */
import { execFileSync } from 'node:child_process'
import { root } from '../setup.mjs'
import { vitestKind } from './kinds.mjs'

/** The kinds that are quick whatever changed. */
const ALWAYS = ['format', 'lint', 'types', 'rules', 'unit']
/** Packages whose tests are not among them. */
const PACKAGES = ['api', 'agent', 'testbed', 'console']

/**
 * @param {readonly import('./kinds.mjs').Kind[]} kinds
 * @returns {import('./kinds.mjs').Kind[]}
 * @throws when this is no checkout of git
 */
export function quickKinds(kinds) {
  const base = whereMainIs()
  const packages = changedPackages(changedFiles(base))
  const always = kinds.filter(({ name }) => ALWAYS.includes(name))
  if (packages.length === 0) return always
  return [...always, vitestKind('changed', 2, packages, { more: ['--changed', base] })]
}

/**
 * Pure. Tests of a package that imports a changed one belong to the whole run.
 * @param {readonly string[]} files from the repository's root
 * @returns {string[]}
 */
export function changedPackages(files) {
  return PACKAGES.filter((name) => files.some((file) => file.startsWith(`packages/${name}/`)))
}

/** The commit at which this work left main; on main itself what was last sent to the others. */
function whereMainIs() {
  const main = ['origin/main', 'main'].find(isKnown)
  if (main === undefined) {
    throw new Error('npm test -- quick compares with main, and git knows no main here.')
  }
  return git('merge-base', 'HEAD', main)
}

/** @param {string} commit */
function isKnown(commit) {
  try {
    git('rev-parse', '--quiet', '--verify', `${commit}^{commit}`)
    return true
  } catch {
    return false
  }
}

/** @param {string} base */
function changedFiles(base) {
  const tracked = git('diff', '--name-only', base)
  const added = git('ls-files', '--others', '--exclude-standard')
  return `${tracked}\n${added}`.split('\n').filter((file) => file !== '')
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}
