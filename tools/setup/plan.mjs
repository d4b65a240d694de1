/**
 * Decides what the set-up has to do, from what it found. Pure: it reads no disk and starts nothing,
 * so every machine that it may meet is a test case.
 */
import { PRODUCT_NODE_MAJOR } from '../../packages/contract/bin/product-node.mjs'

/** The oldest Node that may run the set-up; npm and these scripts work on it. */
const SETUP_NODE_MAJOR = 20

/**
 * @typedef {object} Facts what was found on this machine
 * @property {string} nodeVersion version of the Node that runs the set-up, as '20.1.0'
 * @property {string} platform as process.platform
 * @property {string} arch as process.arch
 * @property {boolean} npmInstalled node_modules agrees with package-lock.json
 * @property {string | undefined} pinnedNode version of node_modules/.bin/node
 * @property {readonly string[]} missing names of the Debian packages that are not there
 * @property {string | undefined} debian '12' on Debian 12, undefined on anything but Debian
 * @property {'root' | 'sudo' | 'none'} rights how packages can be installed
 *
 * @typedef {{ kind: 'npm', why: string } | { kind: 'debian', packages: string[], rights: 'root' | 'sudo', note: string }} Step
 * @typedef {{ refusal: string } | { steps: Step[] }} Plan
 */

/** @param {string | undefined} version */
export function majorOf(version) {
  return Number.parseInt(version ?? '', 10) || 0
}

/**
 * The line that a person without root rights hands to somebody who has them.
 * @param {readonly string[]} packages
 */
function aptLine(packages) {
  return `apt-get install -y --no-install-recommends ${packages.join(' ')}`
}

/**
 * What to do, in order; a refusal when it cannot be done, and then nothing is to be done at all.
 * @param {Facts} facts
 * @returns {Plan}
 */
export function planSetup(facts) {
  const refusal = refuseNode(facts) ?? refuseDebian(facts)
  if (refusal !== undefined) return { refusal }
  /** @type {Step[]} */
  const steps = []
  const why = whyNpm(facts)
  if (why !== undefined) steps.push({ kind: 'npm', why })
  if (facts.missing.length > 0 && facts.rights !== 'none') {
    steps.push({
      kind: 'debian',
      packages: [...facts.missing],
      rights: facts.rights,
      note: facts.debian === '12' ? '' : ` (tried on Debian 12, this is Debian ${facts.debian})`,
    })
  }
  return { steps }
}

/** @param {Facts} facts */
function refuseNode(facts) {
  if (majorOf(facts.nodeVersion) < SETUP_NODE_MAJOR) {
    return `Trunkline needs Node ${SETUP_NODE_MAJOR} or newer to set itself up, this is Node ${facts.nodeVersion}. Install a newer Node and run the command again.`
  }
  const npmBringsNode = facts.platform === 'linux' && facts.arch === 'x64'
  if (!npmBringsNode && majorOf(facts.nodeVersion) < PRODUCT_NODE_MAJOR) {
    return `Trunkline runs on Node ${PRODUCT_NODE_MAJOR} or newer. npm brings it on Linux x64 only; this is ${facts.platform} ${facts.arch} with Node ${facts.nodeVersion}. Install Node ${PRODUCT_NODE_MAJOR} and run the command again.`
  }
  return undefined
}

/** @param {Facts} facts */
function refuseDebian(facts) {
  if (facts.missing.length === 0) return undefined
  const names = facts.missing.join(', ')
  if (facts.debian === undefined) {
    return `Missing on this machine: ${names} (Debian's names). Trunkline installs them by itself on Debian 12 only. Install them with your system's package manager and run the command again.`
  }
  if (facts.rights === 'none') {
    return `Missing on this machine: ${names}. Installing them needs root rights, and sudo without a password is not allowed here. Run this line as root, then the command again:\n\n  ${aptLine(facts.missing)}\n`
  }
  return undefined
}

/** @param {Facts} facts */
function whyNpm(facts) {
  if (!facts.npmInstalled) return 'node_modules does not agree with package-lock.json'
  const pinned = majorOf(facts.pinnedNode)
  const onlyPinnedWillDo = majorOf(facts.nodeVersion) < PRODUCT_NODE_MAJOR
  if (onlyPinnedWillDo && pinned < PRODUCT_NODE_MAJOR) {
    return `node_modules holds no Node ${PRODUCT_NODE_MAJOR}`
  }
  return undefined
}
