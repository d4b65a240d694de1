/**
 * The hosts of the proof dial-in-fleet: a server each, enrolled, written straight into the database by the stores of the
 * product before an API opens it. By calls, with a code for each, thousands would take a quarter of an hour.
 */
import { openDatabase, type DatabaseTarget, type Db } from '@trunkline/api/db/open'
import { testKey } from '@trunkline/api/enrolment/enrolment.fixture'
import * as hostIdentityStore from '@trunkline/api/hosts/certificates/host-identity.store'
import { hashOfKey } from '@trunkline/api/security/certificates/public-key'
import {
  AGENT_CERTIFICATE_MS,
  dialInAuthorityOf,
  validityFrom,
  type SiteAuthority,
} from '@trunkline/api/security/certificates/site-authority'
import { keysFrom } from '@trunkline/api/security/keys'
import { readOrMakeSecret } from '@trunkline/api/security/secret-file'
import * as serverStore from '@trunkline/api/servers/server.store'
import { addressIn, SEAT_PORT, type EnrolledHost } from './dial-in-hosts.ts'

/** So many in a transaction: each commit waits for the disk. */
const WRITTEN_AT_ONCE = 250

export interface EnrolledFleet {
  hosts: EnrolledHost[]
  /** As the port for agents shows; PEM. */
  console: { key: string; cert: string; ca: string }
}

/** Of a database that is empty. */
export async function fillEnrolledFleet(
  target: DatabaseTarget,
  secretFile: string,
  count: number,
): Promise<EnrolledFleet> {
  const keys = keysFrom(await readOrMakeSecret(secretFile))
  const db = await openDatabase(target)
  try {
    const authority = await dialInAuthorityOf({ db, keys })
    const apiKeySealed = keys.seal('the key of a host that is enrolled')
    const enrolled: EnrolledHost[] = []
    while (enrolled.length < count) {
      const numbers = Array.from(
        { length: Math.min(WRITTEN_AT_ONCE, count - enrolled.length) },
        (_, at) => enrolled.length + at,
      )
      const some = await db.transaction().execute(async (trx) => {
        const written: EnrolledHost[] = []
        for (const number of numbers) {
          written.push(await writeHost(trx, { authority, apiKeySealed, number }))
        }
        return written
      })
      enrolled.push(...some)
    }
    return { hosts: enrolled, console: await consoleOf(authority) }
  } finally {
    await db.destroy()
  }
}

async function consoleOf(authority: SiteAuthority): Promise<EnrolledFleet['console']> {
  const { key, publicKey } = testKey()
  const cert = await authority.issue({
    purpose: 'console for agents',
    subject: 'A console of a proof',
    publicKey: Buffer.from(publicKey, 'base64'),
    ...validityFrom(Date.now(), AGENT_CERTIFICATE_MS),
  })
  return { key, cert, ca: authority.certificate }
}

async function writeHost(
  db: Db,
  the: { authority: SiteAuthority; apiKeySealed: string; number: number },
): Promise<EnrolledHost> {
  const { authority, apiKeySealed, number } = the
  const address = { host: addressIn(30, number), port: SEAT_PORT }
  const serverId = `gateway-${number}`
  const nowMs = Date.now()
  const createdAt = new Date(nowMs).toISOString()
  await serverStore.insert(
    db,
    {
      id: serverId,
      title: `Gateway ${number}`,
      ...address,
      serverType: 'acants',
      apiKeySealed,
      description: '',
      location: '',
      adapters: [],
      version: 1,
      createdAt,
    },
    [],
  )
  const { key, publicKey } = testKey()
  const spki = Buffer.from(publicKey, 'base64')
  const validity = validityFrom(nowMs, AGENT_CERTIFICATE_MS)
  const purpose = 'agent that dials'
  const cert = await authority.issue({ purpose, subject: serverId, publicKey: spki, ...validity })
  const endsAt = new Date(validity.notAfterMs).toISOString()
  const pin = { keyHash: hashOfKey(spki), issuedAt: createdAt, endsAt }
  await hostIdentityStore.put(db, address, {
    security: 'enrolled',
    since: createdAt,
    openedBy: 'host',
  })
  await hostIdentityStore.addPin(db, address, pin)
  return { serverId, shown: { key, cert }, authority: authority.certificate }
}
