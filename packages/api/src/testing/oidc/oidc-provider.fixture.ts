/** The provider of the tests: a process, and somebody at its pages with a jar of cookies. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { OidcConfig } from '../../security/oidc-settings.ts'

export type Claims = Readonly<Record<string, unknown>>
export interface ProviderSetup {
  redirectUri: string
  /** `secret`: '' for a public client. */
  client: { id: string; secret: string }
}

export interface TestProvider extends AsyncDisposable {
  issuer: string
  /** Whom it knows, by what they type as login. */
  know(people: Readonly<Record<string, Claims>>): Promise<void>
  /** The process ends: nobody answers there any more. */
  stop(): Promise<void>
}

export async function startProvider(setup: ProviderSetup): Promise<TestProvider> {
  const file = join(import.meta.dirname, 'provider.process.ts')
  const child = fork(file, [JSON.stringify(setup)], { silent: true, execArgv: [] })
  const written: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  const [message] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`The provider ended: ${written.join('')}`))),
  ])) as [{ issuer: string }]
  return {
    issuer: message.issuer,
    async know(people) {
      const known = once(child, 'message')
      child.send(people)
      await known
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export function oidcConfig(issuer: string, more: Partial<OidcConfig> = {}): OidcConfig {
  return {
    issuer,
    clientId: 'trunkline',
    clientSecretFile: null,
    name: 'Example SSO',
    publicUrl: 'http://127.0.0.1:9',
    scopes: 'openid email profile',
    roleClaim: 'roles',
    roles: new Map([
      ['noc', 'monitor'],
      ['ops', 'editor'],
      ['leads', 'manager'],
      ['it', 'admin'],
      ['root', 'superadmin'],
    ]),
    groupClaim: 'groups',
    groups: new Map([['sports', 'North']]),
    ...more,
  }
}

/** Answers what the provider adds to the address of the sign-in page: 'code=…&state=…'. */
export async function signInAtProvider(url: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next = new URL(url)
  let form: Record<string, string> | null = null
  // Sign-in and consent are four redirects each; more is a circle.
  for (let hops = 0; hops < 20; hops++) {
    const response: Response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form === null ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    form = null
    const to = response.headers.get('location')
    if (to !== null) {
      next = new URL(to, next)
      const answer = next.hash.slice(1) || next.search.slice(1)
      if (/(^|&)(code|error)=/.test(answer)) return answer
      continue
    }
    const text = await response.text()
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1]
    if (prompt === undefined) throw new Error(`No form at the provider: ${text}`)
    form = { prompt, login, password: 'any' }
  }
  throw new Error('The provider sends the browser in a circle.')
}
