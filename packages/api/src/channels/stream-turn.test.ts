/** Commands to one stream from several API processes at once. */
import { changeStreamStatus } from '@trunkline/contract/channels/channel.calls'
import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import type { Context } from '../context.ts'
import { openDatabase, type Connection } from '../db/open.ts'
import type { Database } from '../db/schema.ts'
import { createPostgresDatabase, describeOnBothDatabases } from '../testing/databases.ts'
import type { FakeAnswer } from '../testing/fake-media-server.ts'
import { inject } from '../testing/inject.ts'
import { makeTestContext } from '../testing/test-context.ts'
import { openChannelSite, SHOWN_PUSH, type ChannelSite } from './channel.fixture.ts'
import { inTurn, TURN_PACE, type TurnPace } from './stream-turn.service.ts'
import * as streamTurnStore from './stream-turn.store.ts'

const TURNS = 'stream_turns' satisfies keyof Database
const STREAM = { serverId: 's1', streamName: 'live/north' }
const AT = '2026-11-22T10:00:00.000Z'
const LATER = '2026-11-22T10:00:20.000Z'
const turnOf = (turnId: string, until = LATER) => ({ ...STREAM, turnId, until })

describeOnBothDatabases('Turns', (open) => {
  test('one operator at a time has the turn of a stream, and each stream has its own', async () => {
    const db = await open()
    const taken = await Promise.all(
      ['a', 'b', 'c'].map(async (id) => streamTurnStore.take(db, turnOf(id), AT)),
    )
    expect(taken.filter((is) => is)).toHaveLength(1)
    const other = { ...turnOf('d'), streamName: 'south' }
    expect(await streamTurnStore.take(db, other, AT)).toBe(true)
  })

  test('a turn that ended is free, and only its owner ends it', async () => {
    const db = await open()
    await streamTurnStore.take(db, turnOf('a'), AT)
    await streamTurnStore.remove(db, turnOf('b'))
    expect(await streamTurnStore.take(db, turnOf('b'), AT)).toBe(false)
    await streamTurnStore.remove(db, turnOf('a'))
    expect(await streamTurnStore.take(db, turnOf('b'), AT)).toBe(true)
  })

  test('the turn of a process that has ended expires', async () => {
    const db = await open()
    await streamTurnStore.take(db, turnOf('a'), AT)
    const until = '2026-11-22T10:00:40.000Z'
    expect(await streamTurnStore.take(db, turnOf('b', until), LATER)).toBe(true)
    // Who had it comes late, and takes nothing from who has it now.
    await streamTurnStore.remove(db, turnOf('a'))
    expect(await streamTurnStore.take(db, turnOf('c'), LATER)).toBe(false)
  })
})

describe.each(['SQLite', 'PostgreSQL'] as const)('Two processes on one %s', (kind) => {
  let stack: AsyncDisposableStack
  let site: ChannelSite
  let other: Context
  let otherApp: ChannelSite['app']
  let secondLook: Promise<void>
  beforeEach(async () => {
    stack = new AsyncDisposableStack()
    const databaseUrl = kind === 'SQLite' ? null : stack.use(await createPostgresDatabase()).url
    site = stack.use(await openChannelSite({}, { databaseUrl }))
    const { secretFile } = site.ctx.config
    const parts: { db?: Connection } = {}
    if (databaseUrl === null) {
      const file = `${site.folder}/trunkline.db`
      const db = await openDatabase({ kind: 'sqlite', file })
      stack.defer(async () => db.destroy())
      parts.db = db
    }
    const opened = stack.use(await makeTestContext({ databaseUrl, secretFile }, parts))
    const watched = watchTurns(opened.ctx.db)
    secondLook = watched.secondLook
    other = { ...opened.ctx, db: watched.db }
    const app = await buildApp(other)
    stack.defer(async () => app.close())
    otherApp = app
  })
  afterEach(async () => stack.disposeAsync())

  const switchPush = async (app: ChannelSite['app'], pushIndex: number) =>
    inject(app, changeStreamStatus, site.people.northManager.token, {
      body: {
        serverId: site.serverId,
        streamName: 'live/north',
        // As both have seen the list: none of them is off but the second.
        data: {
          pushes: [
            { url: SHOWN_PUSH, disabled: pushIndex === 0 },
            { url: 'rtmp://tube.example/live2/***', disabled: true },
            { url: 'udp://239.1.1.1:5000', disabled: pushIndex === 2 },
          ],
        },
        pushIndex,
      },
    })

  test('CHAN-28 pushes that two switch at the same moment are both switched', async () => {
    const { media } = site
    const { promise: isLate, resolve: letAnswer } = Promise.withResolvers<void>()
    const late: FakeAnswer = (request, response) => {
      const stream = media.streams.get('live/north')
      // As it was when it was asked; the answer comes when the other has begun.
      const answer = JSON.stringify(stream)
      media.answer = null
      expect(request.method).toBe('GET')
      void isLate.then(() => response.end(answer))
    }
    media.answer = late
    const first = switchPush(site.app, 0)
    await media.asked(/^GET .*\/streams\/live\/north$/)
    const second = switchPush(otherApp, 2)
    // Were there no turns, it would be done before the first.
    await Promise.race([second, secondLook])
    letAnswer()
    const answers = await Promise.all([first, second])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const pushes = media.streams.get('live/north')?.pushes ?? []
    expect(pushes.map((push) => push.disabled)).toEqual([true, true, true])
    expect(await site.ctx.db.selectFrom('stream_turns').selectAll().execute()).toEqual([])
  })

  test('a change that waits too long for others is refused, and nothing is done', async () => {
    const pace: TurnPace = { ...TURN_PACE, waitMs: 20, lookAgainMs: 5 }
    const { promise: isOver, resolve: end } = Promise.withResolvers<string>()
    const begun = Promise.withResolvers<void>()
    const first = inTurn(site.ctx, STREAM, async () => {
      begun.resolve()
      return isOver
    })
    await begun.promise
    for (const ctx of [site.ctx, other]) {
      let isDone = false
      const waiting = inTurn(ctx, STREAM, async () => Promise.resolve((isDone = true)), pace)
      await expect(waiting).rejects.toThrow('Somebody else is changing this stream')
      expect(isDone).toBe(false)
    }
    end('done')
    expect(await first).toBe('done')
    expect(await inTurn(other, STREAM, async () => Promise.resolve('next'))).toBe('next')
  })

  test('a delayed process does not write once others may', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const first = inTurn(site.ctx, STREAM, async (turn) => {
      turn.assertHeld()
      begun.resolve()
      await isOver
      turn.assertHeld()
    })
    const outcome = first.catch((error: unknown) => String(error))
    await begun.promise
    site.advance(TURN_PACE.heldMs)
    end()
    expect(await outcome).toContain('This took too long, and nothing was changed')
  })
})

/** The database, and when it is asked for a turn for the second time: the first one was not to be had. */
function watchTurns(db: Connection): { db: Connection; secondLook: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let looks = 0
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      const isTurn = node.kind === 'InsertQueryNode' && node.into?.table.identifier.name === TURNS
      if (isTurn && (looks += 1) === 2) resolve()
      return node
    },
    transformResult: async ({ result }) => Promise.resolve(result),
  }
  return { db: db.withPlugin(plugin), secondLook: promise }
}
