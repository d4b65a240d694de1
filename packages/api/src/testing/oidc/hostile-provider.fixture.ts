/** A provider whose ID tokens are what a test says, signed by whatever key. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beginOidc } from '@trunkline/contract/session/oidc.calls'
import type { FastifyInstance } from 'fastify'
import { inject } from '../inject.ts'
import type { Claims } from './oidc-provider.fixture.ts'

export interface HostileProvider extends AsyncDisposable {
  issuer: string
  /** What its token endpoint answers next. */
  idToken: string
}

const keys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const OWN = keys()
/** Of no provider that anybody knows. */
export const FOREIGN_KEY = keys().privateKey

export async function startHostileProvider(): Promise<HostileProvider> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(bodyOf(request.url ?? '', provider)))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  const provider: HostileProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    idToken: '',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
  return provider
}

function bodyOf(path: string, { issuer, idToken }: HostileProvider): unknown {
  switch (path) {
    case '/.well-known/openid-configuration':
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['ES256'],
      }
    case '/jwks':
      return { keys: [{ ...OWN.publicKey.export({ format: 'jwk' }), alg: 'ES256', kid: 'own' }] }
    default:
      return { access_token: 'any', token_type: 'Bearer', expires_in: 60, id_token: idToken }
  }
}

/**
 * Begins a sign-in. Answers what ends it, for somebody of whom the ID token says this beside what a
 * right one needs. `key`: it is signed by; null for none, with the algorithm 'none'.
 */
export async function answerOf(
  app: FastifyInstance,
  provider: HostileProvider,
  claims: Claims,
  key: KeyObject | null = OWN.privateKey,
): Promise<{ answer: string; binding: string }> {
  const { url, binding } = (await inject(app, beginOidc, '', {})).answer
  const asked = new URL(url).searchParams
  const nowS = Math.floor(Date.now() / 1000)
  const right = { iss: provider.issuer, aud: 'trunkline', nonce: asked.get('nonce'), iat: nowS }
  provider.idToken = idTokenOf({ ...right, exp: nowS + 600, ...claims }, key)
  const answer = new URLSearchParams({ code: 'any', state: asked.get('state') ?? '' }).toString()
  return { answer, binding }
}

function idTokenOf(claims: Claims, key: KeyObject | null): string {
  const header = key === null ? { alg: 'none' } : { alg: 'ES256', kid: 'own' }
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const body = `${encode(header)}.${encode(claims)}`
  if (key === null) return `${body}.`
  const signature = sign('sha256', Buffer.from(body), { key, dsaEncoding: 'ieee-p1363' })
  return `${body}.${signature.toString('base64url')}`
}
