import { saveChannels } from '@trunkline/contract/channels/channel.calls'
import { addDestination } from '@trunkline/contract/contributions/destination.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { readSignalPath, type PathKind } from '@trunkline/contract/paths/path.calls'
import type { SignalPath } from '@trunkline/contract/paths/path.schema'
import { expect, test } from 'vitest'
import { fakeStream } from '../testing/fake-media-server.ts'
import { testFeeder } from '../testing/feeder.fixture.ts'
import { addTestInput, addTestOutput } from '../testing/input.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'

const HOST = '127.0.0.1'

/** Camera, feeder, input, two outputs: to a destination, and to a channel that listens. */
async function addPath(site: TestSite) {
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
  return { encoderId, feederId: feeder.answer.feeder.name, inputId, toChannel, channelId }
}

async function pathOf(site: TestSite, who: PersonName, kind: PathKind, id: string) {
  const { answer, text } = await site.call(who, readSignalPath, { params: { kind, id } })
  return { path: answer.data, text }
}

function shown({ hops }: SignalPath): string[] {
  return hops.map((hop) =>
    !hop.isShown ? `hidden ${hop.side} ${hop.why}` : `${hop.side} ${hop.kind} ${hop.title}`,
  )
}

test.each(BOTH_DATABASES)(
  'a path has the hops that the caller may see, and the health of the others, on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { encoderId, feederId, inputId, toChannel, channelId } = await addPath(site)
    const { path } = await pathOf(site, 'admin', 'encoder', encoderId)
    expect(shown(path).toSorted()).toEqual([
      'behind channel Live',
      'behind destination Paris',
      'behind feeder to Gateway',
      'behind input Feed 6000',
      'behind output to Channel',
      'behind output to Paris',
      'behind push rtmp://cdn.example/live',
      'self encoder Camera 0',
    ])
    expect(path.hops.find((hop) => hop.isShown && hop.kind === 'push')).toMatchObject({
      ownerId: channelId,
      server: 'Server channel',
      facts: [{ name: 'delivery', text: 'Refused' }],
    })
    expect(path.edges).toContainEqual({
      before: `channel ${channelId}`,
      behind: `push 0 of ${channelId}`,
    })
    expect(path.edges).toContainEqual({
      before: `feeder ${feederId}`,
      behind: `input ${inputId}`,
    })
    const input = path.hops.find(({ key }) => key === `input ${inputId}`)
    expect(input).toMatchObject({
      groups: ['North'],
      server: 'Server acants',
      link: { protocol: 'srt', mode: 'listen', port: 6000 },
      state: { family: 'off', word: 'Stopped' },
      facts: [{ name: 'process', text: 'Stopped' }],
    })
    const { path: upstream } = await pathOf(site, 'northMonitor', 'channel', channelId)
    expect(shown(upstream)).toEqual([
      'self channel Live',
      'hidden before role',
      'hidden before role',
      'before feeder to Gateway',
      'before encoder Camera 0',
      'behind push rtmp://cdn.example/live',
    ])
    // The input and with it its outputs are in another group from now on.
    await site.ctx.db
      .updateTable('inputs')
      .set({ group_id: site.south, title: 'Secret feed' })
      .where('id', '=', inputId)
      .execute()
    const foreign = await pathOf(site, 'northManager', 'encoder', encoderId)
    expect(shown(foreign.path).toSorted()).toEqual([
      'behind channel Live',
      'behind destination Paris',
      'behind feeder to Gateway',
      'behind push rtmp://cdn.example/live',
      'hidden behind group',
      'hidden behind group',
      'hidden behind group',
      'self encoder Camera 0',
    ])
    const hidden = foreign.path.hops.filter(({ isShown }) => !isShown)
    for (const hop of hidden) {
      expect(Object.keys(hop).toSorted()).toEqual(['family', 'isShown', 'key', 'side', 'why'])
    }
    for (const secret of [inputId, toChannel, 'Secret feed', 'to Paris', 'South', site.south]) {
      expect(foreign.text).not.toContain(secret)
    }
    const refused = await site.call('northManager', readSignalPath, {
      params: { kind: 'input', id: inputId },
    })
    expect(refused.status).toBe(404)
  },
)
