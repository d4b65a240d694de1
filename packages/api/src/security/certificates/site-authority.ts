/**
 * The certificate authorities of the site: each made once, also when several API processes start
 * together, and kept in the database with its key sealed as other secrets are. Links that hosts open
 * have an authority of their own: an agent that dials out is a TLS client, and an agent that is dialled
 * takes every client of its authority for its console.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { DAY_MS } from '@trunkline/contract/durations'
import type { Context } from '../../context.ts'
import type { CertificateRequest } from './certificate.ts'
import * as authorityStore from './authority.store.ts'
import type { AuthorityName } from './authority.store.ts'

export interface SiteAuthority {
  /** PEM. */
  readonly certificate: string
  /** PEM. */
  issue(request: CertificateRequest): Promise<string>
}

const SUBJECTS: Readonly<Record<AuthorityName, string>> = {
  'site authority': 'Trunkline authority',
  'dial-in authority': 'Trunkline authority for hosts that connect',
}
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

const opened = {
  'site authority': new WeakMap<Needs['db'], Promise<SiteAuthority>>(),
  'dial-in authority': new WeakMap<Needs['db'], Promise<SiteAuthority>>(),
}

/** Of the links that the console opens. The same for all who ask; made at the first question. */
export async function siteAuthorityOf(ctx: Needs): Promise<SiteAuthority> {
  return authorityOf(ctx, 'site authority')
}

/** Of the links that hosts open. */
export async function dialInAuthorityOf(ctx: Needs): Promise<SiteAuthority> {
  return authorityOf(ctx, 'dial-in authority')
}

async function authorityOf(ctx: Needs, name: AuthorityName): Promise<SiteAuthority> {
  const known = opened[name].get(ctx.db) ?? open(ctx, name)
  opened[name].set(ctx.db, known)
  // A database that was away for a moment does not keep the site without an authority.
  known.catch(() => opened[name].delete(ctx.db))
  return known
}

async function open({ db, keys }: Needs, name: AuthorityName): Promise<SiteAuthority> {
  const sealed =
    (await authorityStore.find(db, name)) ??
    (await authorityStore.keepFirst(db, name, keys.seal(await make(name))))
  const { key: pem, certificate } = JSON.parse(keys.open(sealed)) as Record<
    'key' | 'certificate',
    string
  >
  const key = createPrivateKey(pem)
  return { certificate, issue: async (request) => issue(request, name, key) }
}

async function make(name: AuthorityName): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = await issue(
    {
      purpose: 'authority',
      subject: SUBJECTS[name],
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
      notBeforeMs: FROM_MS,
      notAfterMs: UNTIL_MS,
    },
    name,
    privateKey,
  )
  return JSON.stringify({ key: pemOf(privateKey), certificate })
}

async function issue(
  request: CertificateRequest,
  name: AuthorityName,
  key: KeyObject,
): Promise<string> {
  // A site without enrolled hosts does not load it.
  const { issueCertificate } = await import('./certificate.ts')
  return issueCertificate(request, { subject: SUBJECTS[name], key })
}

export function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
