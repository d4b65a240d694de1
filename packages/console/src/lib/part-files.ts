/**
 * Fetches the files of a part of the console before the browser imports it; the build puts it in the
 * place of Vite's own preloading. A browser never asks again for a module whose import has failed, until
 * the page is reloaded, nor for a preload that has. What was only fetched can be asked for again.
 */

/**
 * A server that hangs takes the request and never answers: the part then counts as not loaded, so that a
 * click is not without any effect. On a slow line the largest part takes a second.
 */
const LOADED_WITHIN_MS = 15_000

/** By address: what is here, or on its way. */
const fetched = new Map<string, Promise<void>>()

/**
 * @param files of the build, below its base: scripts and style sheets that `load` needs, its own too
 * @throws Error when one of them could not be fetched; `load` has not been called then
 */
export async function loadPart<T>(
  load: () => Promise<T>,
  files: readonly string[] = [],
): Promise<T> {
  await Promise.all(files.map(async (file) => fetchOnce(`${import.meta.env.BASE_URL}${file}`)))
  return load()
}

async function fetchOnce(address: string): Promise<void> {
  const known = fetched.get(address)
  if (known !== undefined) return known
  const fetching = isInPage(address) ? Promise.resolve() : fetchFile(address)
  fetched.set(address, fetching)
  return fetching.catch((error: unknown) => {
    fetched.delete(address)
    throw error
  })
}

/** The page itself names the files of its entry. */
function isInPage(address: string): boolean {
  const { href } = new URL(address, location.href)
  return [...document.querySelectorAll('link')].some((link) => link.href === href)
}

/** Into the cache of the browser, from where it is imported; a style sheet into the page. */
async function fetchFile(address: string): Promise<void> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(LOADED_WITHIN_MS) })
  if (answer.status === NOT_FOUND) throw new Error(`${MODULE_NOT_FOUND}: ${address}`)
  if (!answer.ok) throw new Error(`${address} was not loaded: status ${answer.status}.`)
  await answer.arrayBuffer()
  if (address.endsWith('.css')) await addStyles(address)
}

const NOT_FOUND = 404
/** In the words of the browser, which the router knows: it reloads a console that was updated, once. */
const MODULE_NOT_FOUND = 'Failed to fetch dynamically imported module'

async function addStyles(address: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.crossOrigin = ''
  // Not of the page itself, which is loaded again when one of its files is missing (public/page-start.js).
  link.dataset['part'] = ''
  link.nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
  link.href = address
  const added = Promise.withResolvers<unknown>()
  link.addEventListener('load', added.resolve)
  link.addEventListener('error', () => {
    link.remove()
    added.reject(new Error(`${address} was not loaded.`))
  })
  document.head.append(link)
  await added.promise
}
