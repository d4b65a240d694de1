import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { precompress } from './precompress.mjs'

test('scripts and styles are also stored as br and gz; small files, pictures and pages are not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-precompress-'))
  try {
    const text = 'export const encoder = 1\n'.repeat(200)
    mkdirSync(join(folder, 'assets'))
    for (const name of ['assets/main.js', 'index.html', 'assets/logo.png']) {
      writeFileSync(join(folder, name), text)
    }
    writeFileSync(join(folder, 'assets/small.css'), 'a{}')
    await precompress(folder)
    expect(readdirSync(join(folder, 'assets')).toSorted()).toEqual([
      'logo.png',
      'main.js',
      'main.js.br',
      'main.js.gz',
      'small.css',
    ])
    expect(readdirSync(folder)).toHaveLength(2)
    const [br, gz] = ['br', 'gz'].map((end) => readFileSync(join(folder, `assets/main.js.${end}`)))
    expect(brotliDecompressSync(br ?? '').toString()).toBe(text)
    expect(gunzipSync(gz ?? '').toString()).toBe(text)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
