/** An output may go to a destination of a group that its own managers are not in: they see its id alone. */
import { updateDestination } from '@trunkline/contract/contributions/destination.calls'
import { listOutputs, readOutput } from '@trunkline/contract/contributions/output.calls'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { outputBody } from '../../testing/input.fixture.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import { addFarEnd, addFeed, addWay, save } from './output.fixture.ts'

const SECRET_TITLE = 'Hall of South'
const SECRET_HOST = 'hall.south.example'

let site: TestSite
let inputId: string
let destinationId: string
let added: Output
beforeEach(async () => {
  site = await openTestSite()
  inputId = await addFeed(site, 6000)
  destinationId = await addFarEnd(site, { title: SECRET_TITLE, groupId: site.south })
  added = await addWay(site, inputId, { destinationId })
  await site.call('admin', updateDestination, {
    params: { id: destinationId },
    body: { title: SECRET_TITLE, ip: SECRET_HOST },
  })
})
afterEach(async () => site[Symbol.asyncDispose]())

function expectNothingShown(text: string): void {
  expect(text).not.toContain(SECRET_TITLE)
  expect(text).not.toContain(SECRET_HOST)
}

test('T3 CON-OUT-05 its title and address are answered to an admin, not to a manager', async () => {
  const params = { id: added.id }
  const read = await site.call('northManager', readOutput, { params })
  expect(read.answer.data).toMatchObject({ destinationId, destinationInfo: null })
  const listed = await site.call('northManager', listOutputs, { query: {} })
  expect(listed.answer.outputs).toMatchObject([{ destinationId, destinationInfo: null }])
  const conflict = await save(site, added.id, { ...added, title: 'Another', version: 99 })
  expect(conflict.status).toBe(409)
  const saved = await save(site, added.id, { ...added, title: 'Renamed' })
  expect(saved.answer.data).toMatchObject({ title: 'Renamed', destinationInfo: null })
  for (const { text } of [read, listed, conflict, saved]) expectNothingShown(text)
  const admins = await site.call('admin', readOutput, { params })
  expect(admins.answer.data.destinationInfo).toMatchObject({ title: SECRET_TITLE, ip: SECRET_HOST })
})

test('T3 Q150 an empty host keeps the address that the output has, and does not fetch the new one', async () => {
  const body = outputBody(inputId, { destinationId, config: { host: '', port: 7000 } })
  const { answer, text } = await save(site, added.id, body)
  expect(answer.data.config.host).toBe('192.0.2.10')
  expectNothingShown(text)
})

test('T3 Q150 another host is refused without details of the destination', async () => {
  const before = await databaseContent(site.ctx)
  const body = outputBody(inputId, { destinationId, config: { host: '192.0.2.99', port: 7000 } })
  const { failure, text } = await save(site, added.id, body)
  expect(failure.field).toBe('config.host')
  expect(failure.error).toContain('the destination of another group is 192.0.2.10')
  expectNothingShown(text)
  expect(await databaseContent(site.ctx)).toEqual(before)
})
