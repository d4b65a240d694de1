/** The whole application on a database of its own, with people of every role in two groups. */
import type { Route } from '@trunkline/contract/route'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { inject, type Injected, type InjectInput } from './inject.ts'
import { addPeople, type People, type PersonName } from './people.ts'
import { makeTestContext, type TestContext } from './test-context.ts'

export interface TestApp extends TestContext, People {
  app: FastifyInstance
  call<T extends Route>(who: PersonName, call: T, input: InjectInput<T>): Promise<Injected<T>>
}

/** `more` overrides settings, `parts` whole members of the context. */
export async function openTestApp(
  more: Partial<Config> = {},
  parts: Partial<Context> = {},
): Promise<TestApp> {
  const context = await makeTestContext(more, parts)
  try {
    const people = await addPeople(context.ctx)
    const app = await buildApp(context.ctx)
    return {
      ...context,
      ...people,
      app,
      call: async (who, route, input) => inject(app, route, people.people[who].token, input),
      async [Symbol.asyncDispose]() {
        await app.close()
        await context[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await context[Symbol.asyncDispose]()
    throw error
  }
}
