/** What is in the packages, as dpkg-deb reads it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashOf } from '../release/sign.mjs'
import { root } from '../setup.mjs'
import { buildPackages } from './build-packages.mjs'
import { sbomOf } from './deb.mjs'
import { shippedPackages } from './shipped.mjs'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-packages-'))
const compression = ['-Znone']
let debs: string[]

beforeAll(async () => {
  debs = await buildPackages({ root, out: join(folder, 'first'), compression })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function field(deb: string, name: string): string {
  return execFileSync('dpkg-deb', ['--field', deb, name], { encoding: 'utf8' }).trim()
}

interface Entry {
  mode: string
  owner: string
  path: string
}

function contents(deb: string): Entry[] {
  const listed = execFileSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8' })
  return listed
    .trim()
    .split('\n')
    .map((line) => {
      const [mode = '', owner = '', , , , path = ''] = line.split(/\s+/)
      return { mode, owner, path }
    })
}

/** A text of the package's documentation. */
function fileIn(deb: string, file: string): string {
  const path = `./usr/share/doc/${field(deb, 'Package')}/${file}`
  // The whole package is 200 MB: it passes between the two and not through this process.
  const read = 'dpkg-deb --fsys-tarfile "$0" | tar -xO "$1"'
  return execFileSync('sh', ['-c', read, deb, path], { encoding: 'utf8', maxBuffer: 2 ** 28 })
}

test('two packages with the version of package.json, and what they depend on', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  expect(debs.map((deb) => [field(deb, 'Package'), field(deb, 'Version')])).toEqual([
    ['trunkline', version],
    ['trunkline-agent', version],
  ])
  const [, agent = ''] = debs
  const needs = field(agent, 'Depends')
  for (const name of ['ffmpeg', 'srt-tools', 'rist-tools', 'supervisor', 'fonts-dejavu-core']) {
    expect(needs.split(', ')).toContain(name)
  }
  for (const deb of debs) expect(field(deb, 'Recommends')).toBe('systemd')
})

test('everything belongs to root, and nobody else may write it', () => {
  for (const { mode, owner, path } of debs.flatMap(contents)) {
    expect(owner, path).toBe('root/root')
    expect(mode, path).toMatch(/^[d-]rw[x-]r-?[x-]?(--|r-)[-x]/)
  }
})

test('sources, maps to them and binaries of other systems are not shipped', () => {
  const paths = debs.flatMap(contents).map(({ path }) => path)
  const native = paths.filter((path) => path.endsWith('.node'))
  expect(native).toEqual([
    './usr/lib/trunkline/node_modules/@node-rs/argon2-linux-x64-gnu/argon2.linux-x64-gnu.node',
    './usr/lib/trunkline/node_modules/better-sqlite3/prebuilds/linux-x64.node',
  ])
  expect(paths.filter((path) => /\.(ts|map|cpp|c|h|gyp)$/.test(path))).toEqual([])
  expect(paths.filter((path) => /\/\.[^/]/.test(path))).toEqual([])
})

test('the same commit gives the same bytes', async () => {
  const again = await buildPackages({ root, out: join(folder, 'again'), compression })
  expect(again.map(hashOf)).toEqual(debs.map(hashOf))
  expect(again.map(sbomOf).map(hashOf)).toEqual(debs.map(sbomOf).map(hashOf))
})

interface Sbom {
  components: { name: string; version: string; hashes?: object[] }[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

test('T21 the parts list of each is CycloneDX, with a hash of each part; it is in the package and beside it', async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
  const lists: Sbom[] = []
  for (const deb of debs) {
    const text = readFileSync(sbomOf(deb), 'utf8')
    expect(await validator.validate(text)).toBeNull()
    expect(fileIn(deb, 'sbom.cdx.json')).toBe(text)
    lists.push(JSON.parse(text) as Sbom)
  }
  const [console, agent] = lists.map(({ components }) => components.map(({ name }) => name))
  // What tools for building need as well, and a binary, are parts too.
  for (const name of ['react', 'zod', 'hls.js', '@node-rs/argon2-linux-x64-gnu', 'Node.js']) {
    expect(console).toContain(name)
  }
  expect(agent).toContain('fast-xml-parser')
  expect(agent).not.toContain('react')
  for (const { components, dependencies } of lists) {
    expect(components.filter(({ hashes = [] }) => hashes.length !== 1)).toEqual([])
    const needed = new Set(dependencies.flatMap(({ dependsOn = [] }) => dependsOn))
    expect(needed.size).toBe(components.length)
  }
})

test('the licences of what is shipped are in the packages', () => {
  const [console = '', agent = ''] = debs.map((deb) => fileIn(deb, 'third-party-licences.txt'))
  for (const text of [console, agent]) {
    expect(text).toContain('Node.js ')
    expect(text).toMatch(/^fastify \d/m)
  }
  for (const name of ['react', 'better-sqlite3', '@node-rs/argon2', 'hls.js']) {
    expect(console).toMatch(new RegExp(`^${name} \\d`, 'm'))
  }
  expect(agent).not.toMatch(/^react \d/m)
})

test('each licence has a name that permits shipping it in a bundle', () => {
  const shipped = shippedPackages(root, ['api', 'console', 'agent'], [])
  const names = new Set(shipped.map(({ license }) => license ?? ''))
  expect([...names].filter((name) => /GPL|SSPL|BUSL|UNLICENSED|NC\b/i.test(name))).toEqual([])
})
