/** A signal path of real objects, from a camera to a channel, made by the calls of the product. */
import { saveChannels } from '@trunkline/contract/channels/channel.calls'
import { addDestination } from '@trunkline/contract/contributions/destination.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { expect } from 'vitest'
import { fakeStream } from '../testing/fake-media-server.ts'
import { testFeeder } from '../testing/feeder.fixture.ts'
import { addTestInput, addTestOutput } from '../testing/input.fixture.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'

const HOST = '127.0.0.1'

/** Camera, feeder, input, two outputs: to a destination, and to a channel that listens. */
export async function addPath(site: TestSite) {
  const { id: encoderId } = await addTestEncoder(site, 0)
  const feederPost = { ...testFeeder(site, 5000), output: [{ addr: `${HOST}:6000`, port: 6000 }] }
  const feeder = await site.call('admin', saveFeeder, {
    params: { product: 'acan' },
    body: { _id: encoderId, feederPost },
  })
  const { id: inputId } = await addTestInput(site, 6000, { inputType: 'aCANFeeder' })
  const destination = await site.call('admin', addDestination, {
    body: { title: 'Paris', ip: '192.0.2.10', groupId: site.north },
  })
  const destinationId = destination.answer.data.id
  await addTestOutput(site, inputId, { title: 'to Paris', destinationId })
  const toChannel = await addTestOutput(site, inputId, {
    title: 'to Channel',
    config: { host: HOST, port: 7100 },
  })
  site.media.streams.set('live', {
    ...fakeStream('live'),
    inputs: [{ url: 'srt://:7100' }],
    pushes: [
      { url: 'rtmp://cdn.example/live', stats: { status: 'error', last_error: 'refused' } },
      { url: 'rtmp://nothing.is.known/of' },
    ],
  })
  const channel = await site.call('admin', saveChannels, {
    body: [{ name: 'live', title: 'Live', serverId: site.channelServerId, groupIds: [site.north] }],
  })
  const channelId = channel.answer.data[0]?.id ?? ''
  await expect
    .poll(() => site.ctx.board.streams.links.sourcesOf(channelId), { timeout: 20_000 })
    .toHaveLength(1)
  const feederId = feeder.answer.feeder.name
  return { encoderId, feederId, inputId, destinationId, toChannel, channelId }
}
