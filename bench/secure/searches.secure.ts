/**
 * T17: texts that mean something to SQL, to full-text search or to regular expressions, in every
 * search of every list, on both databases. None may fail, or take longer than 100 ms.
 */
import type { Route } from '@trunkline/contract/route'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { allCalls } from '@trunkline/api/testing/all-calls'
import { createPostgresDatabase } from '@trunkline/api/testing/databases'
import { inject, type InjectInput } from '@trunkline/api/testing/inject'
import { openWalkSite, tokenOf } from '@trunkline/api/testing/role-walk/site'
import { atLeast, atMost, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { printProof } from './proof.ts'

const TEXTS = settingOf('TEXTS', 500)
const SLOW_MS = 100
/** What lists call the text that is searched for. */
const SEARCHES = ['search', 'searchText']

test('no text that is searched for makes a list fail, or slow', async () => {
  const calls = (await allCalls()).flatMap(searchesOf)
  const faults: string[] = []
  let [asked, slowestMs] = [0, 0]
  for (const database of ['SQLite', 'PostgreSQL'] as const) {
    await using stack = new AsyncDisposableStack()
    const databaseUrl = database === 'SQLite' ? null : stack.use(await createPostgresDatabase()).url
    const { site } = await openWalkSite(stack, { databaseUrl })
    const token = await tokenOf(site, 'superadmin')
    for (const { call, part, field } of calls) {
      for (const text of hostileTexts().slice(0, TEXTS)) {
        const input: InjectInput<Route> = { [part]: { [field]: text } }
        const ask = async () => timed(async () => inject(site.app, call, token, input))
        const first = await ask()
        const { status, text: answer } = first.answer
        // At its fastest of three: what else the machine does is no cost of the text.
        const isSlower = first.ms > slowestMs
        const ms = isSlower ? Math.min(first.ms, (await ask()).ms, (await ask()).ms) : first.ms
        asked += 1
        slowestMs = Math.max(slowestMs, ms)
        // A text may be too long: that is a refusal, and names the field.
        if (status === 200 || (status === 400 && answer.includes(field))) continue
        faults.push(
          `${database}: ${call.name}: ${status} for ${JSON.stringify(text)}: ${answer.slice(0, 200)}`,
        )
      }
    }
  }
  const missed = printProof('searches', {
    ours: { searches: calls.length, asked, slowestMs: round(slowestMs) },
    faults,
    goals: [
      atMost('errors', faults.length, 0, 'searches'),
      atMost('slowest', slowestMs, SLOW_MS, 'ms'),
      atLeast('lists with a search', calls.length, 8, 'calls'),
    ],
  })
  expect(missed).toEqual([])
})

async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const beginMs = performance.now()
  return { answer: await work(), ms: performance.now() - beginMs }
}

interface Search {
  call: Route
  part: 'query' | 'body'
  field: string
}

function searchesOf(call: Route): Search[] {
  return (['query', 'body'] as const).flatMap((part) => {
    const schema = call[part]
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
    return SEARCHES.filter((field) => fields.includes(field)).map((field) => ({
      call,
      part,
      field,
    }))
  })
}

/** Every beginning with every end, in every wrapping: 5 x 10 x 10. */
function hostileTexts(): string[] {
  const wraps = [
    (text: string) => text,
    (text: string) => `camera ${text}`,
    (text: string) => `"${text}`,
    (text: string) => `${text}*`,
    (text: string) => text.repeat(20).slice(0, 190),
  ]
  return wraps.flatMap((wrap) =>
    BEGINNINGS.flatMap((beginning) => ENDS.map((end) => wrap(`${beginning}${end}`))),
  )
}

const BEGINNINGS = ["'", '"', "') ", "' OR '1'='1", '%', '_', '\\', 'NEAR(', 'title:', '(a|a)*']
const ENDS = [
  '; DROP TABLE users; --',
  ' UNION SELECT password_hash FROM users --',
  ' AND NOT OR NEAR/0 *',
  '^{col} : "',
  '\u0000',
  '\ud83d\ude00 ﷺ İ ß',
  ' && | ! <-> (:*',
  '$1 ? :name @x',
  '%%%%__\\%',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
]
