/** A real OpenID Connect provider as a process of its own: whatever password is typed is right. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import type { Claims, ProviderSetup } from './oidc-provider.fixture.ts'

const { redirectUri, client } = JSON.parse(process.argv[2] ?? '') as ProviderSetup
/** By what is typed as login. */
let people: Readonly<Record<string, Claims>> = {}
process.on('message', (message) => {
  people = message as typeof people
  process.send?.({ type: 'known' })
})

const server = createServer()
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: client.id,
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      ...(client.secret === ''
        ? { token_endpoint_auth_method: 'none' }
        : { client_secret: client.secret, token_endpoint_auth_method: 'client_secret_basic' }),
    },
  ],
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'roles', 'groups'],
  },
  cookies: { keys: ['of a test'] },
  pkce: { required: () => true },
  findAccount: (_: unknown, sub: string) => ({
    accountId: sub,
    claims: () => ({ sub, ...people[sub] }),
  }),
})
server.on('request', provider.callback())
process.send?.({ type: 'ready', issuer })
