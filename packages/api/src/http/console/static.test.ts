import { addServer } from '@trunkline/contract/servers/server.calls'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../app.ts'
import type { Config } from '../../config.ts'
import { jwtLogin, signOut } from '@trunkline/contract/session/session.calls'
import { updateUser } from '@trunkline/contract/users/user.calls'
import type { FastifyInstance } from 'fastify'
import { inject } from '../../testing/inject.ts'
import { addPeople } from '../../testing/people.ts'
import { makeTestContext } from '../../testing/test-context.ts'

const PAGE =
  '<!doctype html><head><meta property="csp-nonce" nonce="__CSP_NONCE__"><meta property="account-times" content="__ACCOUNT_TIMES__"><script nonce="__CSP_NONCE__"></script></head>'
const PAGE_FILES = [
  { path: '/dashboard/channel', links: '<link href="channels.js" nonce="__CSP_NONCE__">' },
  { path: '/dashboard/path/$kind/$id', links: '<link href="path.js" nonce="__CSP_NONCE__">' },
  {
    path: '/dashboard/$serverId/output/$id',
    links: '<link href="output.js" nonce="__CSP_NONCE__">',
  },
]
const FRENCH_PAGE = PAGE.replace('html>', 'html><html lang="fr">')
const SCRIPT = 'console.log("hello")'.repeat(50)

async function openConsole(build: boolean, more: Partial<Config> = {}) {
  const test = await makeTestContext(more)
  const { consoleDir } = test.ctx.config
  if (build) {
    await mkdir(join(consoleDir, 'assets'), { recursive: true })
    await writeFile(join(consoleDir, 'index.html'), PAGE)
    await writeFile(join(consoleDir, 'index.html.br'), brotliCompressSync(PAGE))
    await writeFile(join(consoleDir, '.page-files.json'), JSON.stringify(PAGE_FILES))
    await mkdir(join(consoleDir, 'fr', 'assets'), { recursive: true })
    await writeFile(join(consoleDir, 'fr', '.page-files.json'), '[]')
    await writeFile(join(consoleDir, 'fr', 'index.html'), FRENCH_PAGE)
    await writeFile(join(consoleDir, 'fr', 'assets', 'main-3c4d.js'), SCRIPT)
    await writeFile(join(consoleDir, 'favicon.svg'), '<svg/>')
    await writeFile(join(consoleDir, '.built-from'), 'sources')
    await writeFile(join(consoleDir, 'assets', 'main-1a2b.js'), SCRIPT)
    await writeFile(join(consoleDir, 'assets', 'main-1a2b.js.br'), brotliCompressSync(SCRIPT))
    await writeFile(join(consoleDir, 'assets', 'main-1a2b.js.gz'), gzipSync(SCRIPT))
    await writeFile(join(test.folder, 'outside.txt'), 'secret')
  }
  const people = await addPeople(test.ctx)
  const app = await buildApp(test.ctx)
  onTestFinished(async () => {
    await app.close()
    await test[Symbol.asyncDispose]()
  })
  return { app, ctx: test.ctx, ...people }
}

/** The cookie that a session check answers; '' for nobody. */
async function ticketOf(app: FastifyInstance, token: string): Promise<string> {
  const { headers } = await inject(app, jwtLogin, token, {})
  const cookie = headers['set-cookie']
  return typeof cookie === 'string' ? (cookie.split(';')[0] ?? '') : ''
}

async function pageOf(app: FastifyInstance, cookie: string) {
  return app.inject({ url: '/', headers: { cookie } })
}

test('T14 a stored host that is not an address does not prevent the page from loading', async () => {
  const { app, ctx, people, north } = await openConsole(true)
  const body = {
    title: 'Media',
    host: 'http://media.example.org',
    port: 8080,
    serverType: 'channel' as const,
    apiKey: 'abcdefgh',
    groupIds: [north],
    adapterIps: [{ adapterName: 'eth0', adapterIp: '192.0.2.1' }],
  }
  const wrong = await inject(app, addServer, people.admin.token, {
    body: { ...body, host: 'http://192.0.2.300' },
  })
  expect([wrong.status, wrong.failure.field]).toEqual([400, 'host'])
  expect((await inject(app, addServer, people.admin.token, { body })).status).toBe(201)
  await ctx.db.updateTable('servers').set({ host: 'http://192.0.2.300' }).execute()
  const { statusCode, headers } = await pageOf(app, await ticketOf(app, people.admin.token))
  expect(statusCode).toBe(200)
  expect(headers['content-security-policy']).toContain("connect-src 'self';")
})

test.each([
  '/',
  '/login',
  '/Login',
  '/dashboard/s/g/contribution/x',
  '/index.html',
  '/index',
  '/main.js',
])('%s answers the page with a nonce of its own, never kept', async (url) => {
  const { app } = await openConsole(true)
  const [first, second] = [await app.inject(url), await app.inject(url)]
  expect(first.statusCode).toBe(200)
  expect(first.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const nonce = /nonce="([^"]+)"/.exec(first.body)?.[1] ?? ''
  expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
  expect(first.body).toBe(PAGE.replaceAll('__CSP_NONCE__', nonce).replace('__ACCOUNT_TIMES__', ''))
  expect(first.headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${nonce}'`)
  expect(second.body).not.toBe(first.body)
})

test.each([
  ['/dashboard/channel', 'channels.js'],
  ['/Dashboard/Channel/?tab=x', 'channels.js'],
  ['/dashboard/path/output/1', 'path.js'],
  ['/dashboard/1/output/2', 'output.js'],
  ['/dashboard/1/output', null],
  ['/dashboard', null],
])('W8 %s links to the files that its page needs beyond those of every page', async (url, file) => {
  const { app } = await openConsole(true)
  const { body, headers } = await app.inject(url)
  const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]
  const link = file === null ? '' : `<link href="${file}" nonce="${nonce}">`
  expect(body).toContain(`</script>${link}</head>`)
})

test.each([
  ['the browser’s own language', { 'accept-language': 'fr-FR,fr;q=0.9' }, true],
  ['what was chosen before it', { 'accept-language': 'fr', cookie: 'language=en' }, false],
  ['what was chosen', { cookie: 'a=b; language=fr' }, true],
  ['neither', { 'accept-language': 'de' }, false],
])('design 9 the page is in the language of the request: %s', async (_, headers, isFrench) => {
  const { app } = await openConsole(true)
  const { body, statusCode } = await app.inject({ url: '/dashboard', headers })
  expect([statusCode, body.includes('lang="fr"')]).toEqual([200, isFrench])
  expect(body).not.toContain('__CSP_NONCE__')
})

test('design 9 the page is in the language of the account, and the sign-in in that of the browser', async () => {
  const { app, people, ctx } = await openConsole(true)
  const { token, id } = people.admin
  const cookie = `${await ticketOf(app, token)}; language=en`
  const isFrench = async (url: string) =>
    (await app.inject({ url, headers: { cookie } })).body.includes('lang="fr"')
  expect(await isFrench('/dashboard')).toBe(false)
  await inject(app, updateUser, token, { body: { _id: id, language: 'fr' } })
  expect(await Promise.all(['/', '/dashboard', '/login', '/Signup/'].map(isFrench))).toEqual([
    true,
    true,
    false,
    false,
  ])
  // Whoever is signed out is nobody that is known.
  await ctx.db.deleteFrom('sessions').execute()
  expect(await isFrench('/dashboard')).toBe(false)
})

test('design 9 the page has the times of the account, however they were chosen, and the sign-in none', async () => {
  const { app, people } = await openConsole(true)
  const { token, id } = people.admin
  const cookie = await ticketOf(app, token)
  const timesOf = async (url: string) =>
    /content="([^"]*)"/.exec((await app.inject({ url, headers: { cookie } })).body)?.[1]
  expect(await timesOf('/dashboard')).toBe('')
  await inject(app, updateUser, token, { body: { _id: id, times: 'local' } })
  expect(await Promise.all(['/dashboard', '/login'].map(timesOf))).toEqual(['local', ''])
})

test('design 9 French files are cached for ever, and one that is gone is no page', async () => {
  const { app } = await openConsole(true)
  const script = await app.inject('/fr/assets/main-3c4d.js')
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await app.inject('/fr/assets/main-0000.js')).statusCode).toBe(404)
  expect((await app.inject('/fr/index.html')).body).not.toContain('__CSP_NONCE__')
})

test('T13 decisions 21 the page’s policy, with the origins of channel servers', async () => {
  const { app, people, north } = await openConsole(true)
  for (const [host, port, serverType] of [
    ['streams.example.org', 8080, 'channel'],
    ['https://secure.example.org', 8443, 'channel'],
    ['gateway.example.org', 8000, 'acants'],
  ] as const) {
    const added = await inject(app, addServer, people.admin.token, {
      body: {
        title: host,
        host,
        port,
        serverType,
        apiKey: 'a-key-of-ours',
        groupIds: [north],
        adapterIps: [{ adapterName: 'eth0', adapterIp: '192.0.2.1' }],
      },
    })
    expect(added.status).toBe(201)
  }
  const { headers } = await pageOf(app, await ticketOf(app, people.admin.token))
  const policy = String(headers['content-security-policy']).replaceAll(/'nonce-[^']+'/g, "'nonce'")
  const origins = 'http://streams.example.org:8080 https://secure.example.org'
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self' 'nonce'",
    "style-src 'self' 'nonce'",
    "font-src 'self'",
    "img-src 'self' blob: data:",
    `media-src 'self' blob: ${origins}`,
    "worker-src 'self' blob:",
    `connect-src 'self' ${origins}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ])
})

test('hashed files are cached for ever and sent as they were compressed', async () => {
  const { app } = await openConsole(true)
  const get = async (encodings: string) =>
    app.inject({ url: '/assets/main-1a2b.js', headers: { 'accept-encoding': encodings } })
  const [plain, brotli, gzip] = [await get('identity'), await get('gzip, br'), await get('gzip')]
  expect(plain.body).toBe(SCRIPT)
  expect(brotli.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': expect.stringContaining('javascript') as string,
  })
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(SCRIPT)
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(SCRIPT)
  const icon = await app.inject('/favicon.svg')
  expect([icon.body, icon.headers['cache-control']]).toEqual(['<svg/>', 'no-cache'])
})

test.each([
  '/../outside.txt',
  '/..%2foutside.txt',
  '/assets/..%2f..%2foutside.txt',
  '/%2e%2e/outside.txt',
  '/.built-from',
  '/.page-files.json',
  '/..\\outside.txt',
])('nothing but the built files: %s', async (url) => {
  const { app } = await openConsole(true)
  const answer = await app.inject(url)
  expect(answer.body).not.toMatch(/^secret|^sources|^\[/)
})

test.each(['/assets/main-0000.js', '/assets/', '/assets/x/'])(
  '%s is a 404, not the page',
  async (url) => {
    const { app } = await openConsole(true)
    const answer = await app.inject(url)
    expect([answer.statusCode, answer.body]).toEqual([
      404,
      'There is no such file. Reload the page.\n',
    ])
  },
)

test('the page of a console that was built meanwhile is sent, with its files', async () => {
  const { app, ctx } = await openConsole(true)
  const file = join(ctx.config.consoleDir, 'index.html')
  await app.inject('/dashboard/channel')
  await writeFile(join(ctx.config.consoleDir, '.page-files.json'), '[]')
  await writeFile(file, PAGE.replace('<head>', '<head><title>Newer</title>'))
  await utimes(file, new Date(), new Date(Date.now() + 1000))
  const { body } = await app.inject('/dashboard/channel')
  expect([body.includes('Newer'), body.includes('channels.js')]).toEqual([true, false])
})

test('a hashed file is read once, and a name that is not there is asked for again', async () => {
  const { app, ctx } = await openConsole(true)
  const file = join(ctx.config.consoleDir, 'assets', 'late-5e6f.css')
  const get = async () => app.inject('/assets/late-5e6f.css')
  expect((await get()).statusCode).toBe(404)
  await writeFile(file, 'a{}')
  expect((await get()).body).toBe('a{}')
  await rm(file)
  const { body, headers } = await get()
  expect([body, headers['content-type']]).toEqual(['a{}', 'text/css'])
})

test('a console that is not built gives a message', async () => {
  const { app } = await openConsole(false)
  const answer = await app.inject('/')
  expect(answer.statusCode).toBe(503)
  expect(answer.body).toMatch(/^The console is not built yet\. Run `npm run build`/)
})

test('T13 HSTS is sent when a trusted proxy reports TLS, and only then', async () => {
  const hstsFor = async (trustedProxies: string[], proto: string) => {
    const { app } = await openConsole(true, { trustedProxies })
    const headers = { 'x-forwarded-proto': proto }
    const answers = await Promise.all(
      ['/', '/api/health', '/assets/main-1a2b.js'].map(async (url) => app.inject({ url, headers })),
    )
    return answers.map((answer) => answer.headers['strict-transport-security'])
  }
  const hsts = 'max-age=31536000'
  expect(await hstsFor(['127.0.0.1'], 'https')).toEqual([hsts, hsts, hsts])
  expect(await hstsFor(['127.0.0.1'], 'http')).toEqual([undefined, undefined, undefined])
  expect(await hstsFor([], 'https')).toEqual([undefined, undefined, undefined])
})

test('T13 the policy names no server before sign-in, and after it only those that the user may see', async () => {
  const { app, people, north, south } = await openConsole(true)
  for (const [host, groupId] of [
    ['north.example', north],
    ['south.example', south],
  ] as const) {
    const adapterIps = [{ adapterName: 'eth0', adapterIp: '192.0.2.1' }]
    const body = { title: host, host, port: 8080, serverType: 'channel' as const, adapterIps }
    const more = { apiKey: 'a-key-of-ours', groupIds: [groupId] }
    const added = await inject(app, addServer, people.admin.token, { body: { ...body, ...more } })
    expect(added.status).toBe(201)
  }
  const namedFor = async (cookie: string) => {
    const { headers } = await pageOf(app, cookie)
    return String(headers['content-security-policy']).match(/\w+\.example/g) ?? []
  }
  const monitor = await ticketOf(app, people.northMonitor.token)
  expect(await namedFor('')).toEqual([])
  expect(await namedFor(monitor)).toEqual(['north.example', 'north.example'])
  expect(new Set(await namedFor(await ticketOf(app, people.admin.token)))).toEqual(
    new Set(['north.example', 'south.example']),
  )
  // Of another person, without a right seal; no token in place of it, and it in place of no token.
  expect(await namedFor(monitor.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toEqual([])
  expect(await namedFor(`trunkline_page=${people.admin.token}`)).toEqual([])
  const value = monitor.split('=')[1] ?? ''
  expect((await inject(app, jwtLogin, value, {})).status).toBe(401)
  expect(
    (await app.inject({ url: '/api/live/snapshot', headers: { cookie: monitor } })).statusCode,
  ).not.toBe(200)
  const out = await inject(app, signOut, people.northMonitor.token, {})
  expect(out.headers['set-cookie']).toBe(
    'trunkline_page=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
  )
  expect(await namedFor(monitor)).toEqual([])
})

test('the page ticket is for this site alone, unseen by scripts, and over TLS for TLS alone', async () => {
  const { app, people } = await openConsole(true, { trustedProxies: ['127.0.0.1'] })
  const cookieOver = async (proto: string) => {
    const headers = {
      'x-forwarded-proto': proto,
      authorization: `Bearer ${people.admin.token}`,
    }
    const answer = await app.inject({ method: 'POST', url: jwtLogin.path, headers })
    return String(answer.headers['set-cookie']).split('; ').slice(1)
  }
  const always = ['Max-Age=604800', 'Path=/', 'HttpOnly', 'SameSite=Strict']
  expect(await cookieOver('http')).toEqual(always)
  expect(await cookieOver('https')).toEqual([...always, 'Secure'])
})
