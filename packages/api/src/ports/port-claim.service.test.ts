import { addEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { expect, test } from 'vitest'
import { palConfig } from '../testing/encoder.fixture.ts'
import { addTestEncoder, openTestSite } from '../testing/test-site.ts'

test('Q32 a sender of the own group is not named to an editor who is not assigned to it', async () => {
  await using site = await openTestSite()
  const first = await addTestEncoder(site, 0)
  const { port } = site.encoderHost
  const second = { title: 'Second', ip: '127.0.0.1', port, groupId: site.north }
  const own = (await site.call('admin', addEncoder, { body: second })).answer.id
  const users = [site.people.northEditor.id]
  await site.call('admin', updateEncoder, { body: { _id: own, users } })
  const body = { _id: own, config: palConfig(1, 'udp://127.0.0.1:5000?ttl=12') }
  const refusal = async () => (await site.call('northEditor', updateEncoder, { body })).failure
  await site.call('admin', updateEncoder, { body: { _id: first.id, users: [] } })
  expect(await refusal()).toMatchObject({
    error:
      'Target 127.0.0.1:5000 is fed by another encoder of your group already. Choose another target.',
  })
  await site.call('admin', updateEncoder, { body: { _id: first.id, users } })
  expect((await refusal()).error).toContain("is fed by encoder 'Camera 0' already")
})
