/** nginx with TLS as docs/operate prints its configuration, before an API process or two of a test. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setDefaultCACertificates } from 'node:tls'
import { repositoryRoot } from '@trunkline/testbed/repository'

/** The configuration on each page, by how many API processes it is for. */
const PAGES = {
  1: { page: 'docs/operate/1-install.md', block: /<<'END'\n(server \{[\s\S]*?)END\n/ },
  2: { page: 'docs/operate/10-several-processes.md', block: /```nginx\n([\s\S]*?)```/ },
} as const
/** Debian keeps it out of the PATH of an ordinary account. */
const NGINX = '/usr/sbin/nginx'

export interface Nginx extends AsyncDisposable {
  readonly url: string
  /** Of its main process, whose child does the work. */
  readonly pid: number
  /** Again, at the same port, after both of them were killed. */
  start: () => Promise<void>
  /** Resolves once it has passed a call to the process at this port. */
  untilItUses: (port: number) => Promise<void>
}

/** Only ends what hangs. */
const LIMIT_MS = 60_000
const LOOK_MS = 50

const USED_HEADER = 'x-test-used'

/** `folder`: for its certificate, its log and its process file. */
export async function startNginx(
  folder: string,
  port: number,
  apiPorts: readonly [number] | readonly [number, number],
): Promise<Nginx> {
  mkdirSync(folder, { recursive: true })
  trust(makeCertificate(folder))
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, wholeConfig(folder, siteConfig(folder, port, apiPorts)))
  const url = `https://127.0.0.1:${port}`
  let running = await startProcess(folder, file, url)
  return {
    url,
    get pid() {
      return running.pid
    },
    async start() {
      await running.ended
      running = await startProcess(folder, file, url)
    },
    untilItUses: async (apiPort) =>
      until(async () => {
        // Of several that were tried the last is the one that answered.
        const used = (await fetch(url)).headers.get(USED_HEADER) ?? ''
        if (!used.endsWith(`:${apiPort}`)) throw new Error(`It uses ${used}.`)
      }),
    [Symbol.asyncDispose]: async () => running.stop(),
  }
}

/** It ends with the process that started it. */
async function startProcess(folder: string, file: string, url: string) {
  const argv = [NGINX, '-p', folder, '-c', file, '-e', join(folder, 'error.log')]
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...argv], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()))
  const ended = once(child, 'exit')
  await Promise.race([
    untilItAnswers(url),
    ended.then(() => {
      throw new Error(`nginx did not start: ${words}`)
    }),
  ])
  return {
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** As the page has it, with the places of the test in place of the example's. */
function siteConfig(
  folder: string,
  port: number,
  apiPorts: readonly [number] | readonly [number, number],
): string {
  const { page, block } = PAGES[apiPorts.length]
  const [first, second] = apiPorts
  const config = block.exec(readFileSync(join(repositoryRoot(), page), 'utf8'))?.[1]
  if (config === undefined) throw new Error(`${page} has no configuration of nginx.`)
  const apis: readonly (readonly [string, string])[] =
    second === undefined
      ? [['127.0.0.1:8080', `127.0.0.1:${first}`]]
      : [
          ['10.0.0.11:8080', `127.0.0.1:${first}`],
          ['10.0.0.12:8080', `127.0.0.1:${second}`],
        ]
  const places: readonly (readonly [string, string])[] = [
    ...apis,
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['server_name console.example', 'server_name 127.0.0.1'],
    ['/etc/ssl/console.example.pem', join(folder, 'console.pem')],
    ['/etc/ssl/console.example.key', join(folder, 'console.key')],
  ]
  return places.reduce((text, [theirs, ours]) => {
    if (!text.includes(theirs)) throw new Error(`${page} no longer names ${theirs}.`)
    return text.replaceAll(theirs, ours)
  }, config)
}

function wholeConfig(folder: string, site: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return [
    'daemon off;',
    'worker_processes 1;',
    `pid ${join(folder, 'nginx.pid')};`,
    'events {}',
    'http {',
    'access_log off;',
    `add_header ${USED_HEADER} $upstream_addr always;`,
    ...kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`),
    site,
    '}',
  ].join('\n')
}

function makeCertificate(folder: string): string {
  const [certificate, key] = [join(folder, 'console.pem'), join(folder, 'console.key')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  execFileSync('openssl', ['req', ...kind, ...name, '-keyout', key, '-out', certificate], {
    stdio: 'pipe',
  })
  return readFileSync(certificate, 'utf8')
}

/** As a person's browser does with the authority of the house. */
function trust(certificate: string): void {
  setDefaultCACertificates([certificate])
}

async function untilItAnswers(url: string): Promise<void> {
  await until(async () => {
    await fetch(url)
  })
}

/** Until `check` holds. Throws its last failure. */
async function until(check: () => Promise<void>): Promise<void> {
  const endMs = performance.now() + LIMIT_MS
  for (;;) {
    try {
      await check()
      return
    } catch (error) {
      if (performance.now() > endMs) throw error
      await pause(LOOK_MS)
    }
  }
}
