import { controlEncoder, readThumbnail } from '@trunkline/contract/encoders/encoder.calls'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import type { FakeHost } from '../../testing/fake-host.ts'
import type { PersonName } from '../../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'
import { Thumbnails } from './thumbnail.service.ts'

const JPEG = '/9j/AAAA'
const OTHER_JPEG = '/9j/BBBB'
/** Every read asks. */
const AT_ONCE = { pictureMs: 0, againMs: 0, failedMs: 0 }

let site: TestSite
let host: FakeHost
let id: string
beforeEach(async () => {
  site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  host = site.encoderHost
  id = (await addTestEncoder(site, 0)).id
})

async function command(name: 'start' | 'stop' | 'restart') {
  const body = { data: { name: 'encoder0', command: name } }
  await site.call('admin', controlEncoder, { params: { id }, body })
}

async function look(after = 0, who: PersonName = 'admin') {
  return site.call(who, readThumbnail, { params: { id }, query: { after } })
}

function questions(): number {
  return host.paramsOf('readThumbnail').length
}

/** One that asks at every read, and what an admin gets from it. */
async function eagerly() {
  const thumbnails = new Thumbnails(site.ctx, AT_ONCE)
  const actor = {
    id: site.people.admin.id,
    email: '',
    fullName: '',
    role: 'admin',
    groupIds: [],
    sessionId: '',
    ip: '',
  } as const
  return async (after = 0) => (await thumbnails.read(actor, id, after)).data
}

test('the picture of a running encoder, and only a newer one', async () => {
  const takenAtMs = Date.now()
  host.thumbnail = { jpegBase64: JPEG, takenAtMs }
  await command('start')
  const { answer } = await look()
  expect(answer.data?.jpegBase64).toBe(JPEG)
  const shownAtMs = answer.data?.takenAtMs ?? 0
  expect((await look(shownAtMs)).answer.data).toBeNull()
  expect((await look(shownAtMs - 1)).answer.data?.jpegBase64).toBe(JPEG)
})

test('fifty browsers at once cause a single request to the host', async () => {
  host.thumbnail = { jpegBase64: JPEG, takenAtMs: Date.now() }
  await command('start')
  const answers = await Promise.all(Array.from({ length: 50 }, async () => look()))
  expect(answers.filter(({ answer }) => answer.data?.jpegBase64 === JPEG)).toHaveLength(50)
  expect(questions()).toBe(1)
})

test('browsers that request while a host is answering share its answer', async () => {
  await command('start')
  host.silentOn.add('readThumbnail')
  site.pollFast()
  site.pollFast()
  const answers = Promise.all(Array.from({ length: 10 }, async () => look()))
  await host.asked('readThumbnail')
  expect((await answers).map(({ status, answer }) => [status, answer.data])).toEqual(
    Array.from({ length: 10 }, () => [200, null]),
  )
  expect(questions()).toBe(1)
})

test('a host is asked for what is newer than the last picture', async () => {
  host.thumbnail = { jpegBase64: JPEG, takenAtMs: 1_000_000 }
  await command('start')
  const read = await eagerly()
  expect((await read())?.jpegBase64).toBe(JPEG)
  host.thumbnail = { jpegBase64: OTHER_JPEG, takenAtMs: 1_004_000 }
  expect((await read())?.jpegBase64).toBe(OTHER_JPEG)
  expect((await read())?.jpegBase64).toBe(OTHER_JPEG)
  const asked = host.paramsOf('readThumbnail').map(({ newerThanMs }) => newerThanMs)
  expect(asked).toEqual([0, 1_000_000, 1_004_000])
})

test('an encoder that does not run has no picture, and its host is not asked', async () => {
  host.thumbnail = { jpegBase64: JPEG, takenAtMs: Date.now() }
  expect((await look()).answer).toEqual({ status: true, data: null })
  await command('start')
  expect((await look()).answer.data).not.toBeNull()
  await command('stop')
  expect((await look()).answer.data).toBeNull()
  host.change(`encoder-${id}`, { state: 'fatal', wanted: 'running' })
  expect((await look()).answer.data).toBeNull()
  expect(questions()).toBe(1)
})

test('after a restart the picture of the earlier process is not served', async () => {
  host.thumbnail = { jpegBase64: JPEG, takenAtMs: Date.now() }
  await command('start')
  expect((await look()).answer.data?.jpegBase64).toBe(JPEG)
  await command('restart')
  host.thumbnail = null
  expect((await look()).answer.data).toBeNull()
  expect(questions()).toBe(2)
})

test('an unreachable host has no picture, which is not an error', async () => {
  host.thumbnail = { jpegBase64: JPEG, takenAtMs: Date.now() }
  await command('start')
  const gone = Promise.withResolvers<void>()
  site.ctx.board.listen((event) => {
    if (event.event === 'host' && !event.data.online) gone.resolve()
  })
  await host[Symbol.asyncDispose]()
  await gone.promise
  const { status, answer } = await look()
  expect([status, answer]).toEqual([200, { status: true, data: null }])
})

/** The beginning of one, up to its frame header. */
function jpegOf(widthPixels: number, heightPixels: number): string {
  const frame = Buffer.alloc(17)
  frame.writeUInt16BE(0xffc2, 0)
  frame.writeUInt16BE(heightPixels, 5)
  frame.writeUInt16BE(widthPixels, 7)
  const tables = Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 4, 0xff, 0xc4])
  return Buffer.concat([tables, frame]).toString('base64')
}

test('a picture of the usual size is shown', async () => {
  await command('start')
  host.thumbnail = { jpegBase64: jpegOf(320, 180), takenAtMs: Date.now() }
  expect((await look()).answer.data?.jpegBase64).toBe(jpegOf(320, 180))
})

test.each([
  ['sends no JPEG', { jpegBase64: 'PHN2Zz4=', takenAtMs: 5 }],
  ['sends no Base64', { jpegBase64: `${JPEG}" onload="`, takenAtMs: 5 }],
  ['sends far too much', { jpegBase64: JPEG + 'A'.repeat(200_000), takenAtMs: 5 }],
  ['sends one of 65,535 pixels', { jpegBase64: jpegOf(65_535, 65_535), takenAtMs: 5 }],
  ['knows no time', { jpegBase64: JPEG, takenAtMs: 'now' as unknown as number }],
])('a host that %s gives no picture', async (_, picture) => {
  await command('start')
  host.thumbnail = picture
  const { status, answer } = await look()
  expect([status, answer]).toEqual([200, { status: true, data: null }])
  expect(questions()).toBe(1)
})

test('a host that refuses to show a picture has none', async () => {
  await command('start')
  host.refusals.set('readThumbnail', 'No.')
  const { status, answer } = await look()
  expect([status, answer]).toEqual([200, { status: true, data: null }])
})

test('F11 times use our clock, and are never in the future', async () => {
  const back = Promise.withResolvers<void>()
  site.ctx.board.listen((event) => {
    if (event.event === 'host' && event.data.id === id && event.data.online) back.resolve()
  })
  host.setClockAhead(3_600_000)
  host.cut()
  await back.promise
  await command('start')
  const read = await eagerly()
  const hostTakenAtMs = host.nowMs() - 5000
  host.thumbnail = { jpegBase64: JPEG, takenAtMs: hostTakenAtMs }
  const offsetMs = site.ctx.hosts.clockOffsetMs({ host: '127.0.0.1', port: host.port })
  expect(offsetMs).toBeLessThan(-3_000_000)
  expect((await read())?.takenAtMs).toBe(hostTakenAtMs + offsetMs)
  host.thumbnail = { jpegBase64: OTHER_JPEG, takenAtMs: host.nowMs() + 900_000 }
  const future = await read()
  expect(future?.jpegBase64).toBe(OTHER_JPEG)
  expect(future?.takenAtMs).toBeLessThanOrEqual(site.ctx.clock())
})

test('reading a picture leaves nothing in the database', async () => {
  host.thumbnail = { jpegBase64: JPEG, takenAtMs: Date.now() }
  await command('start')
  const lines = async () => (await site.ctx.db.selectFrom('audit').selectAll().execute()).length
  const before = [await databaseContent(site.ctx), await lines()]
  expect((await look(0, 'northMonitor')).answer.data?.jpegBase64).toBe(JPEG)
  expect([await databaseContent(site.ctx), await lines()]).toEqual(before)
})

test('ROLE-11 F a role that may not see the encoder sees no picture of it', async () => {
  host.thumbnail = { jpegBase64: JPEG, takenAtMs: Date.now() }
  await command('start')
  for (const who of ['southManager', 'southEditor', 'southMonitor'] as const) {
    expect((await look(0, who)).status).toBe(404)
  }
  expect(questions()).toBe(0)
})

test.each(['-1', 'soon', '1e400'])('API-73 after=%s is refused by name', async (after) => {
  const query = { after: after as unknown as number }
  const { status, failure } = await site.call('admin', readThumbnail, { params: { id }, query })
  expect([status, failure.field]).toEqual([400, 'after'])
})
