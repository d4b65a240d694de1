/**
 * What one person can do to another: a site of 10,000 encoders and 200,000 lines of activity. One
 * person opens a page of 12 encoders, twenty times a second; first alone, then while another keeps 64
 * calls under way: whole lists, long pages, snapshots, pages and searches of the record of activity, and
 * calls that are refused.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Connection } from '@trunkline/api/db/open'
import { hashPassword } from '@trunkline/api/security/password'
import type { Client } from '@trunkline/testbed/api-client'
import { signIn } from '@trunkline/testbed/seed'
import { watchLoop } from './kit/event-loop.ts'
import { atMost, median, percentile, printFigure, round, type Goal } from './kit/figure.ts'
import { EMAIL, fillSite, PASSWORD, startApi } from './kit/large-site.ts'

const ENCODERS = 10_000
const LINES = 200_000
const LINES_AT_ONCE = 500
const AT_ONCE = 64
const MEASURE_MS = 10_000
const WARM_UP_MS = 2000
const EVERY_MS = 50
const EDITOR = 'editor@trunkline.example'

const ATTACKS = {
  wholeLists: { email: EMAIL, path: '/api/encoder?rowsPerPage=0' },
  longPages: { email: EMAIL, path: '/api/encoder?rowsPerPage=120&page=15' },
  snapshots: { email: EMAIL, path: '/api/live/snapshot' },
  auditPages: { email: EMAIL, path: '/api/audit?rowsPerPage=12&page=16000' },
  auditSearches: { email: EMAIL, path: '/api/audit?searchText=no%20such%20line' },
  refusedCalls: { email: EDITOR, path: '/api/audit' },
} as const

interface Wait {
  p50Ms: number
  p99Ms: number
}

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-fairness-'))
try {
  const dataDir = join(folder, 'data')
  // Nothing listens there: the hosts are away.
  await fillSite(dataDir, { encoders: ENCODERS, port: 9 }, fillMore)
  await using api = await startApi(dataDir, { TRUNKLINE_CALL_LIMIT: '' })
  const url = `http://127.0.0.1:${api.port}`
  const other = await signIn(url, 'other@trunkline.example', PASSWORD)
  await waits(other, WARM_UP_MS)
  const loop = await watchLoop(api)
  const loopGoals: Goal[] = []
  process.stderr.write('Measuring: quiet\n')
  const quiet = await waits(other, MEASURE_MS)
  const under: Record<string, Wait & { answers: Record<string, number> }> = {}
  for (const [name, { email, path }] of Object.entries(ATTACKS)) {
    process.stderr.write(`Measuring: ${name}\n`)
    const attack = startAttack(await signIn(url, email, PASSWORD), path)
    await pause(WARM_UP_MS)
    const waited = await waits(other, MEASURE_MS)
    under[name] = { ...waited, answers: await attack.end() }
    loopGoals.push(await loop.goal(`up to the end of ${name}`))
  }
  printFigure({
    bench: 'fairness',
    rounds: 1,
    ours: under,
    limit: { quiet },
    goals: [
      ...Object.entries(under).map(([name, { p99Ms }]) =>
        atMost(`p99 of another under ${name}, to quiet`, p99Ms / quiet.p99Ms, 3, 'x'),
      ),
      ...loopGoals,
    ],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** At a fixed rate, so that a slow answer does not spare the next call its wait. */
async function waits({ baseUrl, token }: Client, durationMs: number): Promise<Wait> {
  const headers = { authorization: `Bearer ${token}` }
  const waitsMs: Promise<number>[] = []
  const endsAt = performance.now() + durationMs
  while (performance.now() < endsAt) {
    const startedAt = performance.now()
    const page = Math.floor(Math.random() * 800)
    const answer = fetch(`${baseUrl}/api/encoder?rowsPerPage=12&page=${page}`, { headers })
    waitsMs.push(
      answer.then(async (response) => {
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`The other person was answered ${response.status}.`)
        return performance.now() - startedAt
      }),
    )
    await pause(EVERY_MS)
  }
  const all = await Promise.all(waitsMs)
  return { p50Ms: round(median(all)), p99Ms: round(percentile(all, 99)) }
}

/** In a thread of its own: what the attack reads must not delay what is measured here. */
function startAttack({ baseUrl, token }: Client, path: string) {
  const attack = { url: baseUrl + path, token, atOnce: AT_ONCE }
  const worker = new Worker(new URL('fairness-attack.ts', import.meta.url), { workerData: attack })
  return {
    async end(): Promise<Record<string, number>> {
      worker.postMessage('end')
      const [answers] = (await once(worker, 'message')) as [Record<string, number>]
      await worker.terminate()
      return answers
    },
  }
}

async function fillMore(db: Connection): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD)
  for (const [id, role] of [
    ['other', 'superadmin'],
    ['editor', 'editor'],
  ] as const) {
    await db
      .insertInto('users')
      .values({
        id,
        first_name: id,
        last_name: 'person',
        email: `${id}@trunkline.example`,
        role,
        password_hash: passwordHash,
        token_version: 1,
        asks_before_interrupting: 0,
        search: id,
        version: 1,
        created_at: '2026-11-20T08:00:00.000Z',
      })
      .execute()
  }
  const begin = Date.parse('2026-11-01T00:00:00.000Z')
  await db.transaction().execute(async (trx) => {
    for (let from = 0; from < LINES; from += LINES_AT_ONCE) {
      const lines = Array.from({ length: LINES_AT_ONCE }, (_, at) => lineOf(begin, from + at))
      await trx.insertInto('audit').values(lines).execute()
    }
  })
}

function lineOf(begin: number, number: number) {
  return {
    id: `line-${number}`,
    at: new Date(begin + number * 1000).toISOString(),
    actor_id: 'boss',
    actor_name: 'The Boss',
    token: '',
    role: 'superadmin' as const,
    ip: '192.0.2.1',
    call: 'encoders.update',
    object_kind: 'encoder',
    object_id: `e-${number % ENCODERS}`,
    object_title: 'Camera',
    result: 'done' as const,
    reason: '',
    search: 'the boss camera encoders.update',
    before: null,
    after: null,
  }
}
