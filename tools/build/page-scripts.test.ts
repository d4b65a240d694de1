import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeManifest } from './manifest.mjs'
import { PAGE_SCRIPTS_FILE, pageScripts, writePageScripts } from './page-scripts.mjs'

const MANIFEST = {
  'index.html': {
    file: 'assets/index.js',
    imports: ['_shared.js'],
    dynamicImports: ['src/a/APage.tsx', 'src/b/BPage.tsx'],
  },
  '_shared.js': { file: 'assets/shared.js' },
  '_deep.js': { file: 'assets/deep.js', imports: ['_shared.js'] },
  'src/a/APage.tsx': {
    file: 'assets/APage.js',
    imports: ['index.html', '_deep.js'],
    dynamicImports: ['src/a/Dialog.tsx'],
  },
  'src/a/Dialog.tsx': { file: 'assets/Dialog.js', imports: ['_deep.js'] },
  'src/b/BPage.tsx': { file: 'assets/BPage.js', imports: ['_shared.js'] },
}
const KB: Readonly<Record<string, number>> = {
  'assets/index.js': 1,
  'assets/shared.js': 10,
  'assets/deep.js': 100,
  'assets/APage.js': 1000,
  'assets/BPage.js': 2000,
  'assets/Dialog.js': 100_000,
  'assets/live.worker.js': 0.5,
}

test('a page counts each script once that it or the entry imports, and none that it loads later', () => {
  expect(
    pageScripts(MANIFEST, (file) => KB[file] ?? Number.NaN, ['assets/live.worker.js']),
  ).toEqual([
    { page: 'src/b/BPage.tsx', kb: 2011.5 },
    { page: 'src/a/APage.tsx', kb: 1111.5 },
  ])
})

test('a build leaves what each page asks for, as it is sent, and no manifest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-page-scripts-'))
  try {
    for (const name of ['.vite', 'assets']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(MANIFEST))
    for (const file of Object.keys(KB)) writeFileSync(join(folder, file), '')
    writeFileSync(join(folder, 'assets/APage.js'), 'x'.repeat(3000))
    writeFileSync(join(folder, 'assets/APage.js.gz'), 'x'.repeat(1000))
    writeFileSync(join(folder, 'assets/live.worker-1.js'), 'x'.repeat(500))
    writePageScripts(folder, takeManifest(folder))
    expect(existsSync(join(folder, '.vite'))).toBe(false)
    expect(JSON.parse(readFileSync(join(folder, PAGE_SCRIPTS_FILE), 'utf8'))).toEqual([
      { page: 'src/a/APage.tsx', kb: 1.5 },
      { page: 'src/b/BPage.tsx', kb: 0.5 },
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
