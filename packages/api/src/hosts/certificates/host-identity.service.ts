/**
 * Follows which hosts are enrolled or revoked, here and in other API processes, and renews their
 * certificates over the link while there is time. At every point of a renewal the host can still be
 * reached: a new key is accepted before the host gets its certificate, and the old one until the new
 * one has been used.
 */
import { MINUTE_MS } from '@trunkline/contract/durations'
import type { LinkOpener } from '@trunkline/contract/enrolment/enrolment.schema'
import type { Context } from '../../context.ts'
import { ConsoleIdentity } from '../../security/certificates/console-identity.ts'
import { hashOfKey, parsePublicKey } from '../../security/certificates/public-key.ts'
import {
  AGENT_CERTIFICATE_MS,
  dialInAuthorityOf,
  siteAuthorityOf,
  validityFrom,
} from '../../security/certificates/site-authority.ts'
import { addressText, type HostAddress } from '../host-address.ts'
import type { HostLink } from '../host-link.ts'
import type { Pin } from './host-access.ts'
import * as hostIdentityStore from './host-identity.store.ts'

/** How often it is looked which certificates end soon; one that is due is renewed at each new link too. */
const LOOK_MS = 10 * MINUTE_MS
/** When a third of its time is left. */
const RENEWED_BEFORE_MS = AGENT_CERTIFICATE_MS / 3

/** Call it before hosts are dialled; dispose it before the context. */
export async function openHostIdentities(ctx: Context): Promise<Disposable> {
  const identities = ctx.hosts.identities
  identities.proveBy(new ConsoleIdentity(ctx))
  const enrolled = await hostIdentityStore.list(ctx.db)
  if (enrolled.length > 0) await readAll(ctx)
  const stopHearing = ctx.notices.listen((notice) => {
    if (notice.kind === 'hostNetwork') logFaults(ctx, takeNetwork(ctx, notice))
    if (notice.kind !== 'hostIdentity') return
    logFaults(ctx, notice.address === null ? readAll(ctx) : read(ctx, notice.address))
  })
  const stopFollowing = ctx.hosts.follow((address, event) => {
    if (event.type === 'hello') logFaults(ctx, greeted(ctx, address))
  })
  const timer = setInterval(() => logFaults(ctx, renewDue(ctx)), LOOK_MS)
  timer.unref()
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      stopFollowing()
      stopHearing()
    },
  }
}

/** After a change was committed: here before this resolves, in other processes within a moment. */
export async function publish(ctx: Context, address: HostAddress): Promise<void> {
  await read(ctx, address)
  ctx.notices.tell({ kind: 'hostIdentity', address })
}

/** From where the host at this address was linked last. */
export interface NetworkNote {
  address: HostAddress
  network: string
}

/**
 * All in one transaction: each commit waits for the disk. In one order, so that two API processes which write the same
 * hosts do not wait for each other for ever.
 */
export async function noteNetworks(ctx: Context, notes: readonly NetworkNote[]): Promise<void> {
  if (notes.length === 0) return
  const sorted = notes.toSorted((a, b) =>
    addressText(a.address) < addressText(b.address) ? -1 : 1,
  )
  await ctx.db.transaction().execute(async (trx) => {
    for (const { address, network } of sorted) {
      await hostIdentityStore.setNetwork(trx, address, network)
    }
  })
  for (const note of sorted) {
    await takeNetwork(ctx, note)
    ctx.notices.tell({ kind: 'hostNetwork', ...note })
  }
}

/**
 * A certificate for the agent at this address, and what it is accepted by once that is stored.
 * `publicKey`: SubjectPublicKeyInfo, DER.
 */
export async function issue(
  ctx: Context,
  { address, openedBy }: { address: HostAddress; openedBy: LinkOpener },
  publicKey: Buffer,
): Promise<{ certificate: string; pin: Pin }> {
  const isHost = openedBy === 'host'
  const authority = await (isHost ? dialInAuthorityOf(ctx) : siteAuthorityOf(ctx))
  const nowMs = ctx.clock()
  const validity = validityFrom(nowMs, AGENT_CERTIFICATE_MS)
  const certificate = await authority.issue({
    purpose: isHost ? 'agent that dials' : 'agent',
    subject: `Trunkline agent ${addressText(address)}`.slice(0, SUBJECT_CHARACTERS),
    publicKey,
    ...validity,
  })
  const pin = {
    keyHash: hashOfKey(publicKey),
    issuedAt: new Date(nowMs).toISOString(),
    endsAt: new Date(validity.notAfterMs).toISOString(),
  }
  return { certificate, pin }
}

/** Of a common name (RFC 5280, upper bounds). */
const SUBJECT_CHARACTERS = 64

async function read(ctx: Context, address: HostAddress): Promise<void> {
  await ctx.hosts.identities.inTurn(async () =>
    ctx.hosts.identities.put(address, await hostIdentityStore.find(ctx.db, address)),
  )
}

/** As it was stored. Nothing else of this host has changed: a crowd that comes from new networks is not read again. */
async function takeNetwork(ctx: Context, { address, network }: NetworkNote): Promise<void> {
  const { identities } = ctx.hosts
  await identities.inTurn(async () => identities.setNetwork(address, network))
}

async function readAll(ctx: Context): Promise<void> {
  await ctx.hosts.identities.inTurn(async () =>
    ctx.hosts.identities.putAll(await hostIdentityStore.list(ctx.db)),
  )
}

/** What the host has shown is in use: nothing older is accepted any more. */
async function greeted(ctx: Context, address: HostAddress): Promise<void> {
  const link = ctx.hosts.ownLink(address)
  const shown = link?.certificate ?? null
  const known = ctx.hosts.identities.find(address)
  if (link === undefined || shown === null || known === undefined) return
  const pin = known.pins.find(({ keyHash }) => keyHash === shown.keyHash)
  const isOnly = pin !== undefined && known.pins.every(({ issuedAt }) => issuedAt >= pin.issuedAt)
  if (pin !== undefined && (known.security === 'waiting' || !isOnly)) {
    await ctx.db.transaction().execute(async (trx) => {
      if (known.security === 'waiting') {
        const since = new Date(ctx.clock()).toISOString()
        await hostIdentityStore.confirm(trx, address, since)
      }
      await hostIdentityStore.removePins(trx, address, pin.issuedAt)
    })
    await publish(ctx, address)
  }
  if (isDue(ctx, link)) await renew(ctx, link)
}

/** Also for tests: what the timer does. */
export async function renewDue(ctx: Context): Promise<void> {
  for (const link of ctx.hosts.ownLinks()) {
    // The next look, or the next link, tries again.
    if (isDue(ctx, link)) await renew(ctx, link).catch((error: unknown) => logFault(ctx, error))
  }
}

function isDue(ctx: Context, { certificate }: HostLink): boolean {
  return certificate !== null && certificate.endsAtMs - ctx.clock() < RENEWED_BEFORE_MS
}

async function renew(ctx: Context, link: HostLink): Promise<void> {
  const { address } = link
  const { publicKey: base64 } = await link.call('makeCertificateKey', {})
  const publicKey = parsePublicKey(base64)
  if (publicKey === null) throw new Error(`The host ${addressText(address)} gave no P-256 key.`)
  const openedBy = ctx.hosts.identities.find(address)?.openedBy ?? 'console'
  const { certificate, pin } = await issue(ctx, { address, openedBy }, publicKey)
  await hostIdentityStore.addPin(ctx.db, address, pin)
  // From here on either key is accepted, whatever becomes of the answer.
  await publish(ctx, address)
  await link.call('useCertificate', { certificate })
  link.noteCertificate({ keyHash: pin.keyHash, endsAtMs: Date.parse(pin.endsAt) })
  ctx.log.info({ host: addressText(address) }, 'The certificate of a host was renewed.')
}

function logFaults(ctx: Context, work: Promise<void>): void {
  work.catch((error: unknown) => logFault(ctx, error))
}

function logFault(ctx: Context, error: unknown): void {
  ctx.log.warn({ err: error }, 'The certificate of a host could not be read or renewed.')
}
