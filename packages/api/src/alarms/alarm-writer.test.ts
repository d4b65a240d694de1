/** One cause, one alarm: what a cut trunk causes is counted under it, whichever is seen first. */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import type { ObjectKey } from '../fleet/object-key.ts'
import type { Context } from '../context.ts'
import { BOTH_DATABASES, openContextOn } from '../testing/site-on.ts'
import { AlarmCauses } from './alarm-causes.service.ts'
import { AlarmWriter, type Order } from './alarm-writer.service.ts'
import * as alarmStore from './alarm.store.ts'
import type { StoredAlarm } from './alarm.store.ts'

const TRUNK: ObjectKey = { kind: 'server', id: 'trunk' }
const LINKS = Array.from({ length: 300 }, (_, at): ObjectKey => ({ kind: 'input', id: `l${at}` }))

async function openWriter(kind: (typeof BOTH_DATABASES)[number]) {
  const opened = await openContextOn(kind)
  const { ctx } = opened
  return { ...(await writerOn(ctx)), advance: (ms: number) => opened.advance(ms) }
}

async function writerOn(ctx: Context, endLimitMs = 60_000) {
  const deferred: ObjectKey[] = []
  const wellIds = new Set<string>()
  let soon: AlarmRule | null = null
  const writer = new AlarmWriter({
    ctx,
    hostsOf: ({ kind }) => (kind === 'input' ? [TRUNK] : []),
    soon: (key) => (key === 'server trunk' && soon !== null ? { rule: soon, sentence: '' } : null),
    isOwn: () => true,
    isWell: ({ id }) => wellIds.has(id),
    onWritten: () => undefined,
    onFailed: () => undefined,
    onDeferred: (object) => deferred.push(object),
    onChanged: () => undefined,
    endLimitMs,
  })
  onTestFinished(async () => writer[Symbol.asyncDispose]())
  await writer.open()
  const say = (act: Order['act'], rule: AlarmRule, objects: readonly ObjectKey[]) => {
    for (const object of objects) {
      if (act === 'clear') writer.order({ act, object })
      else writer.order({ act, object, finding: { rule, sentence: '' }, sinceMs: 0 })
    }
  }
  const order = async (...args: Parameters<typeof say>) => {
    say(...args)
    await writer.written()
  }
  const roots = () => [...ctx.alarms.all()].filter(({ causedBy }) => causedBy === null)
  return {
    ctx,
    writer,
    say,
    order,
    roots,
    deferred,
    wellIds,
    setSoon: (rule: AlarmRule | null) => (soon = rule),
  }
}

function causesOn(ctx: Context) {
  return new AlarmCauses({
    ctx,
    hostsOf: ({ kind }) => (kind === 'input' ? [TRUNK] : []),
    soon: () => null,
    isOwn: () => true,
    isWell: () => false,
    onDeferred: () => undefined,
    ending: new AbortController().signal,
  })
}

test.each(BOTH_DATABASES)(
  'a cut trunk with 300 links downstream raises one alarm, clears one and counts 300, on %s',
  async (kind) => {
    const { ctx, writer, order, roots, advance } = await openWriter(kind)
    await order('raise', 'host-unreachable', [...LINKS, TRUNK])
    const [trunk] = roots()
    expect(roots()).toMatchObject([{ ...TRUNK, mostConsequences: 300 }])
    await order('clear', 'host-unreachable', [TRUNK])
    expect(roots()).toEqual([])
    await order('clear', 'host-unreachable', LINKS.slice(1))
    expect(roots()).toEqual([])
    // What stays although its cause is gone is a cause of its own.
    advance(60_000)
    writer.recheck(false)
    await writer.written()
    expect(roots()).toMatchObject([LINKS[0]])
    const [stored] = await alarmStore.readThese(ctx.db, [trunk?.alarmId ?? ''])
    expect(stored).toMatchObject({ mostConsequences: 300 })
    expect(stored?.clearedAtMs).not.toBeNull()
  },
)

test.each(BOTH_DATABASES)(
  'a thousand alarms are written some at a time, the first cause before its consequences, on %s',
  async (kind) => {
    const { ctx, order } = await openWriter(kind)
    const links = Array.from({ length: 1000 }, (_, at): ObjectKey => ({
      kind: 'input',
      id: `${at}`,
    }))
    const sizes: number[] = []
    const begin = ctx.db.transaction.bind(ctx.db)
    const transaction = vi.spyOn(ctx.db, 'transaction').mockImplementation(() => {
      sizes.push(ctx.alarms.size)
      return begin()
    })
    await order('raise', 'no-media', links.slice(0, 100))
    await order('raise', 'host-unreachable', [...links.slice(100), TRUNK])
    await order('clear', 'no-media', links)
    transaction.mockRestore()
    // What a transaction has written is known before the next one begins.
    expect(sizes).toEqual([0, 100, 300, 500, 700, 900, 1001, 801, 601, 401, 201])
    expect([...ctx.alarms.all()]).toMatchObject([{ ...TRUNK, mostConsequences: 1000 }])
  },
)

test.each(BOTH_DATABASES)(
  'at the end some of very many alarms are written, and the next start raises the others, on %s',
  async (kind) => {
    const { ctx } = await openContextOn(kind)
    const links = Array.from({ length: 3000 }, (_, at): ObjectKey => ({
      kind: 'input',
      id: `${at}`,
    }))
    const ended = await writerOn(ctx, 0)
    ended.say('raise', 'host-unreachable', [...links, TRUNK])
    await ended.writer[Symbol.asyncDispose]()
    const written = [...ctx.alarms.all()].map(({ alarmId }) => alarmId)
    expect(written.length).toBeLessThan(links.length)
    for (const alarmId of written) ctx.alarms.remove(alarmId)
    const next = await writerOn(ctx)
    // What is open is known, and is not ordered again.
    const isOpen = new Set([...ctx.alarms.all()].map(({ id }) => id))
    expect(isOpen.size).toBe(written.length)
    const beganMs = ctx.clock()
    await next.order(
      'raise',
      'host-unreachable',
      [...links, TRUNK].filter(({ id }) => !isOpen.has(id)),
    )
    expect(next.roots()).toMatchObject([{ ...TRUNK, mostConsequences: 3000 }])
    const early = [...ctx.alarms.all()].filter(({ raisedAtMs }) => raisedAtMs < beganMs)
    expect(early.map(({ alarmId }) => alarmId).toSorted()).toEqual(written.toSorted())
  },
)

test.each(BOTH_DATABASES)(
  'at the end what is not very much is written whole, on %s',
  async (kind) => {
    const { ctx } = await openContextOn(kind)
    const ended = await writerOn(ctx)
    ended.say('raise', 'host-unreachable', [...LINKS, TRUNK])
    await ended.writer[Symbol.asyncDispose]()
    expect(ended.roots()).toMatchObject([{ ...TRUNK, mostConsequences: 300 }])
  },
)

test.each(BOTH_DATABASES)(
  'links that are raised first are caused by the trunk as soon as it is raised, on %s',
  async (kind) => {
    const { order, roots } = await openWriter(kind)
    await order('raise', 'no-media', LINKS)
    expect(roots()).toHaveLength(300)
    await order('raise', 'host-unreachable', [TRUNK])
    expect(roots()).toMatchObject([{ ...TRUNK, mostConsequences: 300 }])
  },
)

test('a link waits for a trunk that is about to be raised, but not for long', async () => {
  const { order, roots, deferred, setSoon, advance } = await openWriter('SQLite')
  setSoon('host-unreachable')
  const link = LINKS.slice(0, 1)
  await order('raise', 'no-media', link)
  expect([roots(), deferred]).toEqual([[], link])
  advance(3000)
  await order('raise', 'no-media', link)
  expect(roots()).toMatchObject(link)
})

test('a recovered link whose alarm is held open is not a cause of its own after its trunk', async () => {
  const { writer, order, roots, wellIds, advance } = await openWriter('SQLite')
  const [well, bad] = [LINKS.slice(0, 1), LINKS.slice(1, 2)]
  await order('raise', 'host-unreachable', [...well, ...bad, TRUNK])
  await order('clear', 'host-unreachable', [TRUNK])
  for (const { id } of well) wellIds.add(id)
  for (let at = 0; at < 2; at += 1) {
    advance(60_000)
    writer.recheck(false)
    await writer.written()
    expect(roots()).toMatchObject(bad)
  }
  wellIds.clear()
  writer.recheck(false)
  await writer.written()
  expect(roots()).toHaveLength(2)
})

test('links whose alarms are read before that of their trunk are not looked at for ever', async () => {
  const { ctx, order, roots, advance } = await openWriter('SQLite')
  await order('raise', 'host-unreachable', [...LINKS, TRUNK])
  const [trunk] = roots()
  const links = [...ctx.alarms.all()].filter(({ kind }) => kind === 'input')
  for (const { alarmId } of ctx.alarms.all()) ctx.alarms.remove(alarmId)
  const causes = causesOn(ctx)
  const read = (alarms: readonly StoredAlarm[]) => {
    for (const alarm of alarms) {
      ctx.alarms.put(alarm)
      causes.noteOpen(alarm, undefined)
    }
  }
  read(links)
  if (trunk !== undefined) read([trunk])
  await causes.assignCauses()
  advance(60_000)
  expect(causes.recheck(false)).toBe(false)
  expect(roots()).toMatchObject([TRUNK])
})
