/**
 * `trunkline doctor`: looks at settings, files, database, port and hosts, and changes nothing. Beside
 * a running API too: hosts are asked by a plain request, never linked.
 */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { defaultThreshold } from '@trunkline/contract/alarms/threshold.rules'
import {
  note,
  reportOf,
  wrong,
  type Finding,
  type Report,
} from '@trunkline/contract/doctor/finding.rules'
import { Failure } from '@trunkline/contract/failure.schema'
import { PRODUCT_VERSION } from '@trunkline/contract/product'
import pino from 'pino'
import { ConfigFault, type Config } from '../config.ts'
import * as backupStore from '../backup/backup.store.ts'
import type { Db } from '../context.ts'
import { diskSpaceOf } from '../disk-space.ts'
import * as fleetStore from '../fleet/fleet.store.ts'
import * as hostIdentityStore from '../hosts/certificates/host-identity.store.ts'
import { addressText } from '../hosts/host-address.ts'
import type { HostRecord } from '../hosts/host-record.ts'
import { ConsoleIdentity } from '../security/certificates/console-identity.ts'
import { dialGuard } from '../security/host-guard.ts'
import { keysFrom, SECRET_BYTES, type Keys } from '../security/keys.ts'
import { FlussonicClient } from '../stream-servers/flussonic.client.ts'
import {
  backupFolderFindings,
  databaseFinding,
  diskFinding,
  folderFinding,
  lastBackupFindings,
  portFinding,
  secretFinding,
  type PortAnswer,
  type Seen,
} from './api.rules.ts'
import * as databaseStore from './database.store.ts'
import { lookAtHost } from './host-look.service.ts'
import { hostFindings, type LookedHost } from './host.rules.ts'

const ANSWER_LIMIT_MS = 5000
/** Hosts that are asked at once: a site of 10,000 that is down takes minutes, not hours. */
const HOSTS_AT_ONCE = 200
const RIGHT_SECRET = 'Restore the right file from its backup and name it in TRUNKLINE_SECRET_FILE'

/** `readSettings` throws ConfigFault. */
export async function examine(readSettings: () => Config, clock: () => number): Promise<Report> {
  try {
    const config = readSettings()
    return reportOf([
      ...(await fileFindings(config)),
      ...(await databaseFindings(config, clock)),
      ...(await portFindings(config)),
    ])
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error
    const fix = 'Correct the settings; docs/operate/settings.md has them all'
    return reportOf(error.message.split('\n').map((line) => wrong(line, fix)))
  }
}

async function fileFindings(config: Config): Promise<Finding[]> {
  const { dataDir, databaseUrl, secretFile, backupDir } = config
  const { R_OK, W_OK, X_OK } = constants
  const folder = seen(dataDir, R_OK | W_OK | X_OK)
  const isNeeded = databaseUrl !== null || existsSync(`${dataDir}/trunkline.db`)
  const threshold = defaultThreshold('disk-full') ?? 0
  const place = folder.state === 'missing' ? nearestFolder(dataDir) : dataDir
  return [
    folderFinding(dataDir, folder),
    ...backupFolderFindings(backupDir, seen(nearestFolder(backupDir), W_OK | X_OK)),
    secretFinding(secretFile, seen(secretFile, R_OK), isNeeded),
    diskFinding(place, await diskSpaceOf(place), threshold),
  ]
}

function seen(path: string, rights: number): Seen {
  try {
    const { mode } = statSync(path)
    accessSync(path, rights)
    return { state: 'fine', mode }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return code === 'ENOENT' ? { state: 'missing' } : { state: 'closed', reason: code }
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}

async function databaseFindings(config: Config, clock: () => number): Promise<Finding[]> {
  let db: Awaited<ReturnType<typeof databaseStore.open>>
  try {
    db = await databaseStore.open(config)
  } catch (error) {
    const { what, fix } = databaseStore.openFault(error)
    return [wrong(what, fix)]
  }
  if (db === null) return [note('There is no database yet: the API makes it at its first start.')]
  try {
    const look = await databaseStore.look(db, config)
    const finding = databaseFinding(look)
    if (look.age !== 'present') return [finding, note('Hosts were not looked at.')]
    const findings = [finding, ...lastBackupFindings(await backupStore.lastEnded(db))]
    const keys = readKeys(config.secretFile)
    if (keys === null) return [...findings, ...damagedSecret(config.secretFile)]
    if (keys.id !== (look.secretId ?? keys.id)) return [...findings, wrongSecret(config.secretFile)]
    return [...findings, ...(await findingsOfHosts(db, config, keys, clock))]
  } finally {
    await db.destroy()
  }
}

/** That the file is missing or closed is a finding of its own. */
function damagedSecret(file: string): Finding[] {
  const isReadable = seen(file, constants.R_OK).state === 'fine'
  const damaged = wrong(`The file ${file} is not a secret file of Trunkline.`, RIGHT_SECRET)
  return [...(isReadable ? [damaged] : []), note('Hosts were not looked at.')]
}

function wrongSecret(file: string): Finding {
  return wrong(`The secret file ${file} does not belong to this database.`, RIGHT_SECRET)
}

/** null: there is none that can be read. */
function readKeys(file: string): Keys | null {
  try {
    const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
    return secret.length === SECRET_BYTES ? keysFrom(secret) : null
  } catch {
    return null
  }
}

async function findingsOfHosts(
  db: Db,
  config: Config,
  keys: Keys,
  clock: () => number,
): Promise<Finding[]> {
  const identities = new Map(
    (await hostIdentityStore.list(db)).map((host) => [addressText(host.address), host]),
  )
  const proof = new ConsoleIdentity({ db, keys, clock, log: pino({ level: 'silent' }) })
  // Only then is there an authority: it is not made here.
  const isDialled = [...identities.values()].some(({ openedBy }) => openedBy === 'console')
  if (isDialled) await proof.ready()
  const guard = dialGuard(config)
  await using client = new FlussonicClient(guard)
  const secureContext = isDialled ? proof.secureContext() : null
  const options = { guard, client, clock, secureContext }
  const records = await hostsOf(db, keys)
  const looked = await inParallel(records, async (record): Promise<LookedHost> => {
    const at = addressText(record.address)
    return { at, answer: await lookAtHost(record, identities.get(at), options) }
  })
  return hostFindings(looked, PRODUCT_VERSION, clock())
}

/** One of the records at each address: they share a host. */
async function hostsOf(db: Db, keys: Keys): Promise<HostRecord[]> {
  const found = new Map<string, HostRecord>()
  for await (const part of fleetStore.allHostRecords(db, (sealed) => keys.open(sealed))) {
    for (const record of part) {
      const key = `${record.answerer} ${addressText(record.address)}`
      if (!found.has(key)) found.set(key, record)
    }
  }
  return [...found.values()]
}

/** In order, so many at once. */
async function inParallel<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const waiting = [...items.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, item] = next
      results[at] = await act(item)
    }
  }
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, work))
  return results
}

async function portFindings({ listenIp, port }: Config): Promise<Finding[]> {
  if (port === 0) return [note('TRUNKLINE_PORT is 0: the API takes any free port.')]
  const any: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const host = any[listenIp] ?? listenIp
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return [portFinding(address, await askPort(address))]
}

/** There is no such call, which nobody but the API says in those words. */
async function askPort(address: string): Promise<PortAnswer> {
  try {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
    const response = await fetch(`http://${address}/api/doctor`, { signal })
    const body: unknown = await response.json().catch(() => null)
    return Failure.safeParse(body).success ? 'api' : 'another program'
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    const code = cause instanceof Error && 'code' in cause ? cause.code : ''
    return code === 'ECONNREFUSED' || code === 'EADDRNOTAVAIL' ? 'nobody' : 'another program'
  }
}
