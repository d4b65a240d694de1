/** Saving a configuration: what is warned of, what clashes, who may, and what two operators at once make of it. */
import { addEncoder, findEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { palConfig } from '../../testing/encoder.fixture.ts'
import { FAKE_KEY, FakeHost } from '../../testing/fake-host.ts'
import type { PersonName } from '../../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../../testing/test-site.ts'
import * as encoderStore from '../encoder.store.ts'

type Config = ReturnType<typeof palConfig>

/** pal with other values in some of its parts. */
function palWith(parts: Record<string, object>, cardIdx = 0): Config {
  const base = palConfig(cardIdx) as Record<string, unknown>
  const changed = Object.entries(parts).map(
    ([name, values]) => [name, { ...(base[name] as object), ...values }] as const,
  )
  return { ...base, ...Object.fromEntries(changed) } as Config
}

async function save(site: TestSite, id: string, config: Config, who: PersonName = 'admin') {
  return site.call(who, updateEncoder, { body: { _id: id, config } })
}

async function refusedUnchanged(site: TestSite, body: object, who: PersonName = 'admin') {
  const before = await databaseContent(site.ctx)
  const answer = await site.call(who, updateEncoder, { body: body as { _id: string } })
  expect(await databaseContent(site.ctx)).toEqual(before)
  return answer
}

/** An encoder on a host that has card 0, a broken card 5, and no encoder for HE-AAC. */
async function encoderOnHost(site: TestSite) {
  const host = await FakeHost.open({
    seatKind: 'encoder',
    capabilities: {
      encoders: ['libx264', 'libtwolame', 'aac'],
      sources: [
        { cardIdx: 0, kind: 'test-pattern', label: 'Pattern', unusable: '' },
        { cardIdx: 5, kind: 'decklink', label: 'SDI', unusable: 'Its driver is not loaded.' },
      ],
    },
  })
  onTestFinished(async () => host[Symbol.asyncDispose]())
  const { port } = host
  const { answer } = await site.call('admin', addEncoder, {
    body: { title: 'Studio', ip: '127.0.0.1', port, groupId: site.north, apiKey: FAKE_KEY },
  })
  await site.ctx.hosts.linked({ host: '127.0.0.1', port })
  return answer.id
}

const HE_AAC = {
  format: 'aac',
  bitrate: 64,
  lang: 'eng',
  pid: 4112,
  'aac-profile': 'he-aac-v1',
  'aac-encap': 'adts',
} as const

describe.each(BOTH_DATABASES)('warnings and clashes on %s', (kind) => {
  test('a setting that the host cannot apply gives a warning with what happens instead, and is stored as typed', async () => {
    const site = await openSiteOn(kind)
    const id = await encoderOnHost(site)
    const warned = async (config: Config) => {
      const { status, answer } = await save(site, id, config)
      expect(status).toBe(200)
      expect(answer.data.config).toMatchObject(config)
      return answer.warnings
    }
    expect(await warned(palConfig(0))).toEqual([])
    expect(await warned(palWith({ muxer: { 'pcr-pid': 600 } }))).toEqual([
      'The PCR is sent on the video PID 512, not on a PID of its own (600).',
    ])
    for (const type of ['atsc', 'cablelabs']) {
      expect(await warned(palWith({ muxer: { 'ts-type': type } }))).toEqual([
        `The tables of ts-type ${type} cannot be written; generic is used.`,
      ])
    }
    expect(await warned(palWith({ 'video-stream': { level: '4.2' } }))).toEqual([
      'Level 4.2 does not allow interlaced pictures; level 4.1 is used.',
    ])
    const heAac = { ...palConfig(0), 'audio-stream': HE_AAC }
    expect(await warned(heAac)).toEqual([
      'This host has no encoder for he-aac-v1 (libfdk_aac); aac-lc is used.',
    ])
    const [rate] = await warned(palWith({ 'video-stream': { bitrate: 9000, 'vbv-maxrate': 9000 } }))
    expect(rate).toContain('video is encoded with that instead of 9000 kbit/s')
    expect(await warned(palConfig(5))).toEqual([
      'Card 5: Its driver is not loaded. The encoder will not start.',
    ])
    expect(await warned(palConfig(7))).toEqual([
      'Card 7: this host has no such source. The encoder will not start.',
    ])
  })

  test('a host that never answered gives no warnings', async () => {
    const site = await openSiteOn(kind)
    const body = {
      title: 'Nowhere',
      ip: '127.0.0.1',
      port: 4001,
      groupId: site.north,
      apiKey: FAKE_KEY,
    }
    const { answer } = await site.call('admin', addEncoder, { body })
    const saved = await save(site, answer.id, { ...palConfig(9), 'audio-stream': HE_AAC })
    expect([saved.status, saved.answer.warnings]).toEqual([200, []])
  })

  test('Q68 a card that is taken names its encoder to those who may know', async () => {
    const site = await openSiteOn(kind)
    const first = await addTestEncoder(site, 0)
    const { port } = site.encoderHost
    const body = { title: 'Second', ip: '127.0.0.1', port, groupId: site.north }
    const { id } = (await site.call('admin', addEncoder, { body })).answer
    const config = palConfig(0, 'udp://127.0.0.1:5100?ttl=1')
    const known = await refusedUnchanged(site, { _id: id, config }, 'northManager')
    const at = `Card 0 of host 127.0.0.1:${port} is used by`
    expect([known.status, known.failure.field, known.failure.error]).toEqual([
      409,
      'config.card-idx',
      `${at} encoder 'Camera 0' already. Choose another card index.`,
    ])
    await site.call('admin', updateEncoder, { body: { _id: id, groupId: site.south } })
    const foreign = await refusedUnchanged(site, { _id: id, config }, 'southManager')
    expect(foreign.failure.error).toBe(
      `${at} another group's encoder already. Choose another card index.`,
    )
    const users = [site.people.northEditor.id]
    await site.call('admin', updateEncoder, { body: { _id: id, groupId: site.north, users } })
    await site.call('admin', updateEncoder, { body: { _id: first.id, users: [] } })
    const unassigned = await refusedUnchanged(site, { _id: id, config }, 'northEditor')
    expect(unassigned.failure.error).toBe(
      `${at} an encoder that is not assigned to you already. Choose another card index.`,
    )
  })

  test('Q68 an encoder does not move to a host where its card is taken', async () => {
    const site = await openSiteOn(kind)
    await addTestEncoder(site, 0)
    const body = {
      title: 'Second',
      ip: '127.0.0.1',
      port: 4001,
      groupId: site.north,
      apiKey: FAKE_KEY,
    }
    const { id } = (await site.call('admin', addEncoder, { body })).answer
    await save(site, id, palConfig(0, 'udp://127.0.0.1:5100?ttl=1'))
    const moved = await refusedUnchanged(site, { _id: id, port: site.encoderHost.port })
    expect([moved.status, moved.failure.field]).toEqual([409, 'ip'])
    expect(moved.failure.error).toContain("encoder 'Camera 0' already")
  })
})

describe.each(BOTH_DATABASES)('at once on %s', (kind) => {
  test('decisions 16: an old version is answered with the current object and each field that differs', async () => {
    const site = await openSiteOn(kind)
    const { id, version } = await addTestEncoder(site, 0)
    await save(site, id, palWith({ 'video-stream': { bitrate: 1200 }, muxer: { 'ts-id': 7 } }))
    const mine = palWith({ 'video-stream': { keyint: 50 }, muxer: { 'pmt-period': 100 } })
    const { status, failure } = await refusedUnchanged(site, { _id: id, version, config: mine })
    expect(status).toBe(409)
    expect(failure.changed).toEqual([
      'config.video-stream.bitrate',
      'config.video-stream.keyint',
      'config.muxer.ts-id',
    ])
    expect(failure.current).toMatchObject({
      version: version + 1,
      config: { 'video-stream': { bitrate: 1200, keyint: 24 }, muxer: { 'ts-id': 7 } },
    })
  })

  test('F13 two operators who save at once without a version are both taken, one after the other', async () => {
    const site = await openSiteOn(kind)
    const { id, version } = await addTestEncoder(site, 0)
    const answers = await Promise.all([
      site.call('admin', updateEncoder, { body: { _id: id, title: 'Other title' } }),
      site.call('northManager', updateEncoder, { body: { _id: id, location: 'Hall 2' } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { data } = (await site.call('admin', findEncoder, { params: { id } })).answer
    expect(data).toMatchObject({
      title: 'Other title',
      location: 'Hall 2',
      version: version + 2,
    })
  })

  test('F13 of two operators with one version the second gets what the first saved', async () => {
    const site = await openSiteOn(kind)
    const { id, version } = await addTestEncoder(site, 0)
    const rates = [1100, 1200]
    const answers = await Promise.all(
      rates.map(async (bitrate) =>
        site.call('admin', updateEncoder, {
          body: { _id: id, version, config: palWith({ 'video-stream': { bitrate } }) },
        }),
      ),
    )
    const taken = answers.findIndex(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const { failure } = answers[1 - taken] ?? {}
    expect(failure?.changed).toEqual(['config.video-stream.bitrate'])
    expect(failure?.current).toMatchObject({
      config: { 'video-stream': { bitrate: rates[taken] } },
    })
  })

  test('ROLE-11 O an editor who is unassigned while saving saves nothing', async () => {
    const site = await openSiteOn(kind)
    const { id } = await addTestEncoder(site, 0)
    const { ctx } = site
    // Between the look before the transaction and the one inside it.
    const transaction = ctx.db.transaction.bind(ctx.db)
    let isTakenOff = false
    ctx.db.transaction = () => {
      const builder = transaction()
      const execute = builder.execute.bind(builder)
      builder.execute = async (work) =>
        execute(async (trx) => {
          if (!isTakenOff) await encoderStore.setUsers(trx, id, [])
          isTakenOff = true
          return work(trx)
        })
      return builder
    }
    onTestFinished(() => void (ctx.db.transaction = transaction))
    const refused = await save(
      site,
      id,
      palWith({ 'video-stream': { bitrate: 700 } }),
      'northEditor',
    )
    expect([isTakenOff, refused.status]).toEqual([true, 404])
    const { data } = (await site.call('admin', findEncoder, { params: { id } })).answer
    expect(data.config?.['video-stream'].bitrate).toBe(1500)
  })
})
