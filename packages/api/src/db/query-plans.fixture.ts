/** How SQLite carries out what a store really asks. */
import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely'
import type { Connection, Db } from './open.ts'

/** The plan of each query that `work` asks, one line a step. */
export async function plansOf(
  db: Connection,
  work: (db: Db) => Promise<unknown>,
): Promise<string[]> {
  const asked: RootOperationNode[] = []
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.push(node)
      return node
    },
    transformResult: async ({ result }) => Promise.resolve(result),
  }
  await work(db.withPlugin(recorder))
  const plans: string[] = []
  for (const node of asked) {
    const { sql, parameters } = db.getExecutor().compileQuery(node, { queryId: 'plan' })
    const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
    try {
      const { rows } = await db.executeQuery<{ detail: string }>(explained)
      plans.push(...rows.map(({ detail }) => detail))
    } catch (error) {
      // A query inside another is recorded too. By itself it may not know a column of the outer query, whose plan has it.
      if (!(error instanceof Error && error.message.startsWith('no such column'))) throw error
    }
  }
  return plans
}
