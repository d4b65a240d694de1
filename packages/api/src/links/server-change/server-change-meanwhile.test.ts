/** API-58: what other operators do to an input, or to its servers, while it moves. */
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { removeInput, setInputsStatus } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import { removeServer } from '@trunkline/contract/servers/server.calls'
import { expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../testing/site-on.ts'
import {
  addAcants,
  addFeed,
  addRunningFeed,
  all,
  move,
  openMoveSite,
  pidsOf,
  programIdsOf,
  statesOf,
  type Feed,
  type Moved,
  type MoveSite,
} from './server-change.fixture.ts'

interface Meanwhile {
  there: MoveSite
  feed: Feed
  /** Lets the copies run, and answers how the move ended. */
  finish: () => Promise<Moved>
}

/** An input whose copy is about to run on the new server. */
async function moving(kind: (typeof BOTH_DATABASES)[number], outputs: number): Promise<Meanwhile> {
  const there = await openMoveSite(kind)
  const feed = await addRunningFeed(there, 6000, outputs)
  there.newHost.startsAs = 'starting'
  const answer = move(there, [feed.id])
  await there.newHost.asked('applyProgram')
  there.newHost.startsAs = 'running'
  const finish = async () => {
    there.newHost.change(`input-${feed.id}`, { state: 'running' })
    return answer
  }
  return { there, feed, finish }
}

async function copiesOf({ site }: MoveSite): Promise<unknown[]> {
  return site.ctx.db.selectFrom('program_copies').selectAll().execute()
}

const CHANGED =
  'Another operator has just changed Feed 6000 or its outputs. It stays on Server acants. Check it, then try again.'

for (const kind of BOTH_DATABASES) {
  test(`CON-IN-38 on ${kind}: a second move at the same time is refused, and starts nothing`, async () => {
    const { there, feed, finish } = await moving(kind, 1)
    const { newHost, oldHost, site } = there
    const third = await addAcants(site, 19_998, [site.north], 'third.invalid')
    const asked = newHost.calls.length
    for (const newServerId of [there.newServerId, third]) {
      const { status, failure } = await move(there, [feed.name], { newServerId }, 'admin')
      expect([status, failure.error]).toEqual([
        409,
        'Feed 6000 is being moved already. Wait until that is done, then try again.',
      ])
    }
    const calls = newHost.calls.slice(asked).map(({ call }) => call)
    expect(calls.filter((call) => call !== 'probePort')).toEqual([])
    expect((await finish()).answer.moved).toEqual([feed.name])
    expect([statesOf(oldHost), statesOf(newHost)]).toEqual([{}, all(feed, 'running')])
    expect(await copiesOf(there)).toEqual([])
  })

  test(`API-58 on ${kind}: an input that is removed while it moves leaves nothing on either server`, async () => {
    const { there, feed, finish } = await moving(kind, 0)
    const removed = await there.site.call('admin', removeInput, { params: { id: feed.id } })
    expect(removed.status).toBe(200)
    const { status, failure } = await finish()
    expect([status, failure.error]).toEqual([
      409,
      'Another operator has just removed Feed 6000. There is nothing left to move.',
    ])
    await expect.poll(() => [statesOf(there.oldHost), statesOf(there.newHost)]).toEqual([{}, {}])
    expect(await copiesOf(there)).toEqual([])
    expect(await there.site.ctx.db.selectFrom('port_claims').selectAll().execute()).toEqual([])
  })

  test(`API-58 on ${kind}: an output that is added while it moves keeps it where it is, untouched`, async () => {
    const { there, feed, finish } = await moving(kind, 1)
    const pids = pidsOf(there.oldHost)
    const added = await there.site.call('admin', addOutput, {
      body: {
        title: 'Late',
        inputType: 'SRT',
        contributionId: feed.id,
        config: { mode: 'Push', host: '192.0.2.9', port: 7100 },
      },
    })
    const { status, failure } = await finish()
    expect([status, failure.error]).toEqual([409, CHANGED])
    expect(statesOf(there.oldHost)).toEqual({
      ...all(feed, 'running'),
      [`output-${added.answer.id}`]: 'stopped',
    })
    expect(pidsOf(there.oldHost).slice(0, pids.length)).toEqual(pids)
    await expect.poll(() => statesOf(there.newHost)).toEqual({})
  })
}

test('CON-IN-38 an input that is stopped while it moves is stopped on the new server, and removed from the old one', async () => {
  const { there, feed, finish } = await moving('SQLite', 1)
  const [outputId = ''] = feed.outputIds
  await there.site.call('admin', contributionAction, {
    body: { id: outputId, type: 2, actionType: 'stop' },
  })
  expect((await finish()).answer.moved).toEqual([feed.name])
  await expect
    .poll(() => statesOf(there.newHost))
    .toEqual({ [`input-${feed.id}`]: 'running', [`output-${outputId}`]: 'stopped' })
  expect(statesOf(there.oldHost)).toEqual({})
})

test('CON-IN-38 an input that is started while it moves was not tried there, and is not moved', async () => {
  const there = await openMoveSite('SQLite')
  const { site, oldHost, newHost } = there
  const feed = await addFeed(site, 6000, 1)
  const act = async (id: string, type: 1 | 2) =>
    site.call('admin', contributionAction, { body: { id, type, actionType: 'start' } })
  await act(feed.id, 1)
  newHost.startsAs = 'starting'
  const answer = move(there, [feed.id])
  await newHost.asked('applyProgram')
  await act(feed.outputIds[0] ?? '', 2)
  const pids = pidsOf(oldHost)
  newHost.change(`input-${feed.id}`, { state: 'running' })
  expect((await answer).failure.error).toBe(CHANGED)
  expect([statesOf(oldHost), pidsOf(oldHost)]).toEqual([all(feed, 'running'), pids])
  await expect.poll(() => statesOf(newHost)).toEqual({})
})

test('an input that is disabled while it moves runs nowhere', async () => {
  const { there, feed, finish } = await moving('SQLite', 0)
  await there.site.call('admin', setInputsStatus, {
    body: { names: [feed.name], isDisable: true },
  })
  expect((await finish()).failure.error).toBe(CHANGED)
  await expect.poll(() => [statesOf(there.oldHost), statesOf(there.newHost)]).toEqual([{}, {}])
})

test('CON-IN-38 an output that fails on the new server keeps its input on the old one: the copy of the input is removed', async () => {
  const { there, feed, finish } = await moving('SQLite', 1)
  const { oldHost, newHost } = there
  const pids = pidsOf(oldHost)
  newHost.startsAs = 'starting'
  const answer = finish()
  await newHost.asked('applyProgram', 2)
  const cause = 'The destination is refused.'
  newHost.change(`output-${feed.outputIds[0]}`, { state: 'backoff', cause })
  const { status, failure } = await answer
  expect([status, failure.error]).toEqual([
    502,
    `Feed 6000 could not be started on Gateway B: ${cause} It stays on Server acants.`,
  ])
  expect([statesOf(oldHost), pidsOf(oldHost)]).toEqual([all(feed, 'running'), pids])
  await expect.poll(() => statesOf(newHost)).toEqual({})
})

test('Q144 a server that is removed takes its kept definitions with it', async () => {
  const there = await openMoveSite('SQLite')
  const { site, oldHost, newHost } = there
  const feed = await addRunningFeed(there, 6000, 1)
  await move(there, [feed.id], { keepOrDelete: '0' })
  expect(Object.keys(statesOf(oldHost))).toEqual(programIdsOf(feed))
  const removed = await site.call('admin', removeServer, { params: { id: site.acantsId } })
  expect(removed.status).toBe(200)
  await expect.poll(() => statesOf(oldHost)).toEqual({})
  expect(await site.ctx.db.selectFrom('kept_programs').selectAll().execute()).toEqual([])
  expect(statesOf(newHost)).toEqual(all(feed, 'running'))
})

test.each(BOTH_DATABASES)(
  'Q144 on %s: a program left on an unreachable server that is then removed is ended once the server is back',
  async (kind) => {
    const there = await openMoveSite(kind)
    const { site, oldHost, newHost } = there
    const feed = await addRunningFeed(there, 6000, 1)
    const { key } = oldHost
    oldHost.key = 'another-key-0001'
    oldHost.cut()
    await oldHost.unlinked()
    const address = { host: '127.0.0.1', port: oldHost.port }
    await expect.poll(() => site.ctx.hosts.status(address)?.online).toBe(false)
    await move(there, [feed.id], { keepOrDelete: '0' })
    await site.call('admin', removeServer, { params: { id: site.acantsId } })
    expect(await site.ctx.db.selectFrom('kept_programs').selectAll().execute()).toEqual([])
    expect(statesOf(oldHost)).toEqual(all(feed, 'running'))
    oldHost.key = key
    await expect.poll(() => statesOf(oldHost)).toEqual({})
    expect(statesOf(newHost)).toEqual(all(feed, 'running'))
    await expect.poll(() => site.ctx.hosts.status(address)).toBe(null)
  },
)
