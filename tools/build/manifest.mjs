/** Which files the console was built into, and which of them import which others: vite's manifest. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** What every page begins with. */
export const ENTRY = 'index.html'

/**
 * @typedef {{ file: string, css?: string[], imports?: string[], dynamicImports?: string[] }} Chunk
 * @typedef {Readonly<Record<string, Chunk>>} Manifest
 */

/**
 * The API does not send it: it is removed from the folder.
 * @param {string} folder
 * @returns {Manifest}
 */
export function takeManifest(folder) {
  const text = readFileSync(join(folder, '.vite/manifest.json'), 'utf8')
  rmSync(join(folder, '.vite'), { recursive: true })
  return /** @type {Manifest} */ (JSON.parse(text))
}

/**
 * @param {Manifest} manifest
 * @param {readonly string[]} names
 * @returns {Set<string>} these and all that they import
 */
export function chunksOf(manifest, names) {
  const found = new Set(names)
  for (const name of found) for (const next of manifest[name]?.imports ?? []) found.add(next)
  return found
}
