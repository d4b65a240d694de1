/** What the registry of npm knows of faults in what a release ships. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * @typedef {object} Advisory
 * @property {string} name of the npm package
 * @property {string} title
 * @property {string} severity
 * @property {string} url of its page, which ends with its id, such as GHSA-…
 *
 * @typedef {{ via: readonly (string | Advisory)[] }} Vulnerability as `npm audit --json` lists them by package
 */

/** Of npm's severities: a release with one of these is none. */
const STOPPING = new Set(['high', 'critical'])

/**
 * All of the lock file is asked about, as npm leaves out of what it calls production what tools for
 * building need as well.
 * @param {string} root the project's folder
 * @returns {Promise<Record<string, Vulnerability>>}
 * @throws an Error with a sentence when the registry does not say
 */
export async function knownFaults(root) {
  const args = ['audit', '--json', '--package-lock-only']
  // It exits with 1 when it found something, and when it could not ask.
  const { stdout } = await promisify(execFile)('npm', args, {
    cwd: root,
    maxBuffer: 2 ** 28,
  }).catch((/** @type {{ stdout?: string }} */ { stdout = '' }) => ({ stdout }))
  const report = parse(stdout)
  if (report.vulnerabilities !== undefined) return report.vulnerabilities
  throw new Error(
    `Which faults are known is not known: npm audit says '${report.message ?? 'nothing'}'. Try again, or set a registry that has advisories: npm_config_registry.`,
  )
}

/**
 * @param {string} text
 * @returns {{ vulnerabilities?: Record<string, Vulnerability>, message?: string }}
 */
function parse(text) {
  try {
    /** @type {unknown} */
    const report = JSON.parse(text)
    return /** @type {ReturnType<typeof parse>} */ (report)
  } catch {
    return {}
  }
}

/**
 * Those that keep a release back. Pure.
 * @param {Readonly<Record<string, Vulnerability>>} vulnerabilities
 * @param {ReadonlySet<string>} shipped names of npm packages
 * @param {ReadonlySet<string>} accepted ids of advisories
 * @returns {string[]} sentences
 */
export function stoppingFaults(vulnerabilities, shipped, accepted) {
  const advisories = Object.values(vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((each) => typeof each !== 'string')
    .filter(({ name, severity }) => shipped.has(name) && STOPPING.has(severity))
    .filter(({ url }) => !accepted.has(idOf(url)))
  const unique = new Map(advisories.map((each) => [each.url, each]))
  return [...unique.values()].map(
    ({ name, title, severity, url }) => `${name} (${severity}): ${title}, ${idOf(url)}`,
  )
}

/** @param {string} url */
function idOf(url) {
  return url.slice(url.lastIndexOf('/') + 1)
}
