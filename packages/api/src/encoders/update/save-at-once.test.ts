/** F13: of operators who save one version at the same moment exactly one is taken, and none is lost silently. */
import { findEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../../testing/databases.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'

async function saveAtOnce(site: TestSite) {
  const { id, version } = await addTestEncoder(site, 0)
  const answers = await Promise.all(
    Array.from({ length: 8 }, async (_, index) =>
      site.call('admin', updateEncoder, { body: { _id: id, version, title: `Save ${index}` } }),
    ),
  )
  const taken = answers.findIndex(({ status }) => status === 200)
  const { data } = (await site.call('admin', findEncoder, { params: { id } })).answer
  return {
    taken: answers.filter(({ status }) => status === 200).length,
    refused: answers.filter(({ status }) => status === 409).length,
    isKept: data.title === `Save ${taken}` && data.version === version + 1,
  }
}

const ONE = { taken: 1, refused: 7, isKept: true }

test('F13 on SQLite one save of a version is taken', async () => {
  await using site = await openTestSite()
  expect(await saveAtOnce(site)).toEqual(ONE)
})

test('F13 on PostgreSQL one save of a version is taken', async () => {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  await using site = await openTestSite({ databaseUrl: database.url })
  expect(await saveAtOnce(site)).toEqual(ONE)
})
