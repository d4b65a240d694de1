/**
 * Writes .br and .gz beside the console's files, so that the API only has to hand them out. Done
 * once here at the highest level, which is far too slow to do at each request.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const COMPRESSIBLE = /\.(js|css|svg|json|txt|webmanifest)$/
/** Below this an answer fits one packet anyway. */
const MIN_BYTES = 1024

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * index.html is left alone: the API puts a nonce into it for every request.
 * @param {string} folder
 */
export async function precompress(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  await Promise.all(
    files.filter((file) => COMPRESSIBLE.test(file)).map((file) => both(join(folder, file))),
  )
}

/** @param {string} file */
async function both(file) {
  const content = readFileSync(file)
  if (content.length < MIN_BYTES) return
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const [br, gz] = await Promise.all([brotli(content, { params }), zip(content, { level: 9 })])
  writeFileSync(`${file}.br`, br)
  writeFileSync(`${file}.gz`, gz)
}
