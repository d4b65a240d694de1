/**
 * Builds what is stale: the console by vite, the API and the host agent each into one file by
 * esbuild. `npm start` and `npm test` call it; by hand: `npm run build`.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint } from './build/fingerprint.mjs'
import { takeManifest } from './build/manifest.mjs'
import { writePageFiles } from './build/page-files.mjs'
import { writePageScripts } from './build/page-scripts.mjs'
import { precompress } from './build/precompress.mjs'
import { runQuietly, say } from './say.mjs'
import { giveUp, root, setup } from './setup.mjs'

/** Stands in each dist folder and names the sources that it was built from. */
const FINGERPRINT_FILE = '.built-from'
/** These change what every build gives: the versions of all packages, and the builders. */
const COMMON = ['package-lock.json', 'tsconfig.base.json', 'tools/build.mjs', 'tools/build']

/** Bundled code still calls `require` where a CommonJS package does; an ES module has none. */
const REQUIRE_BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"
/** Native packages, and one that pg asks for but does not need. */
const NOT_BUNDLED = ['better-sqlite3', '@node-rs/argon2', 'pg-native']

/**
 * @typedef {{ name: string, sources: string[], build: (out: string, node: string) => Promise<void> }} Part
 * @type {readonly Part[]}
 */
const parts = [
  { name: 'console', sources: ['packages/contract', 'packages/console'], build: buildConsole },
  {
    name: 'api',
    sources: ['packages/contract', 'packages/api'],
    build: bundle('api', ['trunkline.ts', 'db/backup/backup.worker.ts']),
  },
  {
    name: 'agent',
    sources: ['packages/contract', 'packages/agent'],
    build: bundle('agent', ['link-test/link-test.worker.ts', 'transport/transport.worker.ts']),
  },
]

/**
 * @param {string} node the Node that runs the product, and so its builders
 * @param {readonly string[]} [names] of parts; all unless given
 * @returns {Promise<void>} when the dist folder of each is what its sources give
 */
export async function build(node, names = parts.map(({ name }) => name)) {
  const stale = parts.filter((part) => names.includes(part.name) && !isFresh(part))
  for (const [index, part] of stale.entries()) {
    say(`Building the ${part.name} (${index + 1} of ${stale.length})`)
    await buildPart(part, node)
  }
}

/** @param {Part} part */
function isFresh(part) {
  const file = join(distOf(part), FINGERPRINT_FILE)
  return existsSync(file) && readFileSync(file, 'utf8') === currentFingerprint(part)
}

/**
 * Built aside and then put in place by two renames, so that a build that fails or is interrupted
 * leaves the old one whole.
 * @param {Part} part
 * @param {string} node
 */
async function buildPart(part, node) {
  const aside = join(root, 'node_modules/.cache/trunkline', `${part.name}-${process.pid}`)
  const former = `${aside}-former`
  const before = currentFingerprint(part)
  mkdirSync(aside, { recursive: true })
  try {
    await part.build(aside, node)
    writeFileSync(join(aside, FINGERPRINT_FILE), before)
    // Another run of tests may have built the same meanwhile, and use it by now.
    if (isFresh(part)) return
    if (existsSync(distOf(part))) renameSync(distOf(part), former)
    renameSync(aside, distOf(part))
  } finally {
    rmSync(aside, { recursive: true, force: true })
    rmSync(former, { recursive: true, force: true })
  }
}

/** @param {Part} part */
function currentFingerprint(part) {
  return fingerprint(root, [...COMMON, ...part.sources])
}

/** @param {Part} part */
function distOf(part) {
  return join(root, 'packages', part.name, 'dist')
}

/**
 * @param {string} out
 * @param {string} node
 */
async function buildConsole(out, node) {
  await buildLanguage(out, node, [])
  await buildLanguage(join(out, 'fr'), node, ['--mode', 'french', '--base', '/fr/'])
  await precompress(out)
  for (const base of ['/', '/fr/']) {
    const folder = join(out, base)
    const manifest = takeManifest(folder)
    writePageScripts(folder, manifest)
    writePageFiles(folder, manifest, base)
  }
}

/**
 * @param {string} out
 * @param {string} node
 * @param {readonly string[]} more
 */
async function buildLanguage(out, node, more) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const options = ['--outDir', out, '--emptyOutDir', '--manifest', '--logLevel', 'warn']
  await runQuietly(node, [vite, 'build', ...options, ...more], {
    cwd: join(root, 'packages/console'),
    env: builderEnv(),
    label: 'vite build',
  })
}

/**
 * @param {'api' | 'agent'} name
 * @param {readonly string[]} others files that are started beside main.ts, each with all that it needs: threads, the command line
 * @returns {Part['build']}
 */
function bundle(name, others) {
  return async (out) => {
    const args = [
      ...['main.ts', ...others].map((file) => `packages/${name}/src/${file}`),
      '--bundle',
      '--platform=node',
      '--target=node24',
      '--format=esm',
      `--outdir=${out}`,
      '--entry-names=[name]',
      '--sourcemap=linked',
      // Names stay for stack traces; the rest is dead weight in the memory of a process that runs for months.
      '--minify-syntax',
      '--minify-whitespace',
      // In files of their own: with one letter beyond ASCII in it, V8 holds the whole bundle with two bytes for each.
      '--legal-comments=linked',
      '--log-level=warning',
      ...NOT_BUNDLED.map((external) => `--external:${external}`),
      `--banner:js=${REQUIRE_BANNER}`,
    ]
    await runQuietly(join(root, 'node_modules/.bin/esbuild'), args, {
      cwd: root,
      env: builderEnv(),
      label: 'esbuild',
    })
  }
}

/** Programs that find their Node by PATH find the pinned one; tests' NODE_ENV is not the build's. */
function builderEnv() {
  const path = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter)
  return { ...process.env, PATH: path, NODE_ENV: 'production' }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build(await setup('run'))
    say('Built: packages/console/dist, packages/api/dist, packages/agent/dist')
  } catch (error) {
    giveUp(error)
  }
}
