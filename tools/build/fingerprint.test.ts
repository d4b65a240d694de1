import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint } from './fingerprint.mjs'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'trunkline-fingerprint-'))
  write('src/a.ts', 'a')
  write('src/deep/b.ts', 'b')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string) {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

const now = () => fingerprint(root, ['src', 'package-lock.json'])

test('changes of content, of a name, and a new file are seen', () => {
  const before = now()
  write('src/deep/b.ts', 'c')
  const changed = now()
  write('src/deep/c.ts', '')
  const added = now()
  write('package-lock.json', '{}')
  expect(new Set([before, changed, added, now()]).size).toBe(4)
})

test('times, tests, and build output are ignored', () => {
  const before = now()
  utimesSync(join(root, 'src/a.ts'), 1, 1)
  write('src/a.test.ts', 'x')
  write('src/dist/main.js', 'x')
  write('src/node_modules/zod/index.js', 'x')
  expect(now()).toBe(before)
})
