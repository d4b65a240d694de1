/**
 * The Containerfile as far as it can be checked without a registry: it copies what is there, and
 * starts what the unit of the package starts.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../setup.mjs'
import { debianPackages } from './packages.mjs'
import { readUnit } from './unit-file.ts'

const text = readFileSync(join(root, 'Containerfile'), 'utf8').replaceAll('\\\n', '')
const lines = text.split('\n').filter((line) => !line.startsWith('#') && line !== '')
const [trunkline] = debianPackages(root)

function after(word: string): string[] {
  return lines
    .filter((line) => line.startsWith(`${word} `))
    .map((line) => line.slice(word.length + 1))
}

test('two stages: one builds the packages, the other installs the one of the API', () => {
  expect(after('FROM')).toEqual([
    'docker.io/library/node:24-bookworm AS build',
    'docker.io/library/debian:12-slim',
  ])
  const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(scripts.scripts['package']).toBe('node tools/package.mjs')
  expect(after('RUN')).toContain('npm run package')
})

test('what it copies is there, or made by npm run package', () => {
  const [all, deb = ''] = after('COPY')
  expect(all).toBe('. .')
  expect(deb).toMatch(/^--from=build \/src\/dist\/trunkline_\*_amd64\.deb \/tmp\/$/)
  expect(trunkline?.name).toBe('trunkline')
  const ignored = readFileSync(join(root, '.containerignore'), 'utf8').trim().split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['node_modules', '**/dist']))
  // The packages have the time of their commit.
  expect(ignored).not.toContain('.git')
})

test('it starts what the unit starts, as the same user, in the same folder', () => {
  const setting = readUnit(
    readFileSync(join(root, 'tools/package/trunkline/trunkline.service'), 'utf8'),
  )
  const command = JSON.parse(after('CMD')[0] ?? '[]') as string[]
  expect(command.join(' ')).toBe(setting('ExecStart')[0])
  expect(after('USER')).toEqual(setting('User'))
  expect(after('WORKDIR').at(-1)).toBe(setting('WorkingDirectory')[0])
  const shipped = new Set(trunkline?.files.map(({ to }) => to))
  for (const word of command.filter((each) => each.includes('/'))) {
    const path = word.replace(/^--env-file=/, '')
    expect(shipped, basename(path)).toContain(path)
  }
})
