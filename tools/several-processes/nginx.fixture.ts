/** nginx with the configuration that docs/operate/10 prints, before API processes of a test. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setDefaultCACertificates } from 'node:tls'
import { eventually } from '@trunkline/agent/agent.fixture'
import { repositoryRoot } from '@trunkline/testbed/repository'

const PAGE = 'docs/operate/10-several-processes.md'
/** Debian keeps it out of the PATH of an ordinary account. */
const NGINX = '/usr/sbin/nginx'

export interface Nginx extends AsyncDisposable {
  readonly url: string
  /** Resolves once it has passed a call to the process at this port. */
  untilItUses: (port: number) => Promise<void>
}

const USED_HEADER = 'x-test-used'

/** `folder`: for its certificate, its log and its process file. */
export async function startNginx(
  folder: string,
  port: number,
  apiPorts: readonly [number, number],
): Promise<Nginx> {
  mkdirSync(folder, { recursive: true })
  trust(makeCertificate(folder))
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, wholeConfig(folder, siteConfig(folder, port, apiPorts)))
  const child = spawn(NGINX, ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()))
  const ended = once(child, 'exit')
  const url = `https://127.0.0.1:${port}`
  await Promise.race([
    untilItAnswers(url),
    ended.then(() => {
      throw new Error(`nginx did not start: ${words}`)
    }),
  ])
  return {
    url,
    untilItUses: async (apiPort) =>
      eventually(async () => {
        // Of several that were tried the last is the one that answered.
        const used = (await fetch(url)).headers.get(USED_HEADER) ?? ''
        if (!used.endsWith(`:${apiPort}`)) throw new Error(`It uses ${used}.`)
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** As the page has it, with the places of the test in place of the example's. */
function siteConfig(folder: string, port: number, [first, second]: readonly [number, number]) {
  const page = readFileSync(join(repositoryRoot(), PAGE), 'utf8')
  const block = /```nginx\n([\s\S]*?)```/.exec(page)?.[1]
  if (block === undefined) throw new Error(`${PAGE} has no configuration of nginx.`)
  const places: readonly (readonly [string, string])[] = [
    ['10.0.0.11:8080', `127.0.0.1:${first}`],
    ['10.0.0.12:8080', `127.0.0.1:${second}`],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['server_name console.example', 'server_name 127.0.0.1'],
    ['/etc/ssl/console.example.pem', join(folder, 'console.pem')],
    ['/etc/ssl/console.example.key', join(folder, 'console.key')],
  ]
  return places.reduce((text, [theirs, ours]) => {
    if (!text.includes(theirs)) throw new Error(`${PAGE} no longer names ${theirs}.`)
    return text.replaceAll(theirs, ours)
  }, block)
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
  await eventually(async () => {
    await fetch(url)
  })
}
