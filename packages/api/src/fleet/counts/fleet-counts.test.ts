import { movingSince } from '../../testing/fake-host.ts'
import {
  PROGRAM_KINDS,
  type FleetCounts as Counts,
  type ProgramKind,
  type ProgramStatus,
} from '@trunkline/contract/fleet/fleet.schema'
import { FIRST_HELLO_MS } from '@trunkline/contract/fleet/first-answer.rules'
import { isShown, noFamilies } from '@trunkline/contract/fleet/show.rules'
import { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { familyOfProgram } from '@trunkline/contract/fleet/counted-family.rules'
import {
  FAMILIES,
  needsAttention,
  PROOF_WITHIN_MS,
  viewOfEncoder,
  viewOfLink,
  type Family,
} from '@trunkline/contract/fleet/state-view.rules'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Actor } from '../../security/actor.ts'
import { actorOf, CountedFleet, recordOf } from './counted-fleet.fixture.ts'
import { maySeeProgram } from '../scope.rules.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const ADMIN = actorOf('admin', [])
const PEOPLE: readonly Actor[] = [
  ADMIN,
  actorOf('manager', ['north', 'south']),
  actorOf('manager', []),
  actorOf('monitor', ['south']),
  actorOf('editor', ['north'], 'ann'),
  actorOf('editor', [], 'bob'),
]
const GROUPS = ['', 'north', 'south', 'none']
const IDS = ['a', 'b'] as const

/** Everything once more, as the console judged it when it held the whole fleet. */
function recount(fleet: CountedFleet, actor: Actor, kind: ProgramKind, group: string): Counts {
  const freshness = { nowMs: Date.now(), isLoaded: true, brokenSinceMs: null }
  const seen = fleet.things(kind).flatMap(({ id, wanted, record }) => {
    const groupId = wanted?.groupId ?? record?.groupIds[0] ?? ''
    const editorIds = wanted?.editorIds ?? record?.editorIds ?? []
    if (!maySeeProgram(actor, { kind, groupId, editorIds })) return []
    if (group !== '' && groupId !== group) return []
    const status = wanted === null ? null : fleet.statusOf(wanted.programId)
    const known = { isEnabled: wanted?.isEnabled ?? true, status, freshness }
    const view =
      kind === 'encoder'
        ? viewOfEncoder({ ...known, isConfigured: wanted !== null })
        : viewOfLink({ ...known, kind, inputType: null })
    return [{ id, family: view.family }]
  })
  const families = noFamilies()
  for (const { family } of seen) families[family] += 1
  const worst = seen
    .filter(({ family }) => needsAttention(family))
    .toSorted((a, b) => FAMILIES.indexOf(a.family) - FAMILIES.indexOf(b.family))
  return { kind, group, families, total: seen.length, worst: worst.map(({ id }) => id) }
}

/** Of programs only: servers and streams have tests of their own. */
function recountAll(fleet: CountedFleet, actor: Actor): Record<Family, number> {
  const freshness = { nowMs: Date.now(), isLoaded: true, brokenSinceMs: null }
  const families = noFamilies()
  for (const wanted of fleet.wantedById.values()) {
    if (!maySeeProgram(actor, wanted)) continue
    families[familyOfProgram(fleet.statusOf(wanted.programId), freshness)] += 1
  }
  return families
}

const kind = fc.constantFrom(...PROGRAM_KINDS)
const id = fc.constantFrom(...IDS)
const audience = fc.record({
  groupId: fc.constantFrom('north', 'south'),
  editorIds: fc.subarray(['ann', 'bob']),
})
const state = fc.record({
  state: fc.constantFrom<ProgramStatus['state'][]>(
    ...(['running', 'starting', 'stopping', 'stopped', 'fatal', 'unreachable', 'absent'] as const),
  ),
  wanted: fc.constantFrom<ProgramStatus['wanted'][]>('running', 'stopped'),
  agoMs: fc.nat(2 * PROOF_WITHIN_MS),
  media: fc.constantFrom('moving' as const, 'waiting' as const, 'silent' as const, null),
  kbps: fc.nat(1),
})

const step = fc.oneof(
  fc.record({
    do: fc.constant('want' as const),
    kind,
    id,
    audience,
    isEnabled: fc.boolean(),
    host: fc.constantFrom('one', 'two'),
  }),
  fc.record({ do: fc.constant('unwant' as const), kind, id }),
  fc.record({ do: fc.constant('observe' as const), kind, id, state }),
  fc.record({ do: fc.constant('record' as const), id, audience }),
  fc.record({ do: fc.constant('forget' as const), id }),
  fc.record({
    do: fc.constant('link' as const),
    host: fc.constantFrom('one', 'two'),
    isOnline: fc.boolean(),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.nat(PROOF_WITHIN_MS) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function take(fleet: CountedFleet, next: Step): void {
  switch (next.do) {
    case 'want': {
      const address = { host: next.host, port: 1 }
      fleet.want(next.kind, next.id, { ...next.audience, isEnabled: next.isEnabled, address })
      return
    }
    case 'unwant':
      fleet.want(next.kind, next.id, null)
      return
    case 'observe':
      observe(fleet, next.kind, next.id, next.state)
      return
    case 'record': {
      const { groupId, editorIds } = next.audience
      const createdAtMs = IDS.indexOf(next.id)
      const record = { ...recordOf('encoder', next.id, [groupId]), editorIds, createdAtMs }
      fleet.record('encoder', next.id, record)
      return
    }
    case 'forget':
      fleet.record('encoder', next.id, null)
      return
    case 'link':
      fleet.link(next.host, next.isOnline)
      return
    case 'wait':
      vi.advanceTimersByTime(next.ms)
  }
}

function observe(
  fleet: CountedFleet,
  kind: ProgramKind,
  id: string,
  { state, wanted, agoMs, media, kbps }: StateDraw,
): void {
  const sinceMs = Date.now() - agoMs
  const counts = { packets: 0, lostPackets: 0, retransmittedPackets: 0, droppedPackets: 0 }
  const link = { kind: 'link', protocol: 'srt', direction: 'receive', rttMs: 1 } as const
  fleet.observe(kind, id, {
    state,
    wanted,
    sinceMs,
    startedAtMs: sinceMs,
    peer: '',
    observed: media && { ...movingSince(sinceMs), media },
    reading: { ...link, ...counts, atMs: sinceMs, bitrateKbps: kbps },
  })
}
type StateDraw = typeof state extends fc.Arbitrary<infer T> ? T : never

describe('counts by state', () => {
  test('ROLE-09 after any sequence of events equal a full recount, for every person and group', () => {
    const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const fleet = new CountedFleet()
      using counts = fleet.counts
      for (const next of steps) take(fleet, next)
      for (const actor of PEOPLE) {
        for (const group of GROUPS) {
          for (const each of PROGRAM_KINDS) {
            const [own, full] = [counts.of(actor, each, group), recount(fleet, actor, each, group)]
            expect({ ...own, worst: own.worst.toSorted() }).toEqual({
              ...full,
              worst: full.worst.toSorted(),
            })
          }
        }
        expect(counts.of(actor, 'all', '').families).toEqual(recountAll(fleet, actor))
      }
    })
    fc.assert(property, { numRuns: 300 })
  })

  test('the worst come first, then those that were created first', () => {
    const fleet = new CountedFleet()
    const states = ['fatal', 'running', 'unreachable', 'fatal'] as const
    for (const [at, state] of states.entries()) {
      fleet.want('encoder', `e${at}`, { createdAtMs: 100 - at })
      fleet.observe('encoder', `e${at}`, { state })
    }
    expect(fleet.counts.of(ADMIN, 'encoder', '').worst).toEqual(['e3', 'e0', 'e2'])
    const page = fleet.counts.page(ADMIN, 'encoder', {
      show: 'attention',
      group: 'north',
      offset: 1,
      count: 5,
    })
    expect(page).toEqual({ ids: ['e0', 'e2'], total: 3 })
    expect(fleet.counts.pick('encoder', ['e2', 'e1', 'e3', 'gone'], 'attention')).toEqual([
      'e3',
      'e2',
    ])
    expect(fleet.counts.ofIds('encoder', ['e1', 'e2']).families).toMatchObject({
      ok: 1,
      blind: 1,
    })
  })

  test('what is asked for and does not come turns without an event, and is reported', () => {
    const fleet = new CountedFleet()
    fleet.want('encoder', 'a', {})
    fleet.observe('encoder', 'a', { state: 'starting', sinceMs: Date.now() })
    expect(fleet.counts.of(ADMIN, 'encoder', '').families).toMatchObject({ move: 1, bad: 0 })
    vi.advanceTimersByTime(1)
    const onChange = vi.fn<() => void>()
    fleet.counts.listen(onChange)
    vi.advanceTimersByTime(PROOF_WITHIN_MS - 2)
    expect(onChange).not.toHaveBeenCalled()
    vi.advanceTimersByTime(2000)
    expect(onChange).toHaveBeenCalledOnce()
    expect(fleet.counts.of(ADMIN, 'encoder', '').families).toMatchObject({ move: 0, bad: 1 })
  })

  test('a burst of changes is reported once, and what changes nothing is not', () => {
    const fleet = new CountedFleet()
    const onChange = vi.fn<() => void>()
    fleet.counts.listen(onChange)
    for (const each of IDS) fleet.want('encoder', each, {})
    vi.runAllTicks()
    vi.advanceTimersByTime(1)
    expect(onChange).toHaveBeenCalledOnce()
    const before = fleet.counts.of(ADMIN, 'encoder', '')
    fleet.observe('encoder', 'a', { state: 'absent', cause: 'another sentence' })
    vi.advanceTimersByTime(1)
    expect(onChange).toHaveBeenCalledOnce()
    expect(fleet.counts.of(ADMIN, 'encoder', '')).toBe(before)
  })

  test('a host that says nothing of its media is counted by its readings', () => {
    const fleet = new CountedFleet()
    fleet.want('encoder', 'a', {})
    const since = { sinceMs: 0, startedAtMs: 0 }
    fleet.observe('encoder', 'a', { ...since, state: 'running', observed: null, reading: null })
    expect(fleet.counts.of(ADMIN, 'encoder', '').families.warn).toBe(1)
    fleet.observe('encoder', 'a', {
      observed: null,
      reading: {
        kind: 'encode',
        atMs: Date.now(),
        bitrateKbps: 7,
        framesPerSecond: 25,
        speed: 1,
        droppedFrames: 0,
        duplicatedFrames: 0,
      },
    })
    expect(fleet.counts.of(ADMIN, 'encoder', '').families.ok).toBe(1)
  })
})

describe('the tally of everything', () => {
  const server = recordOf('server', 's', ['north', 'south'])
  const all = (fleet: CountedFleet, actor: Actor) => fleet.counts.of(actor, 'all', '')

  test('counts a server once for somebody of several of its groups, and no host of an encoder', () => {
    const fleet = new CountedFleet()
    fleet.record('server', 's', server)
    fleet.record('encoder', 'e', recordOf('encoder', 'e', ['north']))
    fleet.host(recordOf('encoder', 'e', ['north']), { online: true })
    expect(all(fleet, ADMIN)).toMatchObject({ total: 1, families: { blind: 1 }, worst: [] })
    fleet.host(server, { online: true })
    expect(all(fleet, actorOf('manager', ['north', 'south'])).families).toMatchObject({ ok: 1 })
    expect(all(fleet, actorOf('editor', ['south'], 'ann')).total).toBe(1)
    expect(all(fleet, actorOf('monitor', ['east'])).total).toBe(0)
    fleet.record('server', 's', null)
    expect(all(fleet, ADMIN).total).toBe(0)
  })

  test('a media server counts as it answers', () => {
    const fleet = new CountedFleet()
    const media = { ...server, answerer: 'media server' as const }
    fleet.record('server', 's', media)
    fleet.host(media, { online: true })
    expect(all(fleet, ADMIN).families.ok).toBe(1)
    fleet.host(media, { online: false })
    expect(all(fleet, ADMIN).families.blind).toBe(1)
  })

  test('a wrong key is broken for those who may read why, and silent for the others', () => {
    const fleet = new CountedFleet()
    fleet.record('server', 's', server)
    fleet.host(server, { online: false, fault: 'wrong-key' })
    expect(all(fleet, ADMIN).families).toMatchObject({ bad: 1, blind: 0 })
    expect(all(fleet, actorOf('manager', ['north'])).families).toMatchObject({ bad: 0, blind: 1 })
  })

  test('a channel that is starting is no trouble, until it has taken too long', async () => {
    const fleet = new CountedFleet()
    const channel = { id: 'c', serverId: 's', name: 'demo', groupIds: ['south'] }
    const stats = { alive: false, since: Date.now() }
    const stream = { ...StreamDetail.parse({ name: 'demo' }), stats }
    const status = { serverId: 's', streamName: 'demo', stream, readAtMs: 1, cause: '' }
    fleet.stream('s', 'demo', { channel, status })
    expect(all(fleet, ADMIN).families).toMatchObject({ move: 1, bad: 0 })
    await vi.advanceTimersByTimeAsync(PROOF_WITHIN_MS + 1)
    expect(all(fleet, ADMIN).families).toMatchObject({ move: 0, bad: 1 })
  })

  test('CHAN-11 a channel is being read while its server had no time to answer, then unreachable', async () => {
    const fleet = new CountedFleet()
    const channel = { id: 'c', serverId: 's', name: 'demo', groupIds: ['south'] }
    const cause = 'The server does not answer.'
    const status = { serverId: 's', streamName: 'demo', stream: null, readAtMs: null, cause }
    fleet.serverAnswers.set('s', {
      online: false,
      sinceMs: Date.now(),
      heardAtMs: null,
      askedAtMs: Date.now(),
      requiresToken: false,
      fault: { kind: 'refused', sentence: cause },
    })
    fleet.stream('s', 'demo', { channel, status })
    expect(all(fleet, ADMIN).families).toMatchObject({ move: 1, blind: 0 })
    await vi.advanceTimersByTimeAsync(FIRST_HELLO_MS)
    expect(all(fleet, ADMIN).families).toMatchObject({ move: 0, blind: 1 })
  })

  test('streams count by their own groups', () => {
    const fleet = new CountedFleet()
    const channel = { id: 'c', serverId: 's', name: 'demo', groupIds: ['south'] }
    const status = { serverId: 's', streamName: 'demo', stream: null, readAtMs: null, cause: '' }
    fleet.stream('s', 'demo', { channel, status })
    expect(all(fleet, actorOf('monitor', ['south'])).families.blind).toBe(1)
    expect(all(fleet, actorOf('monitor', ['north'])).total).toBe(0)
    const findings = [{ kind: 'black', since: 1 }]
    const stream = StreamDetail.parse({ name: 'demo', stats: { alive: true, findings } })
    fleet.stream('s', 'demo', { channel, status: { ...status, stream } })
    expect(all(fleet, ADMIN).families).toMatchObject({ warn: 1, ok: 0 })
    fleet.stream('s', 'demo', null)
    expect(all(fleet, ADMIN).total).toBe(0)
  })
})

test('a state is shown in the page of exactly one choice', () => {
  const fleet = new CountedFleet()
  fleet.want('input', 'a', { isEnabled: false })
  const shows = ['attention', 'well', 'off'] as const
  const [found] = shows.filter((show) => isShown(show, 'off'))
  const shown = { group: '', offset: 0, count: 10 }
  expect(
    shows.filter((show) => fleet.counts.page(ADMIN, 'input', { show, ...shown }).total === 1),
  ).toEqual([found])
  expect(
    fleet.counts.page(actorOf('monitor', ['north']), 'input', { show: 'off', ...shown }),
  ).toEqual({ ids: [], total: 0 })
})

test('W7 a program that is new is looked at once, though its scope and its record are new too', () => {
  const fleet = new CountedFleet()
  const look = vi.spyOn(fleet.board, 'look')
  fleet.want('encoder', 'a', {})
  fleet.record('encoder', 'a', recordOf('encoder', 'a', ['north']))
  expect(look).toHaveBeenCalledTimes(1)
  expect(fleet.counts.of(ADMIN, 'encoder', '').total).toBe(1)
})

test('DASH-02 what is shown by its state stands in the order of creation', () => {
  const fleet = new CountedFleet()
  fleet.want('input', 'a', { createdAtMs: 2 })
  fleet.want('input', 'b', { createdAtMs: 1 })
  const shown = { show: 'attention', group: '', offset: 0, count: 9 } as const
  expect(fleet.counts.page(ADMIN, 'input', shown).ids).toEqual(['b', 'a'])
})
