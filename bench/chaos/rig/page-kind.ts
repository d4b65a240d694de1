/** Saves of a page in a real browser, which may send a call again by itself when its connection breaks. */
import type { Page } from '@playwright/test'
import { Failure } from '@trunkline/contract/failure.schema'
import { addGroup, removeGroup, updateGroup } from '@trunkline/contract/groups/group.calls'
import { CallFailed } from '@trunkline/testbed/api-client'
import type { Home, WrittenKind } from './writers.ts'

/** Only ends what hangs. */
const LIMIT_MS = 60_000

/** Groups, by calls of this page, which is signed in by this token. */
export function groupsByPage(page: Page, token: string, { manager }: Home): WrittenKind {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const asked = { method, path, token, body: JSON.stringify(body), limitMs: LIMIT_MS }
    const { status, text } = await page.evaluate(async (of) => {
      const answer = await fetch(of.path, {
        method: of.method,
        headers: {
          authorization: `Bearer ${of.token}`,
          ...(of.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(of.body === undefined ? {} : { body: of.body }),
        signal: AbortSignal.timeout(of.limitMs),
      })
      return { status: answer.status, text: await answer.text() }
    }, asked)
    // A proxy without its API answers in HTML: nobody knows whether the save was carried out.
    const answer: unknown = JSON.parse(text)
    if (status >= 400) throw new CallFailed(path, status, Failure.parse(answer))
    return answer
  }
  const pathOf = (path: string, id: string) => path.replace(':id', id)
  return {
    table: 'groups',
    objectKind: 'group',
    add: async (_, title) => {
      const body = { title, description: 'Chaos', manager }
      const { data } = (await call(addGroup.method, addGroup.path, body)) as {
        data: { id: string }
      }
      return data.id
    },
    update: async (_, id, title) =>
      call(updateGroup.method, pathOf(updateGroup.path, id), { title }),
    remove: async (_, id) => call(removeGroup.method, pathOf(removeGroup.path, id)),
  }
}
