/**
 * Which files the page at each path needs beyond what every page begins with. The API names them in the
 * page that it sends (packages/api/src/http/console/static.ts), so that they come beside the first scripts and
 * not after those have run.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'
import { chunksOf, ENTRY } from './manifest.mjs'

/** In the folder that was built; the API serves no such file. */
const PAGE_FILES_FILE = '.page-files.json'
const ROUTER = 'packages/console/src/app/router.tsx'
const PATHS = 'packages/console/src/app/paths.ts'
/** Loaded before the first page is drawn, by the French console alone. */
const FRENCH_SENTENCES = 'src/lib/locale/french-sentences.ts'

/** As in the page that vite writes: the API puts a fresh nonce in its place. */
const NONCE_PLACE = '__CSP_NONCE__'

/** Read, not run: a build may be started by a Node that knows no TypeScript. */
const PATH = /^  (\w+): '(\/\S*)',$/gm
/** How the router names the file of a component, and the component of a path. */
const COMPONENT = /const (\w+) = lazyRouteComponent\(\s*async \(\) => import\('(\S+)'\)/g
const ROUTE = /inShell\(paths\.(\w+), '\w+', (\w+)\)|path: paths\.(\w+),\s*component: (\w+)/g

/**
 * @typedef {import('./manifest.mjs').Manifest} Manifest
 * @typedef {{ path: string, links: string }} PageFiles `links`: HTML
 */

/**
 * @param {string} folder that vite built
 * @param {Manifest} manifest
 * @param {string} base of the addresses of its files: `/`, `/fr/`
 */
export function writePageFiles(folder, manifest, base) {
  const [router, paths] = [ROUTER, PATHS].map((file) => readFileSync(join(root, file), 'utf8'))
  const pages = pageFiles(pagesOf(router ?? '', paths ?? ''), manifest, base)
  writeFileSync(join(folder, PAGE_FILES_FILE), JSON.stringify(pages))
}

/**
 * @param {string} router its source
 * @param {string} paths the source of every path of the console, by its name
 * @returns {{ path: string, page: string }[]} the file of each path's page, as the manifest names it
 * @throws Error when the page of a path is not found: the router is then written in another way
 */
export function pagesOf(router, paths) {
  const files = new Map([...router.matchAll(COMPONENT)].map(([, name, file]) => [name, file]))
  const components = new Map(
    [...router.matchAll(ROUTE)].map(([, path, page, otherPath, otherPage]) => [
      path ?? otherPath,
      page ?? otherPage,
    ]),
  )
  return [...paths.matchAll(PATH)].map(([, name = '', path = '']) => {
    const file = files.get(components.get(name) ?? '')
    if (file === undefined) throw new Error(`${ROUTER}: no page was found for the path ${name}.`)
    return { path, page: file.replace(/^\.\.\//, 'src/').replace(/^\.\//, 'src/app/') }
  })
}

/**
 * @param {readonly { path: string, page: string }[]} pages
 * @param {Manifest} manifest
 * @param {string} base
 * @returns {PageFiles[]} of two paths that an address fits, the one with the later parameter is first
 */
export function pageFiles(pages, manifest, base) {
  const everywhere = filesOf(manifest, [ENTRY])
  const sentences = FRENCH_SENTENCES in manifest ? [FRENCH_SENTENCES] : []
  return pages
    .toSorted((a, b) => (parametersLast(a.path) < parametersLast(b.path) ? -1 : 1))
    .map(({ path, page }) => {
      if (!(page in manifest)) throw new Error(`${ROUTER}: ${page} was not built.`)
      const files = [...filesOf(manifest, [page, ...sentences])]
      const own = files.filter((file) => !everywhere.has(file))
      return { path, links: own.map((file) => linkTo(`${base}${file}`)).join('') }
    })
}

/** @param {string} address */
function linkTo(address) {
  const kind = address.endsWith('.css') ? 'stylesheet' : 'modulepreload'
  return `<link rel="${kind}" crossorigin href="${address}" nonce="${NONCE_PLACE}">`
}

/** @param {string} path */
function parametersLast(path) {
  return path.replaceAll('$', '~')
}

/**
 * @param {Manifest} manifest
 * @param {readonly string[]} names
 * @returns {Set<string>}
 */
function filesOf(manifest, names) {
  const chunks = [...chunksOf(manifest, names)].map((name) => manifest[name])
  return new Set(chunks.flatMap((chunk) => (chunk ? [chunk.file, ...(chunk.css ?? [])] : [])))
}
