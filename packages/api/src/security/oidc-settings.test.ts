import { expect, test } from 'vitest'
import { ConfigFault, readConfig } from '../config.ts'

const ALL = {
  TRUNKLINE_OIDC_ISSUER: 'https://login.example',
  TRUNKLINE_OIDC_CLIENT_ID: 'trunkline',
  TRUNKLINE_OIDC_ROLES: 'noc=monitor, /it staff=admin',
  TRUNKLINE_PUBLIC_URL: 'https://console.example/',
}
const read = (env: Record<string, string>) => readConfig(env, '/opt/dist/main.js').oidc

test('without the settings there is no provider; with them roles and groups are mapped', () => {
  expect(read({})).toBeNull()
  const oidc = read({ ...ALL, TRUNKLINE_OIDC_GROUPS: 'sports=Sports North,news=News' })
  expect(oidc).toMatchObject({
    name: 'SSO',
    publicUrl: 'https://console.example',
    roleClaim: 'roles',
  })
  expect([...(oidc?.roles ?? [])]).toEqual([
    ['noc', 'monitor'],
    ['/it staff', 'admin'],
  ])
  expect(oidc?.groups.get('sports')).toBe('Sports North')
})

test.each([
  [{ TRUNKLINE_OIDC_ISSUER: 'http://login.example' }, 'TRUNKLINE_OIDC_ISSUER must be an address'],
  [{ TRUNKLINE_OIDC_ISSUER: '' }, 'also needs TRUNKLINE_OIDC_ISSUER.'],
  [{ TRUNKLINE_OIDC_ROLES: 'noc=boss' }, 'TRUNKLINE_OIDC_ROLES must be pairs'],
  [{ TRUNKLINE_OIDC_ROLES: 'noc' }, 'TRUNKLINE_OIDC_ROLES must be pairs'],
  [{ TRUNKLINE_OIDC_SCOPES: 'email' }, "must begin with 'openid'"],
  [{ TRUNKLINE_PUBLIC_URL: 'javascript:alert(1)' }, 'TRUNKLINE_PUBLIC_URL must be an address'],
])('%j is refused in words', (change, sentence) => {
  expect(() => read({ ...ALL, ...change })).toThrow(ConfigFault)
  expect(() => read({ ...ALL, ...change })).toThrow(sentence)
})

test('http is for providers of this machine only', () => {
  const oidc = read({ ...ALL, TRUNKLINE_OIDC_ISSUER: 'http://127.0.0.1:9000' })
  expect(oidc?.issuer).toBe('http://127.0.0.1:9000')
})
