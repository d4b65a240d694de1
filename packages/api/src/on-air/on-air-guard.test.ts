import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { restartStream } from '@trunkline/contract/channels/channel.calls'
import {
  contributionAction,
  updateTitle,
} from '@trunkline/contract/contributions/contribution.calls'
import {
  readInput,
  removeInputs,
  setInputsStatus,
  updateInput,
} from '@trunkline/contract/contributions/input.calls'
import {
  readOutput,
  removeOutput,
  updateOutput,
} from '@trunkline/contract/contributions/output.calls'
import {
  controlEncoder,
  findEncoder,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { removeFeeder, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { listEvents } from '@trunkline/contract/events/event.calls'
import { askOnAir, putOnAir, takeOffAir } from '@trunkline/contract/on-air/on-air.calls'
import {
  ON_AIR_OVERRIDE_HEADER,
  ON_AIR_TITLES_HEADER,
  titlesHeader,
} from '@trunkline/contract/on-air/on-air.rules'
import type { OnAirKind } from '@trunkline/contract/on-air/on-air.schema'
import { updateServer } from '@trunkline/contract/servers/server.calls'
import { expect, test } from 'vitest'
import { addPath } from '../paths/path-site.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import type { TestSite } from '../testing/test-site.ts'

function confirming(...titles: string[]) {
  return { [ON_AIR_TITLES_HEADER]: titlesHeader(titles) }
}

async function put(site: TestSite, who: PersonName, kind: OnAirKind, id: string) {
  const { status, text } = await site.call(who, putOnAir, { params: { kind, id }, body: {} })
  expect(text).toContain('"isOnAir":true')
  expect(status).toBe(200)
}

/** As the record of activity has them. */
async function interruptions(site: TestSite) {
  const { answer } = await site.call('admin', listAudit, { query: {} })
  return answer.data.filter(({ call }) => call === 'onAir.interrupt')
}

test.each(BOTH_DATABASES)(
  'what is before a channel on air is interrupted only by who types its title, on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { encoderId, feederId, inputId, channelId } = await addPath(site)
    await put(site, 'northManager', 'channel', channelId)
    const stop = { body: { data: { name: 'encoder0', command: 'stop' as const } } }
    const start = { body: { data: { name: 'encoder0', command: 'start' as const } } }
    const params = { id: encoderId }

    const started = await site.call('northEditor', controlEncoder, { params, ...start })
    expect(started.status).toBe(200)
    const refused = await site.call('northEditor', controlEncoder, { params, ...stop })
    expect([refused.status, refused.failure.code]).toEqual([409, 'on_air'])
    expect(refused.failure.error).toContain("'Live', which is on air")
    expect(refused.failure.onAir).toEqual({
      effects: [{ kind: 'channel', id: channelId, title: 'Live', effect: 'dark' }],
      more: 0,
      hidden: 0,
      mayOverride: false,
    })
    const ask = async (who: PersonName, body: object) => {
      const asked = { call: controlEncoder.name, params, body }
      return (await site.call(who, askOnAir, { body: asked })).answer.data
    }
    expect(await ask('northEditor', stop.body)).toEqual(refused.failure.onAir)
    expect(await ask('northEditor', start.body)).toBeNull()
    // What would be refused for another reason.
    expect(await ask('southManager', stop.body)).toBeNull()
    expect(await ask('northEditor', { data: { command: 'explode' } })).toBeNull()
    const both = { call: 'unknown', others: [{ call: controlEncoder.name, params, ...stop }] }
    expect((await site.call('northEditor', askOnAir, { body: both })).answer.data).toEqual(
      refused.failure.onAir,
    )
    expect(site.ctx.board.program(`encoder-${encoderId}`)?.state).toBe('running')

    const feeder = { params: { encoderId, feederName: feederId } }
    expect((await site.call('northManager', removeFeeder, feeder)).status).toBe(409)
    const bulk = { body: { contriNames: [inputId] } }
    expect((await site.call('northManager', removeInputs, bulk)).failure.code).toBe('on_air')
    const wrong = { params, ...stop, headers: confirming('Life') }
    expect((await site.call('northEditor', controlEncoder, wrong)).status).toBe(409)
    const named = { params, ...stop, headers: confirming(' Live ') }
    expect((await site.call('northEditor', controlEncoder, named)).status).toBe(200)
    // Nothing is lost by the stop of what is down.
    expect((await site.call('northEditor', controlEncoder, { params, ...stop })).status).toBe(200)

    expect(await interruptions(site)).toMatchObject([
      {
        actor: { fullName: 'Test northEditor' },
        object: { kind: 'channel', title: 'Live' },
        reason: 'encoders.control while on air, after typing its title',
      },
    ])
    const query = { kind: 'channel' as const, id: channelId }
    const timeline = await site.call('admin', listEvents, { query })
    expect(timeline.answer.data.map(({ call }) => call)).toContain('onAir.interrupt')
  },
)

test('a name, a description or the same settings once more change nothing on air', async () => {
  const site = await openSiteOn('SQLite')
  const { encoderId, inputId, channelId } = await addPath(site)
  await put(site, 'admin', 'channel', channelId)
  const record = { _id: encoderId, title: 'Camera left', description: 'By the door' }
  expect((await site.call('northManager', updateEncoder, { body: record })).status).toBe(200)
  const moved = { _id: encoderId, port: 8123 }
  expect((await site.call('admin', updateEncoder, { body: moved })).failure.code).toBe('on_air')
  const rename = { inputId, title: 'Feed B', type: 'input' as const }
  expect((await site.call('northManager', updateTitle, { body: rename })).status).toBe(200)

  const params = { id: inputId }
  const { data } = (await site.call('northManager', readInput, { params })).answer
  const { title, inputType, serverId, groupId, config, encryption, advanced } = data
  const body = { title, inputType, serverId, groupId, config, encryption, advanced }
  const same = { params, body: { ...body, title: 'Feed C' } }
  expect((await site.call('northManager', updateInput, same)).status).toBe(200)
  const slower = { params, body: { ...body, config: { ...config, latency: 900 } } }
  expect((await site.call('northManager', updateInput, slower)).failure.code).toBe('on_air')
  const off = { body: { names: [inputId], isDisable: true } }
  // It has never run, so nothing stops by disabling it.
  expect((await site.call('northManager', setInputsStatus, off)).status).toBe(200)
})

test('what is behind an encoder on air is cut off from it, and a channel of its own is its own', async () => {
  const site = await openSiteOn('SQLite')
  const { encoderId, channelId, toChannel } = await addPath(site)
  await put(site, 'northEditor', 'encoder', encoderId)
  const params = { id: toChannel }
  const cut = await site.call('northManager', removeOutput, { params })
  expect(cut.failure.onAir?.effects).toEqual([
    { kind: 'encoder', id: encoderId, title: 'Camera 0', effect: 'cut' },
  ])
  const stream = { serverId: site.channelServerId, streamName: 'live' }
  const restart = await site.call('northManager', restartStream, { body: stream })
  expect(restart.failure.onAir?.effects[0]?.id).toBe(encoderId)
  await put(site, 'northManager', 'channel', channelId)
  const both = await site.call('northManager', removeOutput, { params })
  expect(both.failure.onAir?.effects.map(({ effect }) => effect)).toEqual(['dark', 'cut'])
  const half = { params, headers: confirming('Live') }
  expect((await site.call('northManager', removeOutput, half)).status).toBe(409)
  const all = { params, headers: confirming('Live', 'Camera 0') }
  expect((await site.call('northManager', removeOutput, all)).status).toBe(200)
  expect((await site.call('admin', readOutput, { params })).status).toBe(404)
})

test('an admin goes on without a title, nobody else does', async () => {
  const site = await openSiteOn('SQLite')
  const { channelId, inputId } = await addPath(site)
  await put(site, 'admin', 'channel', channelId)
  const start = { id: inputId, type: 1 as const, actionType: 'start' as const }
  expect((await site.call('northManager', contributionAction, { body: start })).status).toBe(200)
  const body = { ...start, actionType: 'restart' as const }
  const headers = { [ON_AIR_OVERRIDE_HEADER]: 'yes' }
  const manager = await site.call('northManager', contributionAction, { body, headers })
  expect([manager.status, manager.failure.onAir?.mayOverride]).toEqual([409, false])
  const admin = await site.call('admin', contributionAction, { body })
  expect([admin.status, admin.failure.onAir?.mayOverride]).toEqual([409, true])
  expect((await site.call('admin', contributionAction, { body, headers })).status).toBe(200)
  expect((await interruptions(site)).map(({ reason }) => reason)).toEqual([
    'contributions.action while on air, without its title',
  ])
  const server = { params: { id: site.acantsId }, body: { port: 8124 } }
  expect((await site.call('admin', updateServer, server)).failure.code).toBe('on_air')
  await site.call('admin', takeOffAir, { params: { kind: 'channel', id: channelId } })
  expect((await site.call('northManager', contributionAction, { body })).status).toBe(200)
})

test('who may not see what is on air is told no title, and only an admin may go on', async () => {
  const site = await openSiteOn('SQLite')
  const { channelId, inputId, encoderId } = await addPath(site)
  await put(site, 'admin', 'channel', channelId)
  await site.ctx.db
    .updateTable('channel_groups')
    .set({ group_id: site.south })
    .where('channel_id', '=', channelId)
    .execute()
  site.ctx.notices.tell({ kind: 'channel', id: channelId, change: 'changed', groupIds: [] })
  const start = { id: inputId, type: 1 as const, actionType: 'start' as const }
  await site.call('northManager', contributionAction, { body: start })
  const body = { ...start, actionType: 'stop' as const }
  await expect
    .poll(() => site.ctx.board.streams.ofChannel(channelId)?.channel.groupIds, { timeout: 60_000 })
    .toEqual([site.south])
  const hidden = await site.call('northManager', contributionAction, {
    body,
    headers: confirming('Live'),
  })
  expect(hidden.status).toBe(409)
  expect(hidden.text).not.toContain('Live')
  expect(hidden.failure.error).toContain('in another group that is on air. Ask an admin.')
  expect(hidden.failure.onAir).toEqual({ effects: [], more: 0, hidden: 1, mayOverride: false })
  // What somebody may not see or change at all is refused as before.
  const foreign = await site.call('southManager', controlEncoder, {
    params: { id: encoderId },
    body: { data: { name: 'encoder0', command: 'stop' } },
  })
  expect(foreign.status).toBe(404)
  const admin = await site.call('admin', contributionAction, { body, headers: confirming('Live') })
  expect(admin.status).toBe(200)
})

test('titles that are not percent-encoded are refused by the name of the header', async () => {
  const site = await openSiteOn('SQLite')
  const { encoderId } = await addPath(site)
  await put(site, 'admin', 'encoder', encoderId)
  const body = { _id: encoderId, port: 8123 }
  const headers = { [ON_AIR_TITLES_HEADER]: '%zz' }
  const { status, failure } = await site.call('admin', updateEncoder, { body, headers })
  expect([status, failure.field]).toEqual([400, ON_AIR_TITLES_HEADER])
})

test('settings sent back as they were read ask nothing; those of a feeder or output that differ do', async () => {
  const site = await openSiteOn('SQLite')
  const { encoderId, feederId, channelId, toChannel } = await addPath(site)
  await put(site, 'admin', 'channel', channelId)
  const read = await site.call('admin', findEncoder, { params: { id: encoderId } })
  const { config } = read.answer.data
  const same = { _id: encoderId, config: config && { ...config, title: 'Left' } }
  expect((await site.call('northEditor', updateEncoder, { body: same })).status).toBe(200)
  const muxer = config && { ...config.muxer, 'pcr-period': 35 }
  const changed = { _id: encoderId, config: config && { ...config, ...(muxer && { muxer }) } }
  const refused = await site.call('northEditor', updateEncoder, { body: changed })
  expect(refused.failure.code).toBe('on_air')

  const feeder = config?.feeder.find(({ name }) => name === feederId)
  const saved = async (latency: number) => {
    const [target] = feeder?.output ?? []
    const output = target === undefined ? [] : [{ ...target, latency }]
    const { serverId = '', input } = feeder ?? {}
    const renamed = { ...input, title: 'to Gateway B', addr: input?.addr ?? '', port: input?.port }
    return site.call('northEditor', saveFeeder, {
      params: { product: 'acan' },
      body: { _id: encoderId, feederPost: { name: feederId, serverId, input: renamed, output } },
    })
  }
  expect((await saved(feeder?.output[0]?.latency ?? 0)).status).toBe(200)
  expect((await saved(700)).failure.code).toBe('on_air')

  const params = { id: toChannel }
  const { data } = (await site.call('admin', readOutput, { params })).answer
  const { title: _, ...rest } = data
  const echo = { params, body: { ...rest, title: 'to Channel B' } }
  expect((await site.call('northManager', updateOutput, echo)).text).toContain('to Channel B')
  const moved = { params, body: { ...rest, title: 'B', config: { ...rest.config, port: 7101 } } }
  expect((await site.call('northManager', updateOutput, moved)).failure.code).toBe('on_air')
})
