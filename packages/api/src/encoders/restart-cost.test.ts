import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { KyselyPlugin } from 'kysely'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { addTestEncoder, openTestSite } from '../testing/test-site.ts'

/** Notes each query of the table of encoders, by its kind; the table is the first name in a query. */
function noting(queries: string[]): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      const [, table] = /"name":"(\w+)"/.exec(JSON.stringify(node)) ?? []
      if (table === 'encoders') queries.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => Promise.resolve(result),
  }
}

test.each(['start', 'restart', 'stop'] as const)(
  'STATE-10 a %s loads the encoder once and writes it once',
  async (command) => {
    const queries: string[] = []
    const site = await openTestSite({}, ({ db }) => ({ db: db.withPlugin(noting(queries)) }))
    onTestFinished(async () => site[Symbol.asyncDispose]())
    const { id } = await addTestEncoder(site, 0)
    queries.length = 0
    const body = { data: { name: 'encoder0', command } }
    const { status } = await site.call('northEditor', controlEncoder, { params: { id }, body })
    // SQLite answers at once: what the command has set off without waiting for it is done by then.
    await turnOfEventLoop()
    expect([status, queries]).toEqual([200, ['SelectQueryNode', 'UpdateQueryNode']])
  },
)
