/**
 * T21: two clones of the same commit, as on two machines of different people (another folder, time zone,
 * language, mask of rights and moment), each set up and built from nothing. Their packages and parts lists
 * must be the same byte for byte; each part must have the hash that `npm ci` compared, and no package may
 * run a script while it is installed. What the registry knows of faults is asked by a release itself.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
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
  components: { name: string; version: string; hashes?: object[] }[]
}

test('two clones give the same packages, of parts whose hashes are known', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-supply-'))
  try {
    const made = PEOPLE.map((person) => makePackages(join(folder, person.folder), person))
    const names = [...new Set(made.flatMap((hashes) => [...hashes.keys()]))]
    const [here, there] = made
    const differing = names.filter((name) => here?.get(name) !== there?.get(name))
    const clone = join(folder, 'a')
    const lists = names.filter((name) => name.endsWith('.cdx.json'))
    const parts = lists.flatMap(
      (name) => (JSON.parse(readFileSync(join(clone, 'dist', name), 'utf8')) as Sbom).components,
    )
    const unhashed = parts.filter(({ hashes = [] }) => hashes.length === 0)
    const scripts = scriptsRun(clone)
    const missed = printProof('supply-chain', {
      ours: { files: names.length, parts: parts.length, withScripts: scripts.asking },
      faults: [
        ...differing.map((name) => `${name} differs.`),
        ...unhashed.map(({ name, version }) => `${name} ${version} has no hash.`),
      ],
      goals: [
        atMost('files that differ', differing.length, 0, 'files'),
        atLeast('files compared', names.length, 4, 'files'),
        atMost('parts without a hash', unhashed.length, 0, 'parts'),
        atMost('scripts run by an installation', scripts.run, 0, 'scripts'),
      ],
    })
    expect(missed).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

function makePackages(
  clone: string,
  { umask, env }: (typeof PEOPLE)[number],
): ReadonlyMap<string, string> {
  execFileSync('git', ['clone', '--quiet', root, clone])
  const how = `umask ${umask} && npm run package`
  execFileSync('sh', ['-c', how], {
    cwd: clone,
    env: { ...surroundings(), ...env },
    // What it says goes where this says its own.
    stdio: ['ignore', 2, 2],
  })
  const dist = join(clone, 'dist')
  return new Map(readdirSync(dist).map((name) => [name, hashOf(join(dist, name))]))
}

/** Without what the tests of this run are told, such as NODE_ENV, which a build listens to as well. */
function surroundings(): NodeJS.ProcessEnv {
  const isKept = (name: string) => /^(PATH|HOME|npm_config_.*|.*_proxy|.*_CERTS?)$/i.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isKept(name)))
}

/** `asking`: packages that would run scripts while they are installed; npm is asked whether it lets them. */
function scriptsRun(clone: string): { asking: number; run: number } {
  const lock = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const asking = Object.values(lock.packages).filter((each) => each.hasInstallScript === true)
  const ignores = execFileSync('npm', ['config', 'get', 'ignore-scripts'], { cwd: clone })
  return { asking: asking.length, run: ignores.toString().trim() === 'true' ? 0 : asking.length }
}
