/** F12: operators who add at the same moment never get one port or one group twice. */
import { addInput, listInputs } from '@trunkline/contract/contributions/input.calls'
import { expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../testing/databases.ts'
import { testInput } from '../testing/input.fixture.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'

/** Status of each answer, and how many groups and ports were given to those that were added. */
async function addAtOnce(site: TestSite) {
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, index) =>
      site.call('admin', addInput, {
        body: testInput(site, 6000 + (index % 6)),
      }),
    ),
  )
  const { contributions } = (await site.call('admin', listInputs, {})).answer
  return {
    added: answers.filter(({ status }) => status === 201).length,
    refused: answers.filter(({ status }) => status === 409).length,
    groups: new Set(contributions.map(({ config }) => config.multicast)).size,
    busPorts: new Set(contributions.map(({ config }) => config.multicastPort)).size,
  }
}

const ONE_EACH = { added: 6, refused: 6, groups: 6, busPorts: 6 }

test('F12 on SQLite each port and group is given once', async () => {
  await using site = await openTestSite()
  expect(await addAtOnce(site)).toEqual(ONE_EACH)
})

test('F12 on PostgreSQL each port and group is given once', async () => {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  await using site = await openTestSite({ databaseUrl: database.url })
  expect(await addAtOnce(site)).toEqual(ONE_EACH)
})
