/** A host that is connected and says nothing: whoever removes something there waits for it once. */
import {
  controlEncoder,
  removeEncoder,
  removeEncoderConfig,
} from '@trunkline/contract/encoders/encoder.calls'
import { removeFeeder, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { expect, test } from 'vitest'
import { testFeeder } from '../testing/feeder.fixture.ts'
import { openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'

async function addRunning(site: TestSite): Promise<string> {
  const { id } = await addTestEncoder(site, 0)
  const body = { data: { name: 'encoder0', command: 'start' } } as const
  await site.call('admin', controlEncoder, { params: { id }, body })
  return id
}

/** It is given up soon, so that nobody waits for long. */
function silence(site: TestSite): void {
  site.encoderHost.silentOn.add('removeProgram')
  site.pollFast()
}

/** Nothing that is brought to a host from now on is ever done. */
function stopSettling(site: TestSite): void {
  site.ctx.programs.refresh = async () => Promise.withResolvers<undefined>().promise
}

test.each([
  ['an encoder', removeEncoder],
  ['its configuration', removeEncoderConfig],
] as const)('Q67 Q69 %s on a silent host is removed after one wait', async (_, call) => {
  const site = await openSiteOn('SQLite')
  const id = await addRunning(site)
  silence(site)
  stopSettling(site)
  const { status } = await site.call('admin', call, { params: { id } })
  expect(status).toBe(200)
  expect(site.encoderHost.paramsOf('removeProgram')).toEqual([{ programId: `encoder-${id}` }])
})

test('Q105 a feeder on a silent host is removed after one wait', async () => {
  const site = await openSiteOn('SQLite')
  const encoderId = await addRunning(site)
  const added = await site.call('admin', saveFeeder, {
    params: { product: 'acan' },
    body: { _id: encoderId, feederPost: testFeeder(site, 5100) },
  })
  const feederName = added.answer.feeder.name
  silence(site)
  stopSettling(site)
  const { status } = await site.call('admin', removeFeeder, { params: { encoderId, feederName } })
  expect(status).toBe(200)
})

test('a program on a silent host is ended once the host answers', async () => {
  const site = await openSiteOn('SQLite')
  const id = await addRunning(site)
  silence(site)
  expect((await site.call('admin', removeEncoder, { params: { id } })).status).toBe(200)
  const ended = site.encoderHost.asked('removeProgram', 2)
  site.encoderHost.silentOn.clear()
  site.encoderHost.cut()
  await ended
  await site.encoderHost.unlinked()
  expect(site.encoderHost.programs.has(`encoder-${id}`)).toBe(false)
})
