import {
  addEncoder,
  type EncoderHost,
  enableEncoder,
  readEncoderHost,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { palConfig } from '../../testing/encoder.fixture.ts'
import { FAKE_KEY, FakeHost } from '../../testing/fake-host.ts'
import type { PersonName } from '../../testing/people.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'

const SOURCES = [
  { cardIdx: 0, kind: 'test-pattern', label: 'Test pattern 0', unusable: '' },
  { cardIdx: 5, kind: 'decklink', label: 'DeckLink', unusable: 'This host has no DeckLink.' },
] as const

let site: TestSite
let host: FakeHost
beforeEach(async () => {
  site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  host = await FakeHost.open({
    seatKind: 'encoder',
    capabilities: { sources: [...SOURCES], encoders: ['libx264', 'libtwolame'], cpuCores: 4 },
  })
  onTestFinished(async () => host[Symbol.asyncDispose]())
})

async function add(title: string, groupId: string, cardIdx: number | null = null) {
  const body = { title, ip: '127.0.0.1', port: host.port, groupId, apiKey: FAKE_KEY }
  const { id } = (await site.call('admin', addEncoder, { body })).answer
  if (cardIdx !== null) {
    await site.call('admin', updateEncoder, { body: { _id: id, config: palConfig(cardIdx) } })
  }
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: host.port })
  return id
}

async function hostOf(id: string, who: PersonName = 'admin') {
  return (await site.call(who, readEncoderHost, { params: { id } })).answer.data
}

test('the host of an encoder that is neither configured nor enabled reports its capabilities', async () => {
  const id = await add('Bare', site.north)
  const known = { sources: SOURCES, encoders: ['libx264', 'libtwolame'], cpuCores: 4, taken: [] }
  expect(await hostOf(id)).toMatchObject({ online: true, ...known })
  await site.call('admin', enableEncoder, { params: { id }, body: { isEnabled: false } })
  expect(await hostOf(id)).toMatchObject({ online: true, ...known })
})

test('CFG-12 CFG-13 CFG-36 a new configuration is proposed what no other encoder of the host has', async () => {
  const first = await add('First', site.north)
  expect((await hostOf(first)).proposed).toEqual({
    cardIdx: 0,
    targetPort: 5000,
    videoPid: 512,
    audioPid: 4112,
    pmtPid: 256,
  })
  const { proposed } = await hostOf(first)
  await site.call('admin', updateEncoder, { body: { _id: first, config: configAt(proposed) } })
  const second = await add('Second', site.south)
  const next = (await hostOf(second)).proposed
  expect(next).toEqual({
    cardIdx: 1,
    targetPort: 5002,
    videoPid: 513,
    audioPid: 4113,
    pmtPid: 257,
  })
  const body = { _id: second, config: configAt(next) }
  expect((await site.call('admin', updateEncoder, { body })).status).toBe(200)
})

/** A configuration as the form sends it, with what was proposed. */
function configAt({ cardIdx, targetPort, videoPid, audioPid, pmtPid }: EncoderHost['proposed']) {
  const config = palConfig(cardIdx)
  return {
    ...config,
    'video-stream': { ...config['video-stream'], pid: videoPid },
    'audio-stream': { ...config['audio-stream'], pid: audioPid },
    muxer: { ...config.muxer, 'pmt-pid': pmtPid, 'pcr-pid': videoPid },
    output: [{ type: 'udp' as const, target: `udp://127.0.0.1:${targetPort}?ttl=12` }],
  }
}

test('cards of other encoders of this host are taken, those of other hosts are not', async () => {
  const own = await add('Own', site.north, 0)
  await add('Second', site.north, 2)
  await add('Bare', site.north)
  await site.call('admin', addEncoder, {
    body: {
      title: 'Elsewhere',
      ip: '127.0.0.1',
      port: host.port + 1,
      groupId: site.north,
      apiKey: FAKE_KEY,
    },
  })
  expect((await hostOf(own)).taken).toEqual([{ cardIdx: 2, title: 'Second' }])
})

test('ROLE-11 F a card of an encoder that is not visible is taken without naming the owner', async () => {
  const own = await add('Own', site.north, 0)
  await add('Unassigned', site.north, 1)
  await add('Secret', site.south, 2)
  const users = [site.people.northEditor.id]
  await site.call('admin', updateEncoder, { body: { _id: own, users } })
  const taken = async (who: PersonName) =>
    (await hostOf(own, who)).taken.map(({ cardIdx, title }) => [cardIdx, title])
  expect(await taken('admin')).toEqual([
    [1, 'Unassigned'],
    [2, 'Secret'],
  ])
  expect(await taken('northManager')).toEqual([
    [1, 'Unassigned'],
    [2, ''],
  ])
  expect(await taken('northEditor')).toEqual([
    [1, ''],
    [2, ''],
  ])
})

test('the capabilities of a host are kept while it is away, with the time of its last answer', async () => {
  const id = await add('Camera', site.north, 0)
  const before = await hostOf(id)
  const gone = Promise.withResolvers<void>()
  site.ctx.board.listen((event) => {
    if (event.event === 'host' && event.data.id === id && !event.data.online) gone.resolve()
  })
  await host[Symbol.asyncDispose]()
  await gone.promise
  const away = await hostOf(id)
  expect(away).toMatchObject({ online: false, sources: SOURCES, cpuCores: 4 })
  expect(away.heardAtMs).toBeGreaterThanOrEqual(before.heardAtMs ?? Infinity)
})

test('a host that never answered has no capabilities', async () => {
  const { answer } = await site.call('admin', addEncoder, {
    body: { title: 'Nowhere', ip: '127.0.0.1', port: 4001, groupId: site.north, apiKey: FAKE_KEY },
  })
  expect(await hostOf(answer.id)).toEqual({
    online: false,
    heardAtMs: null,
    sources: [],
    taken: [],
    encoders: [],
    cpuCores: 0,
    proposed: { cardIdx: 0, targetPort: 5000, videoPid: 512, audioPid: 4112, pmtPid: 256 },
  })
})
