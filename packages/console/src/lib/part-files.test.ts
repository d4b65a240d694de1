import { afterEach, expect, test, vi } from 'vitest'
import { loadPart } from './part-files.ts'

afterEach(() => vi.unstubAllGlobals())

/** A server that answers each request for a file with the next of these; the last one again and again. */
function serve(...answers: (() => Promise<Response>)[]) {
  const [first = async () => Promise.resolve(new Response('')), ...others] = answers
  const fetch = vi.fn<(address: string) => Promise<Response>>(first)
  let before = first
  for (const answer of others) {
    fetch.mockImplementationOnce(before)
    before = answer
  }
  fetch.mockImplementation(before)
  vi.stubGlobal('fetch', fetch)
  return fetch
}

const arrives = async () => Promise.resolve(new Response('export {}'))
const noNetwork = async () => Promise.reject(new TypeError('Failed to fetch'))
const status = (code: number) => async () => Promise.resolve(new Response('', { status: code }))
const load = () => vi.fn<() => Promise<string>>(async () => Promise.resolve('loaded'))

test('a part is imported only once its files are here, and each is fetched once', async () => {
  const fetch = serve(arrives)
  expect(await loadPart(load(), ['assets/a.js', 'assets/b.js'])).toBe('loaded')
  expect(await loadPart(load(), ['assets/b.js'])).toBe('loaded')
  expect(fetch.mock.calls.map(([address]) => address)).toEqual(['/assets/a.js', '/assets/b.js'])
})

test('without a network the import is not tried, so that it works when the network is back', async () => {
  serve(noNetwork, arrives)
  const part = load()
  await expect(loadPart(part, ['assets/c.js'])).rejects.toThrow('Failed to fetch')
  expect(part).not.toHaveBeenCalled()
  expect(await loadPart(part, ['assets/c.js'])).toBe('loaded')
})

test('a server that hangs is not waited for without end, and is asked again', async () => {
  const limit = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal)
  vi.stubGlobal('fetch', async (_address: string, { signal }: { signal: AbortSignal }) => {
    const hanging = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => hanging.reject(signal.reason))
    return hanging.promise
  })
  const loading = loadPart(load(), ['assets/h.js'])
  limit.abort(new Error('It took too long.'))
  await expect(loading).rejects.toThrow('It took too long.')
  serve(arrives)
  expect(await loadPart(load(), ['assets/h.js'])).toBe('loaded')
})

test('a proxy that refuses is asked again', async () => {
  serve(status(502), arrives)
  await expect(loadPart(load(), ['assets/d.js'])).rejects.toThrow('status 502')
  expect(await loadPart(load(), ['assets/d.js'])).toBe('loaded')
})

test('a file that an update has removed fails as its import would, so that the router reloads', async () => {
  serve(status(404))
  await expect(loadPart(load(), ['assets/e.js'])).rejects.toThrow(
    'Failed to fetch dynamically imported module: /assets/e.js',
  )
})
