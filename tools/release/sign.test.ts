/** A key of gpg made for the test, and the commands of the page for whoever installs a release. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { blocksIn, commandsIn } from '../docs/code-blocks.ts'
import { root } from '../setup.mjs'
import { assertSigns, PUBLIC_KEY, signSums } from './sign.mjs'

const PAGE = 'docs/operate/1-install.md'
const INSTALLED_KEY = '/usr/share/trunkline/release-key.gpg'

let project: string
let out: string

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'sign-'))
  project = join(folder, 'project')
  out = join(folder, 'out')
  mkdirSync(out)
  vi.stubEnv('GNUPGHOME', folder)
  onTestFinished(() => {
    execFileSync('gpgconf', ['--kill', 'all'])
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
})

function makeKey(name: string): string {
  const address = `${name}@trunkline.example`
  const how = ['--batch', '--quiet', '--passphrase', '']
  execFileSync('gpg', [...how, '--quick-gen-key', address, 'ed25519', 'sign'])
  return address
}

function publish(key: string): void {
  const file = join(project, PUBLIC_KEY)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, execFileSync('gpg', ['--export', key]))
}

/** As the page says, in the folder of what was downloaded. */
function check(): number | null {
  const page = readFileSync(join(root, PAGE), 'utf8')
  const commands = blocksIn(PAGE, page)
    .filter(({ text }) => text.includes('gpgv'))
    .flatMap(({ text }) => commandsIn(text))
  const script = ['set -e', ...commands]
    .join('\n')
    .replace(INSTALLED_KEY, join(project, PUBLIC_KEY))
  return spawnSync('sh', ['-c', script], { cwd: out }).status
}

test('T21 the commands of the page reject a download that was changed or signed by another key', async () => {
  const ours = makeKey('ours')
  publish(ours)
  const deb = join(out, 'trunkline_1.2.3_amd64.deb')
  writeFileSync(deb, 'a package')
  await signSums(project, out, [deb], ours)
  expect(check()).toBe(0)
  appendFileSync(deb, ' with a little more')
  expect(check()).not.toBe(0)
  writeFileSync(deb, 'a package')
  expect(check()).toBe(0)
  publish(makeKey('theirs'))
  expect(check()).not.toBe(0)
})

test('T21 nothing is released with a key that is not named, not published, or another one than is published', async () => {
  await expect(assertSigns(project, '')).rejects.toThrow(/TRUNKLINE_RELEASE_KEY/)
  const ours = makeKey('ours')
  await expect(assertSigns(project, ours)).rejects.toThrow(`gpg --export ${ours}`)
  publish(ours)
  await expect(assertSigns(project, ours)).resolves.toBeUndefined()
  await expect(assertSigns(project, makeKey('theirs'))).rejects.toThrow(/^gpgv ended with code/)
  await expect(assertSigns(project, 'nobody')).rejects.toThrow(/^gpg ended with code/)
})
