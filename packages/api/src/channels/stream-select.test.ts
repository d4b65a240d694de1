/** Another source of a stream, chosen by hand; what a slow server means for commands. */
import {
  changeStreamStatus,
  readStreams,
  restartStream,
  selectInput,
} from '@trunkline/contract/channels/channel.calls'
import { expect, test } from 'vitest'
import { fakeStream } from '../testing/fake-media-server.ts'
import { inject } from '../testing/inject.ts'
import { publicUrl } from '../stream-servers/stream-secrets.rules.ts'
import { openChannelSite, PASSPHRASE, type ChannelSite } from './channel.fixture.ts'

const STREAM = '/streamer/api/v3/streams/live/north'
const SHOWN = 'srt://:6011?passphrase=***'

/** live/north with a main source, a standby source, and one of a form that we do not know. */
async function openSourceSite(): Promise<ChannelSite> {
  const site = await openChannelSite()
  const inputs = [
    { url: 'udp://239.1.1.1:5000', stats: { active: true } },
    { address: 'of a newer server' } as never,
    { url: `srt://:6011?passphrase=${PASSPHRASE}`, stats: { active: false } },
  ]
  site.media.streams.set('live/north', fakeStream('live/north', { inputs }))
  return site
}

const body = (site: ChannelSite, index: number, url: string) => ({
  body: { serverId: site.serverId, streamName: 'live/north', index, url },
})

function commandsAsked(site: ChannelSite): string[] {
  return site.media.requests.map(({ line }) => line).filter((line) => !line.startsWith('GET '))
}

async function auditOf(site: ChannelSite, call: string) {
  return site.ctx.db.selectFrom('audit').selectAll().where('call', '=', call).execute()
}

test('CHAN-25 the source that was shown is selected, at its index on the server', async () => {
  await using site = await openSourceSite()
  const { token } = site.people.northManager
  const { answer } = await inject(site.app, selectInput, token, body(site, 1, SHOWN))
  // Of the three inputs the second is not shown.
  expect(commandsAsked(site)).toEqual([`POST ${STREAM}/inputs/2/select`])
  expect(answer.data.stream.inputs.map(({ url, stats }) => [url, stats?.active])).toEqual([
    ['udp://239.1.1.1:5000', false],
    [SHOWN, true],
  ])
  const [line] = await auditOf(site, 'channels.selectInput')
  expect(line).toMatchObject({ result: 'done', object_id: site.north1.id, reason: 'live/north' })
  expect(JSON.stringify(line)).toContain(SHOWN)
  expect(JSON.stringify(line)).not.toContain(PASSPHRASE)
})

test.each([
  [0, SHOWN],
  [2, SHOWN],
  [1, 'udp://239.9.9.9:5000'],
])('if another source is at the index (%i %s) nothing is switched', async (index, url) => {
  await using site = await openSourceSite()
  const { token } = site.people.northManager
  const { status, failure } = await inject(site.app, selectInput, token, body(site, index, url))
  expect([status, failure.code, failure.error]).toEqual([
    409,
    'conflict',
    'The sources of this stream have changed. Check them and choose again.',
  ])
  expect(commandsAsked(site)).toEqual([])
  expect((await auditOf(site, 'channels.selectInput'))[0]?.result).toBe('failed')
})

test('a server without this call says so, a missing stream is 404', async () => {
  await using site = await openSourceSite()
  site.media.knowsSelect = false
  const { token } = site.people.northManager
  const ask = async () => inject(site.app, selectInput, token, body(site, 1, SHOWN))
  const unable = await ask()
  expect([unable.status, unable.failure.error]).toEqual([
    400,
    'This media server cannot switch sources by hand.',
  ])
  site.media.streams.delete('live/north')
  expect((await ask()).status).toBe(404)
  await site.media[Symbol.asyncDispose]()
  expect((await ask()).status).toBe(502)
})

test.each([{ index: -1 }, { index: 1.5 }, { index: 'one' }, { url: 7 }, { more: 1 }])(
  'a choice is refused, and changes nothing: %j',
  async (wrong) => {
    await using site = await openSourceSite()
    const asked = { ...body(site, 1, SHOWN).body, ...wrong }
    const { status } = await inject(site.app, selectInput, site.people.admin.token, {
      body: asked as { serverId: string; streamName: string; index: number; url: string },
    })
    expect(status).toBe(400)
    expect(commandsAsked(site)).toEqual([])
  },
)

test('a command does not wait for a slow read, and answers the known state', async () => {
  await using site = await openSourceSite()
  const { token } = site.people.admin
  const { serverId, media } = site
  const { promise: listed, resolve: letList } = Promise.withResolvers<void>()
  let isListOpen = false
  const openAtCommand: boolean[] = []
  // Only the list is slow.
  media.answer = (request, response) => {
    if (request.url?.includes('/streams?')) {
      isListOpen = true
      response.on('close', () => (isListOpen = false))
      void listed.then(() => response.end(JSON.stringify({ streams: [] })))
      return
    }
    if (request.method !== 'GET') openAtCommand.push(isListOpen)
    response.end(JSON.stringify(fakeStream('live/north', { disabled: request.method === 'PUT' })))
  }
  const list = inject(site.app, readStreams, token, { query: { serverId } })
  await media.asked(/\/streams\?/)
  const where = { serverId, streamName: 'live/north' }
  const done = await inject(site.app, changeStreamStatus, token, {
    body: { ...where, data: { disabled: true } },
  })
  expect([done.status, done.answer.data.stream.disabled]).toEqual([200, true])
  // By then the list may have been given up: a machine may be slow, too.
  expect(openAtCommand).toEqual([true])
  expect((await inject(site.app, restartStream, token, { body: where })).status).toBe(200)
  letList()
  await list
})

test('CHAN-28 two pushes switched at once are both switched', async () => {
  await using site = await openChannelSite()
  const { media, serverId } = site
  const where = { serverId, streamName: 'live/north' }
  const urls = ['srt://far.example:7000?passphrase=***&latency=300', 'udp://239.1.1.1:5000']
  const answers = await Promise.all(
    urls.map(async (url) =>
      inject(site.app, changeStreamStatus, site.people.northManager.token, {
        body: { ...where, data: { pushes: [{ url, disabled: true }] } },
      }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const pushes = media.streams.get('live/north')?.pushes ?? []
  expect(pushes.map((push) => push.disabled)).toEqual([true, true, true])
})

test('CHAN-28 a push that somebody else has switched since the list was read is not switched back', async () => {
  await using site = await openChannelSite()
  const { media, serverId } = site
  const ask = async (disabled: boolean[], pushIndex: number) => {
    const shown = media.streams.get('live/north')?.pushes ?? []
    const pushes = shown.map(({ url }, at) => ({
      url: publicUrl(url),
      disabled: disabled[at] === true,
    }))
    return inject(site.app, changeStreamStatus, site.people.northManager.token, {
      body: { serverId, streamName: 'live/north', data: { pushes }, pushIndex },
    })
  }
  // Both have seen that the second is off, and switch another one off.
  expect((await ask([true, true, false], 0)).status).toBe(200)
  expect((await ask([false, true, true], 2)).status).toBe(200)
  const pushes = media.streams.get('live/north')?.pushes ?? []
  expect(pushes.map((push) => push.disabled)).toEqual([true, true, true])
  const { status, failure } = await ask([], 3)
  expect([status, failure.field]).toEqual([400, 'pushIndex'])
  const lines = await auditOf(site, 'channels.changeStatus')
  // As the list stood afterwards, not as the second one had seen it.
  expect(lines.some(({ after }) => after?.match(/"disabled":true/g)?.length === 3)).toBe(true)
})

test.each([
  [{ disabled: true }, 'the stream is on'],
  [
    { pushes: [{ url: 'udp://239.1.1.1:5000', disabled: true }] },
    'the push output udp://239.1.1.1:5000 is on',
  ],
])('API-36 a server that accepts a change and shows something else: %j', async (data, unmet) => {
  await using site = await openChannelSite()
  const stream = JSON.stringify(site.media.streams.get('live/north'))
  // It accepts every change, and stays as it is.
  site.media.answer = (_, response) => response.end(stream)
  const { status, failure } = await inject(
    site.app,
    changeStreamStatus,
    site.people.northManager.token,
    { body: { serverId: site.serverId, streamName: 'live/north', data } },
  )
  expect([status, failure.error]).toEqual([
    409,
    `Origin accepted the change, but now reports that ${unmet}. It may have been changed on the server: check it, then try again.`,
  ])
  expect((await auditOf(site, 'channels.changeStatus'))[0]?.result).toBe('failed')
})

test('API-36 Q130 a list without pushes changes none', async () => {
  await using site = await openChannelSite()
  const before = site.media.streams
    .get('live/north')
    ?.pushes?.map(({ url, disabled }) => [url, disabled])
  const { status } = await inject(site.app, changeStreamStatus, site.people.northManager.token, {
    body: { serverId: site.serverId, streamName: 'live/north', data: { pushes: [] } },
  })
  expect(status).toBe(200)
  const after = site.media.streams
    .get('live/north')
    ?.pushes?.map(({ url, disabled }) => [url, disabled])
  expect(after).toEqual(before)
})

test('a server that was found silent a moment ago is not waited for', async () => {
  await using site = await openChannelSite()
  const { streams } = site.ctx.board
  await streams.silent(site.serverId, { kind: 'timeout', sentence: 'The host x does not answer.' })
  const query = { serverId: site.serverId, streamName: 'live/north' }
  const read = async () => inject(site.app, readStreams, site.people.admin.token, { query })
  const asked = site.media.requests.length
  expect([(await read()).status, (await read()).failure.error]).toEqual([
    504,
    'The host x does not answer.',
  ])
  expect(site.media.requests).toHaveLength(asked)
  site.advance(10_001)
  expect((await read()).status).toBe(200)
})
