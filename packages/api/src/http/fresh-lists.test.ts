/** Lists are kept until something changes: whoever reads one after a change sees it, whatever it was. */
import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { listChannels } from '@trunkline/contract/channels/channel.calls'
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import { listOutputs } from '@trunkline/contract/contributions/output.calls'
import { listAllEncoders, listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { mayCall, type Role } from '@trunkline/contract/roles'
import type { Route } from '@trunkline/contract/route'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { listUsers } from '@trunkline/contract/users/user.calls'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { allCalls } from '../testing/all-calls.ts'
import { idIn, walkEveryChange } from '../testing/change-walk.ts'
import { inject } from '../testing/inject.ts'
import type { PersonName } from '../testing/people.ts'
import { countChanges } from '../record-changes.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import type { TestSite } from '../testing/test-site.ts'
import { keptFrom } from './answer-cache.ts'
import { isListCall } from './fair-share.ts'

const LISTS: readonly Route[] = [
  listAudit,
  listChannels,
  listDestinations,
  listInputs,
  listOutputs,
  listAllEncoders,
  listEncoders,
  listGroups,
  listServers,
  listUsers,
]
/** Of different scope. */
const READERS: readonly [PersonName, Role][] = [
  ['superadmin', 'superadmin'],
  ['northManager', 'manager'],
  ['northEditor', 'editor'],
]

/**
 * Some fifty lists are read twice after each of more than a hundred changes, all of it in this process:
 * on PostgreSQL a machine whose load is twenty takes more than the five minutes of other tests for that.
 */
const WALK_LIMIT_MS = 900_000

async function readLists(app: FastifyInstance, site: TestSite): Promise<Map<string, string>> {
  const read = new Map<string, string>()
  const readAs = async ([name, role]: (typeof READERS)[number]) => {
    // Who is refused leaves a line in the record of activity.
    for (const call of LISTS.filter((list) => mayCall(role, list))) {
      const { text } = await inject(app, call, site.people[name].token, {})
      read.set(`${call.name} of ${name}`, text)
    }
  }
  await Promise.all(READERS.map(readAs))
  return read
}

test('every list that is kept is looked at below', async () => {
  const kept = (await allCalls()).filter((call) => isListCall(call) && keptFrom(call) !== null)
  expect(LISTS.map(({ name }) => name).toSorted()).toEqual(kept.map(({ name }) => name).toSorted())
})

test.each(BOTH_DATABASES)(
  'W1 on %s each list shows each change to the next who reads it, whoever they are',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { config } = site.ctx
    const fresh = await buildApp({ ...site.ctx, config: { ...config, answerCacheMegabytes: 0 } })
    const changesOf = countChanges(site.ctx)
    const written = () => changesOf('records') + changesOf('audit')
    /** What is kept, and what is stored: nothing is written between the two, as the API does by itself. */
    const readBoth = async () => {
      for (;;) {
        const writtenBefore = written()
        const both = await Promise.all([readLists(site.app, site), readLists(fresh, site)])
        if (written() === writtenBefore) return both
      }
    }
    let changes = 0
    try {
      let before = await readLists(site.app, site)
      await walkEveryChange(site, async (call, _holds, input) => {
        const { text } = await inject(site.app, call, site.people.superadmin.token, input)
        const [after, now] = await readBoth()
        for (const [list, shown] of now) {
          expect(after.get(list), `${list} after ${call.name}`).toBe(shown)
          if (before.get(list) !== shown) changes += 1
        }
        before = after
        return idIn(text)
      })
    } finally {
      await fresh.close()
    }
    expect(changes).toBeGreaterThan(100)
  },
  WALK_LIMIT_MS,
)
