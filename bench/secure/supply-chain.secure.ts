/**
 * T21: two clones of the same commit, as on two machines of different people (another folder, time zone,
 * language, mask of rights and moment), each set up and built from nothing. Their packages and parts lists
 * must be the same byte for byte; each part must have the hash that `npm ci` compared, and no package may
 * run a script while it is installed: npm is given a shell that writes down what it is asked to run. What the
 * registry knows of faults is asked by a release itself.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashOf } from '../../tools/release/sign.mjs'
import { atLeast, atMost } from '../kit/figure.ts'
import { printProof } from './proof.ts'

const root = join(import.meta.dirname, '../..')

const PEOPLE = [
  { folder: 'a', umask: '022', env: { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' } },
  {
    folder: 'a-folder-with-a-longer-name',
    umask: '077',
    env: { TZ: 'Pacific/Auckland', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
  },
]

interface Sbom {
  components: { name: string; version: string; hashes?: { content: string }[] }[]
}

/** What npm writes: of the whole tree that it has installed. */
interface Lock {
  packages: Record<string, { integrity?: string; hasInstallScript?: boolean }>
}

/** As npm names it: package and script. The one that each clone is asked for. */
const OWN_SCRIPT = 'trunkline package'

test('two clones give the same packages, of parts whose hashes are known', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-supply-'))
  try {
    const shell = recordingShell(folder)
    const made = await Promise.all(
      PEOPLE.map(async (person) => makePackages(join(folder, person.folder), person, shell.file)),
    )
    const names = [...new Set(made.flatMap((hashes) => [...hashes.keys()]))]
    const [here, there] = made
    const differing = names.filter((name) => here?.get(name) !== there?.get(name))
    const clone = join(folder, 'a')
    const lists = names.filter((name) => name.endsWith('.cdx.json'))
    const parts = lists.flatMap(
      (name) => (JSON.parse(readFileSync(join(clone, 'dist', name), 'utf8')) as Sbom).components,
    )
    const installed = readLock(join(clone, 'node_modules/.package-lock.json'))
    const compared = new Set(installed.flatMap(({ integrity = '' }) => hexOf(integrity)))
    const unhashed = parts.filter(({ hashes = [] }) =>
      hashes.every(({ content }) => !compared.has(content)),
    )
    const asking = installed.filter(({ hasInstallScript }) => hasInstallScript === true)
    const scripts = shell.scripts()
    const foreign = scripts.filter((script) => script !== OWN_SCRIPT)
    const missed = printProof('supply-chain', {
      ours: { files: names.length, parts: parts.length, withScripts: asking.length },
      faults: [
        ...differing.map((name) => `${name} differs.`),
        ...unhashed.map(({ name, version }) => `${name} ${version} has no hash that npm compared.`),
        ...foreign.map((script) => `Run while packages were installed: ${script}.`),
      ],
      goals: [
        atMost('files that differ', differing.length, 0, 'files'),
        atLeast('files compared', names.length, 4, 'files'),
        atMost('parts without a hash', unhashed.length, 0, 'parts'),
        atMost('scripts run by an installation', foreign.length, 0, 'scripts'),
        atLeast('own scripts seen', scripts.length - foreign.length, PEOPLE.length, 'scripts'),
      ],
    })
    expect(missed).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function makePackages(
  clone: string,
  { umask, env }: (typeof PEOPLE)[number],
  shell: string,
): Promise<ReadonlyMap<string, string>> {
  execFileSync('git', ['clone', '--quiet', root, clone])
  const making = spawn('sh', ['-c', `umask ${umask} && npm run package`], {
    cwd: clone,
    env: { ...surroundings(), ...env, npm_config_script_shell: shell },
    // What it says goes where this says its own.
    stdio: ['ignore', 2, 2],
  })
  const [code] = (await once(making, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The packages of ${clone} could not be made: exit code ${code}.`)
  const dist = join(clone, 'dist')
  return new Map(readdirSync(dist).map((name) => [name, hashOf(join(dist, name))]))
}

/** Runs our own script; of all others it only writes down that npm wanted to run them. */
function recordingShell(folder: string): { file: string; scripts(): string[] } {
  const [file, list] = [join(folder, 'shell'), join(folder, 'scripts')]
  writeFileSync(list, '')
  const lines = [
    '#!/bin/sh',
    'script="$npm_package_name $npm_lifecycle_event"',
    `echo "$script" >> '${list}'`,
    `[ "$script" != '${OWN_SCRIPT}' ] || exec /bin/sh "$@"`,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o755 })
  return { file, scripts: () => readFileSync(list, 'utf8').trim().split('\n') }
}

function readLock(file: string): Lock['packages'][string][] {
  return Object.values((JSON.parse(readFileSync(file, 'utf8')) as Lock).packages)
}

/** As parts lists have it; none of what has no SHA-512. */
function hexOf(integrity: string): string[] {
  if (!integrity.startsWith('sha512-')) return []
  return [Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')]
}

/** Without what the tests of this run are told, such as NODE_ENV, which a build listens to as well. */
function surroundings(): NodeJS.ProcessEnv {
  const isKept = (name: string) => /^(PATH|HOME|npm_config_.*|.*_proxy|.*_CERTS?)$/i.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isKept(name)))
}
