/**
 * How much JavaScript a page of the console asks for before its first row is drawn: all that its chunk
 * and the entry import, directly or through others, without what they load later.
 */
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chunksOf, ENTRY } from './manifest.mjs'

/** In the folder that was built; the API serves no such file. */
export const PAGE_SCRIPTS_FILE = '.page-scripts.json'
const KILO = 1000
const PAGE = /Pages?\.tsx$/
/** Of the live stream: every page starts it, and none imports it. */
const WORKER = /^live\.worker.*\.js$/

/**
 * @typedef {import('./manifest.mjs').Manifest} Manifest
 * @typedef {{ page: string, kb: number }} PageScripts
 */

/**
 * Of a folder that is compressed: what each page asks for stays in a file, for the test that holds the
 * limit.
 * @param {string} folder
 * @param {Manifest} manifest
 */
export function writePageScripts(folder, manifest) {
  const worker = readdirSync(join(folder, 'assets')).filter((name) => WORKER.test(name))
  const pages = pageScripts(
    manifest,
    (file) => kilobytesOf(join(folder, file)),
    worker.map((name) => `assets/${name}`),
  )
  writeFileSync(join(folder, PAGE_SCRIPTS_FILE), JSON.stringify(pages))
}

/**
 * @param {Manifest} manifest
 * @param {(file: string) => number} kilobytes
 * @param {readonly string[]} everywhere files that every page loads, and none imports
 * @returns {PageScripts[]} the largest first
 */
export function pageScripts(manifest, kilobytes, everywhere) {
  const names = Object.keys(manifest).filter((name) => PAGE.test(name))
  const pages = names.map((page) => {
    const files = [...chunksOf(manifest, [ENTRY, page])].map((name) => manifest[name]?.file ?? '')
    const kb = [...files, ...everywhere].reduce((sum, file) => sum + kilobytes(file), 0)
    return { page, kb }
  })
  return pages.toSorted((a, b) => b.kb - a.kb)
}

/** @param {string} file as the API sends it: small ones are not compressed */
function kilobytesOf(file) {
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size / KILO
}
