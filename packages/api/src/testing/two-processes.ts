/** Operators at the same moment: on SQLite in the one process that there is, on PostgreSQL in two. */
import type { Route } from '@trunkline/contract/route'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import { createPostgresDatabase } from './databases.ts'
import { inject, type Injected, type InjectInput } from './inject.ts'
import { openTestApp, type TestApp } from './test-app.ts'
import { makeTestContext } from './test-context.ts'

export const DATABASES = ['SQLite', 'PostgreSQL'] as const

export interface TwoProcesses extends TestApp {
  /** Asks the processes in turn. */
  ask<T extends Route>(call: T, token: string, input: InjectInput<T>): Promise<Injected<T>>
}

/** `more`: settings of both. */
export async function openTwoProcesses(
  kind: (typeof DATABASES)[number],
  more: Partial<Config> = {},
): Promise<TwoProcesses> {
  const stack = new AsyncDisposableStack()
  const databaseUrl = kind === 'SQLite' ? null : stack.use(await createPostgresDatabase()).url
  const test = stack.use(await openTestApp({ ...more, databaseUrl }))
  const otherApp = databaseUrl === null ? test.app : await openOther(stack, test, more)
  const apps = [test.app, otherApp] as const
  let count = 0
  return {
    ...test,
    ask: async (call, token, input) => inject(apps[count++ % 2] ?? test.app, call, token, input),
    [Symbol.asyncDispose]: async () => stack.disposeAsync(),
  }
}

async function openOther(
  stack: AsyncDisposableStack,
  test: TestApp,
  more: Partial<Config>,
): Promise<FastifyInstance> {
  const { databaseUrl, secretFile } = test.ctx.config
  const other = stack.use(await makeTestContext({ ...more, databaseUrl, secretFile }))
  const app = await buildApp(other.ctx)
  stack.defer(async () => app.close())
  return app
}

/** How many were taken, and how many refused by a sentence; both together are all, or something broke. */
export function takenAndRefused(answers: readonly { status: number }[]): {
  taken: number
  refused: number
} {
  const among = (from: number, to: number) =>
    answers.filter(({ status }) => status >= from && status < to).length
  return { taken: among(200, 300), refused: among(400, 500) }
}
