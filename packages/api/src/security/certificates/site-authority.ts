/**
 * The certificate authority of the site: made once, also when several API processes start together,
 * and kept in the database with its key sealed as other secrets are.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { DAY_MS } from '@trunkline/contract/durations'
import type { Context } from '../../context.ts'
import type { CertificateRequest } from './certificate.ts'
import * as authorityStore from './authority.store.ts'

export interface SiteAuthority {
  /** PEM. */
  readonly certificate: string
  /** PEM. */
  issue(request: CertificateRequest): Promise<string>
}

const SUBJECT = 'Trunkline authority'
/** Fixed, so that a clock that is wrong on the first day does no lasting harm. */
const FROM_MS = Date.UTC(2020, 0, 1)
const UNTIL_MS = Date.UTC(2049, 11, 31)
/** A host whose clock is behind by less takes a new certificate for valid. */
const BACKDATED_MS = DAY_MS

export const AGENT_CERTIFICATE_MS = 30 * DAY_MS
export const CONSOLE_CERTIFICATE_MS = 2 * DAY_MS

/** From the moment of issue on, and a day back. */
export function validityFrom(nowMs: number, forMs: number) {
  return { notBeforeMs: nowMs - BACKDATED_MS, notAfterMs: nowMs + forMs }
}

type Needs = Pick<Context, 'db' | 'keys'>

const opened = new WeakMap<Needs['db'], Promise<SiteAuthority>>()

/** The same for all who ask; made at the first question. */
export async function siteAuthorityOf(ctx: Needs): Promise<SiteAuthority> {
  const known = opened.get(ctx.db) ?? open(ctx)
  opened.set(ctx.db, known)
  // A database that was away for a moment does not keep the site without an authority.
  known.catch(() => opened.delete(ctx.db))
  return known
}

async function open({ db, keys }: Needs): Promise<SiteAuthority> {
  const sealed =
    (await authorityStore.find(db)) ?? (await authorityStore.keepFirst(db, keys.seal(await make())))
  const { key: pem, certificate } = JSON.parse(keys.open(sealed)) as Record<
    'key' | 'certificate',
    string
  >
  const key = createPrivateKey(pem)
  return { certificate, issue: async (request) => issue(request, key) }
}

async function make(): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = await issue(
    {
      purpose: 'authority',
      subject: SUBJECT,
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
      notBeforeMs: FROM_MS,
      notAfterMs: UNTIL_MS,
    },
    privateKey,
  )
  return JSON.stringify({ key: pemOf(privateKey), certificate })
}

async function issue(request: CertificateRequest, key: KeyObject): Promise<string> {
  // A site without enrolled hosts does not load it.
  const { issueCertificate } = await import('./certificate.ts')
  return issueCertificate(request, { subject: SUBJECT, key })
}

export function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
