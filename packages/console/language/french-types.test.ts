import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { frenchOf, sourcesOfConsole } from './french.ts'
import { translateSource } from './source-texts.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'node_modules/.cache/trunkline', `french-${process.pid}`)

function write(path: string, text: string): void {
  mkdirSync(dirname(join(FOLDER, path)), { recursive: true })
  writeFileSync(join(FOLDER, path), text)
}

function typeErrors(): string {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  // Several threads infer the same types again, which costs twice the work (tools/test/kinds.mjs).
  const argv = [tsc, '--noEmit', '--singleThreaded', '-p', FOLDER]
  const env = { ...process.env, GOMAXPROCS: '1', GOGC: '400' }
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', env })
  return stdout + stderr
}

test('design 9 no translation stands in the place of a value', () => {
  try {
    for (const file of sourcesOfConsole()) {
      const french = translateSource(file, readFileSync(file, 'utf8'), (text) => {
        return frenchOf(file, text) ?? null
      })
      write(relative(join(ROOT, 'packages'), file), french)
    }
    const catalogue = 'contract/src/language/french'
    cpSync(join(ROOT, 'packages', catalogue), join(FOLDER, catalogue), { recursive: true })
    const configuration = {
      extends: join(ROOT, 'packages/console/tsconfig.json'),
      compilerOptions: {
        noEmit: true,
        noUnusedLocals: false,
        paths: { '@trunkline/contract/*': ['./contract/src/*.ts'] },
      },
      include: ['console', 'contract', join(ROOT, 'packages/console/src/**/*.d.ts')],
    }
    write('tsconfig.json', JSON.stringify(configuration))
    expect(typeErrors()).toBe('')
  } finally {
    rmSync(FOLDER, { recursive: true, force: true })
  }
})
