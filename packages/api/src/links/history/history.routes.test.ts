import { linkHistory } from '@trunkline/contract/contributions/history.calls'
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { expect, test } from 'vitest'
import { openChannelSite } from '../../channels/channel.fixture.ts'
import { addTestInput } from '../../testing/input.fixture.ts'
import { addTestFeeder } from '../../testing/feeder.fixture.ts'
import { fakeReport } from '../../testing/fake-host.ts'
import { fakeStream } from '../../testing/fake-media-server.ts'
import { inject } from '../../testing/inject.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { addTestEncoder } from '../../testing/test-site.ts'
import { openHistory } from './history-recorder.service.ts'
import * as historyStore from './history.store.ts'

const READING: LinkReading = {
  kind: 'link',
  protocol: 'srt',
  direction: 'receive',
  atMs: 0,
  bitrateKbps: 4500,
  rttMs: 25,
  packets: 100,
  lostPackets: 0,
  retransmittedPackets: 0,
  droppedPackets: 0,
}

test.each(BOTH_DATABASES)(
  'readings of a link are stored and answered to roles that may see it, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id } = await addTestInput(site, 6002, { title: 'Marathon km 30' })
    const history = openHistory(site.ctx)
    const heard = new Promise<void>((resolve) => {
      site.ctx.hosts.listen((event) => {
        if (event.type === 'readings') resolve()
      })
    })
    const programId = `input-${id}`
    await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
    const nowMs = Date.now()
    site.linkHost.tell({ type: 'program', nowMs, report: fakeReport(programId, nowMs) })
    const readings = [{ programId, reading: { ...READING, atMs: nowMs } }]
    site.linkHost.tell({ type: 'readings', nowMs, readings })
    await heard
    await history[Symbol.asyncDispose]()
    const query = { kind: 'input' as const, ids: `${id},nobody,${id}` }
    for (const span of ['5m', '1h'] as const) {
      const { answer } = await site.call('northManager', linkHistory, { query: { ...query, span } })
      expect(answer.series).toMatchObject([
        { id, points: [{ bitrateKbps: { min: 4500, avg: 4500, max: 4500 }, rttMs: 25 }] },
      ])
      expect(answer.stepMs).toBe(10_000)
    }
    const day = await site.call('northManager', linkHistory, { query: { ...query, span: '24h' } })
    expect(day.answer).toMatchObject({ stepMs: 60_000, series: [{ id, points: [] }] })
    expect(day.answer.toMs - day.answer.fromMs).toBe(86_400_000)
    const foreign = await site.call('southManager', linkHistory, { query })
    expect(foreign.answer.series).toEqual([])
    expect((await site.call('northEditor', linkHistory, { query })).status).toBe(403)
  },
)

test('the bitrate of an encoder is stored and answered to roles that may see it', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const programId = `encoder-${id}`
  const history = openHistory(site.ctx)
  const heard = new Promise<void>((resolve) => {
    site.ctx.hosts.listen((event) => {
      if (event.type === 'readings') resolve()
    })
  })
  const nowMs = Date.now()
  site.encoderHost.tell({ type: 'program', nowMs, report: fakeReport(programId, nowMs) })
  const counts = { framesPerSecond: 25, speed: 1, droppedFrames: 0, duplicatedFrames: 0 }
  const reading = { kind: 'encode' as const, atMs: nowMs, bitrateKbps: 1850, ...counts }
  site.encoderHost.tell({ type: 'readings', nowMs, readings: [{ programId, reading }] })
  await heard
  await history[Symbol.asyncDispose]()
  const query = { kind: 'encoder' as const, ids: id }
  const seen = await site.call('northEditor', linkHistory, { query })
  expect(seen.answer.series).toMatchObject([
    { id, points: [{ bitrateKbps: { min: 1850, avg: 1850, max: 1850 }, rttMs: null, packets: 0 }] },
  ])
  const foreign = await site.call('southMonitor', linkHistory, { query })
  expect(foreign.answer.series).toEqual([])
})

test('CHAN-14 the bandwidth of a channel is stored and answered to roles that may see it', async () => {
  // The last moment before the step that has ended is written: its end is 11.4 s ago.
  const nowMs = Math.floor(Date.now() / 10_000) * 10_000 + 1400
  await using site = await openChannelSite({ clock: () => nowMs })
  const { serverId, north1, south1 } = site
  const channels = [
    { id: north1._id, serverId, name: north1.name, groupIds: [site.north] },
    { id: south1._id, serverId, name: south1.name, groupIds: [site.south] },
  ]
  site.ctx.board.streams.setChannels(channels)
  const answered = channels.map(({ name }) => fakeStream(name))
  await site.ctx.board.streams.answered(serverId, answered)
  const history = openHistory(site.ctx)
  await history[Symbol.asyncDispose]()
  const query = { kind: 'channel' as const, ids: `${north1._id},${south1._id}` }
  const seriesOf = async (who: 'northMonitor' | 'southManager') => {
    const { answer } = await inject(site.app, linkHistory, site.people[who].token, { query })
    return answer.series
  }
  expect(await seriesOf('northMonitor')).toMatchObject([
    { id: north1._id, points: [{ bitrateKbps: { min: 1850, avg: 1850, max: 1850 } }] },
  ])
  expect((await seriesOf('southManager')).map((item) => item.id)).toEqual([south1._id])
})

test('a period has its own intervals and nothing older', async () => {
  const site = await openSiteOn('SQLite')
  const { id: encoderId } = await addTestEncoder(site, 0)
  const name = await addTestFeeder(site, encoderId, 5000)
  const nowS = Math.floor(Date.now() / 60_000) * 60
  const ages = [60, 400, 3700, 86_000, 90_000]
  const samples = ages.flatMap((ageS) =>
    [10, 60].map((stepS) => ({
      programId: `feeder-${name}`,
      stepS,
      atS: nowS - ageS,
      readings: 4,
      bitrateSumKbps: 18_000,
      bitrateMinKbps: 4000,
      bitrateMaxKbps: 5000,
      rttMaxMs: null,
      packets: 8,
      lost: 4,
      resent: 3,
      dropped: 1,
    })),
  )
  await historyStore.put(site.ctx.db, samples)
  const pointsOf = async (span: '5m' | '1h' | '24h') => {
    const query = { kind: 'feeder' as const, ids: name, span }
    const { answer } = await site.call('northEditor', linkHistory, { query })
    return answer.series[0]?.points ?? []
  }
  expect(await pointsOf('5m')).toEqual([
    {
      atMs: (nowS - 60) * 1000,
      bitrateKbps: { min: 4000, avg: 4500, max: 5000 },
      rttMs: null,
      packets: 8,
      // A feeder sends: what is lost it cannot know.
      lostPackets: null,
      retransmittedPackets: 3,
      droppedPackets: null,
    },
  ])
  expect(await pointsOf('1h')).toHaveLength(2)
  expect(await pointsOf('24h')).toHaveLength(4)
})

test.each([
  ['no link', { kind: 'input', ids: '' }],
  ['more links than a call takes', { kind: 'input', ids: Array.from(Array(113).keys()).join(',') }],
  ['a kind that has no history', { kind: 'destination', ids: 'a' }],
  ['a span that is not kept', { kind: 'input', ids: 'a', span: '30d' }],
])('%s: refused at its field', async (_, query) => {
  const site = await openSiteOn('SQLite')
  const asked = { query: query as { kind: 'input'; ids: string } }
  const { status, failure } = await site.call('admin', linkHistory, asked)
  expect(status).toBe(400)
  expect(failure?.field).toBe(
    'ids' in query && query.kind === 'destination' ? 'kind' : 'span' in query ? 'span' : 'ids',
  )
})

test.each([
  ['5m', 112],
  ['1h', 41],
  ['24h', 10],
] as const)('%s of at most %i links are answered at once', async (span, most) => {
  const site = await openSiteOn('SQLite')
  const ask = async (links: number) => {
    const ids = Array.from({ length: links }, (_, index) => `link${index}`).join(',')
    return site.call('northManager', linkHistory, { query: { kind: 'input', ids, span } })
  }
  expect((await ask(most)).status).toBe(200)
  const { status, failure } = await ask(most + 1)
  expect([status, failure.field]).toEqual([400, 'ids'])
})
