/** For tests: a certificate authority by the openssl of the machine, as a console has one. */
import { execFileSync } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKey } from './seat-identity.ts'

export interface TestAuthority extends Disposable {
  /** PEM. */
  readonly certificate: string
  /** PEM, for a public key: SubjectPublicKeyInfo, DER in base64. */
  issue(publicKey: string, purpose: 'console' | 'agent'): string
}

const USES = { console: 'clientAuth', agent: 'serverAuth' } as const
const DAYS = '30'

export function openAuthority(): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'agent-authority-'))
  const file = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  writeFileSync(file('ca.key'), newKey())
  const subject = ['-subj', '/CN=Test authority']
  openssl('req', '-x509', '-key', file('ca.key'), '-out', file('ca.crt'), '-days', DAYS, ...subject)
  openssl('req', '-new', '-key', file('ca.key'), '-out', file('any.csr'), '-subj', '/CN=Holder')
  return {
    certificate: readFileSync(file('ca.crt'), 'utf8'),
    issue(publicKey, purpose) {
      const key = createPublicKey({
        key: Buffer.from(publicKey, 'base64'),
        format: 'der',
        type: 'spki',
      })
      writeFileSync(file('holder.pub'), key.export({ type: 'spki', format: 'pem' }))
      writeFileSync(file('use.ext'), `extendedKeyUsage=critical,${USES[purpose]}\n`)
      const signed = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial']
      const holder = ['-in', file('any.csr'), '-force_pubkey', file('holder.pub')]
      const out = ['-extfile', file('use.ext'), '-days', DAYS, '-out', file('holder.crt')]
      openssl('x509', '-req', ...holder, ...signed, ...out)
      return readFileSync(file('holder.crt'), 'utf8')
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
