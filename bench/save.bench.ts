/**
 * What a save costs on a large site: 10,000 encoders on 2,500 hosts that are all connected, each with
 * a feeder whose passphrase is sealed. Encoders are saved one after the other, first with nobody on
 * the live stream, then while ten people watch everything. The cost follows what changed, so the same
 * is measured on a small site.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type Connection } from '@trunkline/api/db/open'
import * as encoderStore from '@trunkline/api/encoders/encoder.store'
import * as feederStore from '@trunkline/api/encoders/feeder.store'
import { keysFrom, type Keys } from '@trunkline/api/security/keys'
import { hashPassword } from '@trunkline/api/security/password'
import { readOrMakeSecret } from '@trunkline/api/security/secret-file'
import {
  EncoderConfig,
  FeederInput,
  FeederOutput,
} from '@trunkline/contract/encoders/encoder-config.schema'
import { updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { LIVE_PATH } from '@trunkline/contract/fleet/fleet.schema'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { startOwnProcess, type OwnProcess } from '@trunkline/testbed/child'
import { demoEncoderConfig } from '@trunkline/testbed/demo-site'
import { repositoryRoot } from '@trunkline/testbed/repository'
import { signIn } from '@trunkline/testbed/seed'
import { closedBySignals } from './ending.ts'
import { atMost, cpuSecondsOf, printFigure, round, spread } from './figure.ts'
import { QuietHost } from './quiet-host.ts'

const [SMALL, LARGE] = [400, 10_000]
const ENCODERS_PER_HOST = 4
/** 127.1.x.1 to 127.1.x.250. */
const HOSTS_PER_NETWORK = 250
const VIEWERS = 10
const SAVE_FOR_MS = 10_000
const WARM_UP_MS = 3000
const IDLE_FOR_MS = 5000
const PASSWORD = 'correct-horse-battery'
const EMAIL = 'superadmin@trunkline.example'
const CREATED_AT = '2026-11-20T08:00:00.000Z'

interface Cost {
  /** Of the API's process, without what it uses when nobody saves. */
  cpuMsPerSave: number
  savesPerSecond: number
  answerMs: ReturnType<typeof spread>
}

await using host = await QuietHost.open()
const small = await measure(SMALL)
const large = await measure(LARGE)
printFigure({
  bench: 'save',
  rounds: 1,
  ours: { small, large },
  limit: {},
  goals: [
    atMost('CPU of a save, nobody watches', large.unwatched.cpuMsPerSave, 10, 'ms'),
    atMost('CPU of a save, ten people watch', large.watched.cpuMsPerSave, 20, 'ms'),
    atMost(
      `CPU of a save, ${LARGE} encoders to ${SMALL}`,
      large.unwatched.cpuMsPerSave / small.unwatched.cpuMsPerSave,
      1.5,
      'x',
    ),
  ],
})

async function measure(encoders: number): Promise<{ unwatched: Cost; watched: Cost }> {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-save-'))
  try {
    await fill(join(folder, 'data'), encoders)
    await using api = await startApi(join(folder, 'data'))
    const url = `http://127.0.0.1:${api.port}`
    const client = await signIn(url, EMAIL, PASSWORD)
    await host.linked(encoders / ENCODERS_PER_HOST)
    await saveFor(WARM_UP_MS, client, encoders, 'warm')
    const unwatched = await costOfSaves(api, client, encoders, 'first')
    using viewing = new DisposableStack()
    for (let at = 0; at < VIEWERS; at += 1) viewing.use(await watch(client))
    const watched = await costOfSaves(api, client, encoders, 'second')
    return { unwatched, watched }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function costOfSaves(
  api: OwnProcess,
  client: Client,
  encoders: number,
  title: string,
): Promise<Cost> {
  const idle = await spend(api, async () => pause(IDLE_FOR_MS))
  let answersMs: number[] = []
  const busy = await spend(api, async () => {
    answersMs = await saveFor(SAVE_FOR_MS, client, encoders, title)
  })
  const cpuMs = busy.cpuMs - (idle.cpuMs / idle.wallMs) * busy.wallMs
  return {
    cpuMsPerSave: round(cpuMs / answersMs.length),
    savesPerSecond: round((answersMs.length / busy.wallMs) * 1000),
    answerMs: spread(answersMs),
  }
}

/** One encoder of each host in turn. Answers how long each save took. */
async function saveFor(
  durationMs: number,
  client: Client,
  encoders: number,
  title: string,
): Promise<number[]> {
  const answersMs: number[] = []
  const endsAt = performance.now() + durationMs
  while (performance.now() < endsAt) {
    const number = 1 + ((answersMs.length * ENCODERS_PER_HOST) % encoders)
    const startedAt = performance.now()
    const body = { _id: `e-${number}`, title: `${title} ${answersMs.length}` }
    await callApi(client, updateEncoder, { body })
    answersMs.push(performance.now() - startedAt)
  }
  return answersMs
}

async function spend(api: OwnProcess, work: () => Promise<unknown>) {
  const [startedAt, before] = [performance.now(), cpuSecondsOf(api.pid)]
  await work()
  const cpuMs = (cpuSecondsOf(api.pid) - before) * 1000
  return { cpuMs, wallMs: performance.now() - startedAt }
}

async function startApi(dataDir: string): Promise<OwnProcess> {
  const starting = startOwnProcess({
    name: 'The API',
    node: process.execPath,
    args: [join(repositoryRoot(), 'packages/api/dist/main.js')],
    env: {
      PATH: process.env['PATH'] ?? '',
      TRUNKLINE_DATA_DIR: dataDir,
      TRUNKLINE_PORT: '0',
      TRUNKLINE_LOG_LEVEL: 'error',
      TRUNKLINE_ALLOW_LOCAL_HOSTS: '1',
    },
    onOutput: (text) => process.stderr.write(text),
  })
  closedBySignals(async () => starting.then(async (api) => api.stop()))
  return starting
}

async function fill(dataDir: string, encoders: number): Promise<void> {
  const db = await openDatabase({ kind: 'sqlite', file: join(dataDir, 'trunkline.db') })
  const keys = keysFrom(await readOrMakeSecret(`${dataDir}.key`))
  await fillPeople(db)
  await fillEncoders(db, keys, encoders)
  await db.destroy()
}

async function fillPeople(db: Connection): Promise<void> {
  const stamps = { version: 1, created_at: CREATED_AT }
  await db
    .insertInto('users')
    .values({
      id: 'boss',
      first_name: 'The',
      last_name: 'Boss',
      email: EMAIL,
      role: 'superadmin',
      password_hash: await hashPassword(PASSWORD),
      token_version: 1,
      asks_before_interrupting: 0 as const,
      search: 'the boss',
      ...stamps,
    })
    .execute()
  const group = { id: 'north', title: 'North', title_key: 'north', search: 'north', ...stamps }
  await db
    .insertInto('groups')
    .values({ ...group, description: '', manager_id: 'boss' })
    .execute()
}

/** Disabled, so that the one host behind all addresses has nothing to run. */
async function fillEncoders(db: Connection, keys: Keys, count: number): Promise<void> {
  const stamps = { version: 1, created_at: CREATED_AT }
  const texts = { description: '', location: '' }
  await db
    .insertInto('servers')
    .values({
      id: 'gateway',
      title: 'Gateway',
      title_key: 'gateway',
      host: '192.0.2.1',
      host_key: '192.0.2.1',
      port: 9000,
      server_type: 'channel',
      api_key_sealed: keys.seal('a key that opens nothing'),
      adapters: '[]',
      search: 'gateway',
      ...texts,
      ...stamps,
    })
    .execute()
  const { feeder: _, ...config } = EncoderConfig.parse(
    demoEncoderConfig({ ports: { encoderOutput: 5000 } }),
  )
  const passphraseSealed = keys.seal('a passphrase of a feeder')
  const apiKeySealed = keys.seal('the key of all hosts')
  await db.transaction().execute(async (trx) => {
    for (let number = 1; number <= count; number += 1) {
      const at = Math.floor((number - 1) / ENCODERS_PER_HOST)
      await encoderStore.insert(trx, {
        id: `e-${number}`,
        name: `e-${number}`,
        title: 'Camera',
        ...texts,
        physicalAddress: '',
        contactNumber: '',
        email: '',
        ip: `127.1.${Math.floor(at / HOSTS_PER_NETWORK)}.${1 + (at % HOSTS_PER_NETWORK)}`,
        port: host.port,
        groupId: 'north',
        apiKeySealed,
        isEnabled: false,
        wantedRunning: false,
        config: encoderStore.StoredConfig.parse({
          ...config,
          'card-idx': (number - 1) % ENCODERS_PER_HOST,
        }),
        version: 1,
        createdAt: CREATED_AT,
      })
      const feeder = {
        name: `f-${number}`,
        serverId: 'gateway',
        input: FeederInput.parse({ title: 'Feeder', addr: '127.0.0.1:5000', port: 5000 }),
        output: [FeederOutput.parse({ addr: '192.0.2.1:6000', port: 6000 })],
      }
      const owner = { encoderId: `e-${number}`, passphraseSealed, wantedRunning: false }
      await feederStore.insert(trx, { ...owner, feeder, position: 0 }, CREATED_AT)
    }
  })
}

/** A browser on the live stream, until it is disposed. */
async function watch({ baseUrl, token }: Client): Promise<Disposable> {
  const ended = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const { body } = await fetch(`${baseUrl}${LIVE_PATH}`, { headers, signal: ended.signal })
  const drain = new WritableStream<Uint8Array>()
  void body?.pipeTo(drain).catch(() => undefined)
  return { [Symbol.dispose]: () => ended.abort() }
}
