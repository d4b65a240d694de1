/**
 * Serves the built console: files as they are, compressed ahead; index.html in the language of the
 * person or else of the request, with the times of the person, and with a nonce of its own, at every address that is not a file and not the API's.
 */
import fastifyStatic from '@fastify/static'
import { languageOf, type Language } from '@trunkline/contract/session/language.rules'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Context } from '../../context.ts'
import * as serverService from '../../servers/server.service.ts'
import * as sessionService from '../../session/session.service.ts'
import { serveHashedFiles } from './hashed-files.ts'
import { pagePolicy } from '../security-headers.ts'

const NONCE_PLACE = '__CSP_NONCE__'
/** Read by lib/locale/time-zone.ts of the console. */
const TIMES_PLACE = '__ACCOUNT_TIMES__'
const NONCE_BYTES = 16
/** Of the files whose names carry a hash of their content. */
const HASHED = /^\/(\w\w\/)?assets\//
/** By tools/build/page-files.mjs. */
const PAGE_FILES_FILE = '.page-files.json'
/** English is built into the folder itself, the others into one of their name. */
const FOLDERS: Readonly<Record<Language, string>> = { en: '', fr: 'fr' }
const SIGN_IN_PATH = /^\/(login|signup)\/?$/i

/** Answers what sends the page. */
export async function serveConsole(
  app: FastifyInstance,
  ctx: Context,
): Promise<(reply: FastifyReply) => Promise<FastifyReply>> {
  const { consoleDir } = ctx.config
  if (existsSync(consoleDir)) {
    await app.register(fastifyStatic, {
      root: consoleDir,
      index: false,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      // Folders are no files, and index.html leaves with its nonce only, by sendPage.
      allowedPath: (path) => extname(path) !== '' && extname(path) !== '.html',
      setHeaders(reply) {
        reply.header('cache-control', 'no-cache')
      },
    })
    for (const folder of Object.values(FOLDERS)) {
      serveHashedFiles(app, `/${join(folder, 'assets')}/`, join(consoleDir, folder, 'assets'))
    }
  }
  const pages = new Map<string, BuiltPage>()
  return async (reply) => sendPage(ctx, pages, reply)
}

async function sendPage(
  ctx: Context,
  pages: Map<string, BuiltPage>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  const [path = ''] = reply.request.url.split('?')
  if (HASHED.test(path)) {
    return reply.code(404).type('text/plain').send('There is no such file. Reload the page.\n')
  }
  const { cookie, 'accept-language': accepted } = reply.request.headers
  const person = await sessionService.whosePage(ctx, cookie)
  // Of the sign-in the browser's choice counts: whose session was there last says nothing of who comes.
  const reader = SIGN_IN_PATH.test(path) ? null : person
  const language = reader?.language ?? languageOf(cookie, accepted)
  const page = await readPage(pages, join(ctx.config.consoleDir, FOLDERS[language]), path)
  if (page === null) {
    return reply
      .code(503)
      .type('text/plain')
      .send('The console is not built yet. Run `npm run build`, then reload this page.\n')
  }
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const origins = person === null ? [] : await serverService.channelOrigins(ctx, person.actor)
  return reply
    .header('content-security-policy', pagePolicy(nonce, origins))
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(NONCE_PLACE, nonce).replace(TIMES_PLACE, reader?.times ?? ''))
}

/** As built: read again when there is another one. */
interface BuiltPage {
  mtimeMs: number
  html: string
  files: readonly PageFiles[]
}

/**
 * With links to the files that the page at `path` needs beyond those of every page: otherwise a browser
 * would ask for them only after the scripts of every page have come and run. null when the console is
 * not built.
 */
async function readPage(
  pages: Map<string, BuiltPage>,
  folder: string,
  path: string,
): Promise<string | null> {
  try {
    const { html, files } = await builtPage(pages, folder)
    const links = files.find((page) => isAt(path, page.path))?.links ?? ''
    return html.replace('</head>', `${links}</head>`)
  } catch {
    return null
  }
}

/** Throws when there is none. */
async function builtPage(pages: Map<string, BuiltPage>, folder: string): Promise<BuiltPage> {
  const file = join(folder, 'index.html')
  const { mtimeMs } = await stat(file)
  const kept = pages.get(folder)
  if (kept?.mtimeMs === mtimeMs) return kept
  const [html, files] = await Promise.all([
    readFile(file, 'utf8'),
    readFile(join(folder, PAGE_FILES_FILE), 'utf8'),
  ])
  const page = { mtimeMs, html, files: JSON.parse(files) as PageFiles[] }
  pages.set(folder, page)
  return page
}

interface PageFiles {
  /** As the router of the console has it: `/dashboard/path/$kind/$id`. */
  path: string
  /** HTML. */
  links: string
}

function isAt(path: string, pattern: string): boolean {
  const parts = path.replace(/\/$/, '').toLowerCase().split('/')
  const expected = pattern.replace(/\/$/, '').toLowerCase().split('/')
  const isSame = (part: string, at: number) => part.startsWith('$') || part === parts[at]
  return parts.length === expected.length && expected.every(isSame)
}
