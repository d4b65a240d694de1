import {
  changeStreamStatus,
  readStreams,
  restartStream,
} from '@trunkline/contract/channels/channel.calls'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { expect, test } from 'vitest'
import type { BoardEvent } from '../fleet/board.ts'
import { fakeStream } from '../testing/fake-media-server.ts'
import { inject } from '../testing/inject.ts'
import { expected, NOT_EDITORS, statusByPerson } from '../testing/role-walk/roles-table.ts'
import {
  addMediaServer,
  openChannelSite,
  PASSPHRASE,
  SHOWN_PUSH,
  type ChannelSite,
} from './channel.fixture.ts'

const MANAGERS = { ...NOT_EDITORS, southManager: 404, loneManager: 404 }
const API = '/streamer/api/v3'

/** What the media server was asked to do, its questions left out. */
function changesAsked(site: ChannelSite): string[] {
  return site.media.requests.map(({ line }) => line).filter((line) => !line.startsWith('GET '))
}

async function auditOf(site: ChannelSite, call: string) {
  return site.ctx.db.selectFrom('audit').selectAll().where('call', '=', call).execute()
}

test('API-38 CHAN-05 matrix AH: a monitor reads the stream of a channel of North, without its secrets', async () => {
  await using site = await openChannelSite()
  const query = { serverId: site.serverId, streamName: 'live/north' }
  const { token } = site.people.northMonitor
  const { answer } = await inject(site.app, readStreams, token, { query })
  expect(answer.streams).toBeUndefined()
  expect(answer.streamDetail).toEqual({
    ...fakeStream('live/north'),
    inputs: [{ url: 'srt://:6010?passphrase=***', stats: { active: true } }],
    pushes: [
      { url: SHOWN_PUSH, disabled: false, stats: { status: 'running', bytes: 7 } },
      { url: 'rtmp://tube.example/live2/***', disabled: true, stats: {} },
      { url: 'udp://239.1.1.1:5000', stats: { status: 'running' } },
    ],
  })
})

test('T3 Sync shows a manager all streams of a shared server except channels of other groups', async () => {
  await using site = await openChannelSite()
  const seen = async (token: string) => {
    const query = { serverId: site.serverId }
    const { answer } = await inject(site.app, readStreams, token, { query })
    const names = answer.streams?.streams.map((stream) => stream.name).join(' ')
    return [names, answer.streams?.estimated_count]
  }
  const { admin, northManager, southManager } = site.people
  expect(await seen(admin.token)).toEqual(['live/north south shared free', 4])
  expect(await seen(northManager.token)).toEqual(['live/north shared free', 3])
  expect(await seen(southManager.token)).toEqual(['south shared free', 3])
})

test('an unsaved stream is for manager level; foreign and unknown streams get the same answer', async () => {
  await using site = await openChannelSite()
  const ask = async (token: string, streamName: string, serverId = site.serverId) => {
    const { status, text } = await inject(site.app, readStreams, token, {
      query: { serverId, streamName },
    })
    return [status, status === 200 ? '' : text]
  }
  const { admin, northManager, northEditor, loneManager } = site.people
  expect((await ask(admin.token, 'free'))[0]).toBe(200)
  expect((await ask(northManager.token, 'free'))[0]).toBe(200)
  for (const { token } of [northManager, northEditor]) {
    expect(await ask(token, 'south')).toEqual(await ask(token, 'nothing'))
    expect((await ask(token, 'south'))[0]).toBe(404)
  }
  expect(await ask(northEditor.token, 'free')).toEqual(await ask(northEditor.token, 'nothing'))
  const elsewhere = await ask(loneManager.token, 'south', 'nowhere')
  expect(await ask(loneManager.token, 'south')).toEqual(elsewhere)
  expect(await ask(loneManager.token, 'free')).toEqual(elsewhere)
})

test('a stream that is fresh on the board is answered from there, an older one is read', async () => {
  await using site = await openChannelSite()
  const { streams } = site.ctx.board
  const { serverId } = site
  streams.setChannels([{ id: site.north1.id, serverId, name: 'live/north', groupIds: [] }])
  await streams.answered(serverId, [fakeStream('live/north', { title: 'From the board' })])
  const read = async () => {
    const { answer } = await inject(site.app, readStreams, site.people.northEditor.token, {
      query: { serverId, streamName: 'live/north' },
    })
    return answer.streamDetail?.title
  }
  expect(await read()).toBe('From the board')
  site.advance(3001)
  expect(await read()).toBe('live/north')
  // And so everybody has it.
  expect(streams.find(serverId, 'live/north')?.stream?.title).toBe('live/north')
  // What was fresh and is gone is asked for, too.
  await streams.answered(serverId, [])
  expect(await read()).toBe('live/north')
})

test('API-36 CHAN-20 matrix AI AK: who switches a channel of North', async () => {
  await using site = await openChannelSite()
  const statuses = await statusByPerson(site.app, site.people, changeStreamStatus, () => ({
    body: { serverId: site.serverId, streamName: 'live/north', data: { disabled: true } },
  }))
  expect(statuses).toEqual(expected(200, MANAGERS))
  expect(changesAsked(site)).toEqual(Array(3).fill(`PUT ${API}/streams/live/north`))
})

test('API-37 CHAN-18 matrix AJ: who restarts a channel of North', async () => {
  await using site = await openChannelSite()
  const statuses = await statusByPerson(site.app, site.people, restartStream, () => ({
    body: { serverId: site.serverId, streamName: 'live/north' },
  }))
  expect(statuses).toEqual(expected(200, MANAGERS))
  expect(changesAsked(site)).toEqual(Array(3).fill(`POST ${API}/streams/live/north/stop`))
  const done = (await auditOf(site, 'channels.restart')).filter((line) => line.result === 'done')
  expect(done.map((line) => [line.object_kind, line.object_id, line.reason])).toEqual(
    Array(3).fill(['channel', site.north1.id, 'live/north']),
  )
})

test('ERR-28 CHAN-22 below manager level the refusal has the specified words, and is noted', async () => {
  await using site = await openChannelSite()
  const { failure } = await inject(site.app, restartStream, site.people.northEditor.token, {
    body: { serverId: site.serverId, streamName: 'live/north' },
  })
  expect(failure.error).toBe('You are not authorized to perform this action!')
  expect((await auditOf(site, 'channels.restart'))[0]?.result).toBe('refused')
  expect(changesAsked(site)).toEqual([])
})

test('CHAN-28 Q122 Q130 a push is switched, the server’s own list goes back, without statistics', async () => {
  await using site = await openChannelSite()
  const { token } = site.people.northManager
  const { answer } = await inject(site.app, changeStreamStatus, token, {
    body: {
      serverId: site.serverId,
      streamName: 'live/north',
      data: {
        pushes: [
          { url: SHOWN_PUSH, disabled: true, stats: { status: 'running' } },
          { url: 'rtmp://tube.example/live2/***', disabled: false },
        ],
      },
    },
  })
  expect(site.media.requests.filter(({ line }) => line.startsWith('PUT '))).toEqual([
    {
      line: `PUT ${API}/streams/live/north`,
      body: {
        pushes: [
          {
            url: `srt://far.example:7000?passphrase=${PASSPHRASE}&latency=300`,
            disabled: true,
            retry_timeout: 5,
          },
          { url: `rtmp://tube.example/live2/${PASSPHRASE}`, disabled: false },
          { url: 'udp://239.1.1.1:5000' },
        ],
      },
      authorization: 'Bearer fake-media-key-0001',
    },
  ])
  expect(answer.data.stream.pushes.map((push) => push.disabled)).toEqual([true, false, undefined])
  const [line] = await auditOf(site, 'channels.changeStatus')
  expect(line).toMatchObject({ result: 'done', object_id: site.north1.id, reason: 'live/north' })
  expect(line?.after).toContain(SHOWN_PUSH)
  expect(JSON.stringify(line)).not.toContain(PASSPHRASE)
})

test('after a change the server is asked again at once, and every browser is notified', async () => {
  await using site = await openChannelSite()
  const { serverId } = site
  const { board } = site.ctx
  const channel = { id: site.north1.id, serverId, name: 'live/north', groupIds: [site.north] }
  board.streams.setChannels([channel])
  const events: BoardEvent[] = []
  board.listen((event) => events.push(event))
  const { answer } = await inject(site.app, changeStreamStatus, site.people.admin.token, {
    body: { serverId, streamName: 'live/north', data: { disabled: true } },
  })
  expect(answer.data.stream.disabled).toBe(true)
  const [event] = events
  expect(events).toHaveLength(1)
  expect(event).toMatchObject({ event: 'stream', channel, data: { stream: { disabled: true } } })
  expect(JSON.stringify(event)).not.toContain(PASSPHRASE)
})

test('a change that the server accepted is done, although it cannot be asked again', async () => {
  await using site = await openChannelSite()
  let gets = 0
  site.media.answer = (request, response) => {
    gets += request.method === 'GET' ? 1 : 0
    if (gets > 1) return void response.destroy()
    const stream: StreamDetail = fakeStream('live/north', { disabled: request.method === 'PUT' })
    response.end(JSON.stringify(stream))
  }
  const { status, answer } = await inject(site.app, changeStreamStatus, site.people.admin.token, {
    body: { serverId: site.serverId, streamName: 'live/north', data: { disabled: true } },
  })
  expect([status, answer.data.stream.disabled]).toEqual([200, true])
})

test('a stream that is gone is not created again by a switch (Q129)', async () => {
  await using site = await openChannelSite()
  site.media.streams.delete('live/north')
  const { token } = site.people.northManager
  const where = { serverId: site.serverId, streamName: 'live/north' }
  const answers = [
    await inject(site.app, changeStreamStatus, token, {
      body: { ...where, data: { disabled: false } },
    }),
    await inject(site.app, restartStream, token, { body: where }),
    await inject(site.app, readStreams, token, { query: where }),
  ]
  for (const { status, failure } of answers) {
    expect([status, failure.error]).toEqual([
      404,
      'There is no such stream. It may have been removed: refresh the list.',
    ])
  }
  expect(changesAsked(site)).toEqual([])
  expect((await auditOf(site, 'channels.changeStatus'))[0]?.result).toBe('failed')
})

test.each([
  ['neither', {}],
  ['both', { disabled: true, pushes: [] }],
  ['text', { disabled: 'yes' }],
  ['more', { disabled: true, inputs: [] }],
  ['a push without its switch', { pushes: [{ url: SHOWN_PUSH }] }],
  ['a push that is not there', { pushes: [{ url: 'udp://239.9.9.9:1', disabled: true }] }],
  ['one push too often', { pushes: Array(2).fill({ url: SHOWN_PUSH, disabled: true }) }],
])('API-36 a switch is refused, and changes nothing: %s', async (_why, data) => {
  await using site = await openChannelSite()
  const { status, failure } = await inject(site.app, changeStreamStatus, site.people.admin.token, {
    body: {
      serverId: site.serverId,
      streamName: 'live/north',
      data: data as { disabled: boolean },
    },
  })
  expect([status, failure.code]).toEqual([400, 'invalid'])
  expect(failure.field).toMatch(/^data/)
  expect(changesAsked(site)).toEqual([])
})

test('a server that is no media server is refused by its field', async () => {
  await using site = await openChannelSite()
  const serverId = await addMediaServer(site, 0, [site.north], { serverType: 'acants' })
  const { status, failure } = await inject(site.app, readStreams, site.people.admin.token, {
    query: { serverId },
  })
  expect([status, failure.field]).toEqual([400, 'serverId'])
})

type Answer = NonNullable<ChannelSite['media']['answer']>
const html: Answer = (_, response) => void response.end('<html>A router</html>')
const fault =
  (status: number, body: object): Answer =>
  (_, response) =>
    void response.writeHead(status).end(JSON.stringify(body))

test.each<[string, Answer, number, RegExp]>([
  ['it breaks off', (_, response) => void response.destroy(), 502, /closed the connection/],
  ['it is no media server', html, 502, /not a media server/],
  ['it answers another shape', fault(200, { stream: 1 }), 502, /not a media server/],
  ['it refuses the key', fault(401, {}), 502, /refuses the API key/],
  ['it fails', fault(500, { error: 'boom' }), 502, /HTTP status 500/],
  [
    'it refuses the change',
    fault(400, { errors: [{ title: `bad srt://h:1?passphrase=${PASSPHRASE}` }] }),
    400,
    /^Origin refuses this: bad srt:\/\/h:1\?passphrase=\*\*\*$/,
  ],
])(
  'API-36 CHAN-21 an error of a media server is a sentence: %s',
  async (_why, wrong, status, sentence) => {
    await using site = await openChannelSite()
    site.media.answer = wrong
    const where = { serverId: site.serverId, streamName: 'live/north' }
    const { admin, northManager } = site.people
    const change = { body: { ...where, data: { disabled: true } } }
    const toAdmin = await inject(site.app, changeStreamStatus, admin.token, change)
    expect([toAdmin.status, toAdmin.failure.msg]).toEqual([status, toAdmin.failure.error])
    expect(toAdmin.failure.error).toMatch(sentence)
    const toManager = await inject(site.app, restartStream, northManager.token, { body: where })
    expect(toManager.status).toBe(status)
    expect(toManager.failure.error).not.toContain(String(site.media.port))
    const lines = await auditOf(site, 'channels.changeStatus')
    expect(lines.map((line) => [line.result, line.object_id])).toEqual([['failed', site.north1.id]])
    expect(JSON.stringify(lines)).not.toContain(PASSPHRASE)
  },
)

test('a media server that is off is 502, one that is silent 504', async () => {
  await using site = await openChannelSite()
  const { token } = site.people.northMonitor
  const query = { serverId: site.serverId, streamName: 'live/north' }
  site.media.isSilent = true
  const silent = await inject(site.app, readStreams, token, { query })
  expect([silent.status, silent.failure.code, silent.failure.error]).toEqual([
    504,
    'host_timeout',
    'Origin does not answer. Ask an admin to look after it.',
  ])
  await site.media[Symbol.asyncDispose]()
  const off = await inject(site.app, readStreams, token, { query })
  expect([off.status, off.failure.code]).toEqual([502, 'host_unreachable'])
})
