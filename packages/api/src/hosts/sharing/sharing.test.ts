/** API processes that share the hosts: who links which, what each knows, and what is asked of the other. */
import { controlEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { TransportReport } from '@trunkline/contract/fleet/transport.schema'
import type { FastifyInstance } from 'fastify'
import { expect, test, vi } from 'vitest'
import { palConfig } from '../../testing/encoder.fixture.ts'
import { inject } from '../../testing/inject.ts'
import { addTestEncoder } from '../../testing/test-site.ts'
import type { HostAddress } from '../host-address.ts'
import {
  HANGS_AFTER,
  openAnother,
  openSharedSite,
  shownBy,
  until,
  type SharedSite,
  type SharingProcess,
} from './shared-hosts.fixture.ts'

/** Two processes, of which one has the link to the host of this encoder. */
async function openTwo() {
  const shared = await openSharedSite()
  const { id } = await addTestEncoder(shared.site, 0)
  const other = await openAnother(shared)
  await linkedOnce(shared, [shared, other])
  return { ...sidesOf(shared, [shared, other]), shared, other, id, programId: `encoder-${id}` }
}

function addressOf({ site }: SharedSite) {
  return { host: '127.0.0.1', port: site.encoderHost.port }
}

/**
 * Each of these processes has it online, and one of them has the link: at once or a moment later,
 * since a process of a busy machine that misses its lease hands the link over, and has it back.
 */
async function linkedOnce(shared: SharedSite, processes: readonly SharingProcess[]): Promise<void> {
  const at = addressOf(shared)
  await until(
    () =>
      processes.every(({ ctx }) => ctx.hosts.status(at)?.online === true) &&
      processes.filter(({ ctx }) => ctx.hosts.isOwn(at)).length === 1 &&
      shared.site.encoderHost.links === 1,
  )
}

/** The process with the link to the host, and one without. */
function sidesOf(shared: SharedSite, [first, second]: readonly [SharingProcess, SharingProcess]) {
  return first.ctx.hosts.isOwn(addressOf(shared))
    ? { owner: first, reader: second }
    : { owner: second, reader: first }
}

/** The one with the link has confirmed everything anew, and the other hears of that a moment later. */
async function sameShown(at: HostAddress, first: SharingProcess, second: SharingProcess) {
  await vi.waitFor(
    () => expect(shownBy(first.ctx, at)).toEqual(shownBy(second.ctx, at)),
    HANGS_AFTER,
  )
}

/** Without the times at which each process has heard it. */
function statesShown({ ctx }: SharingProcess, at: HostAddress) {
  const { hosts, programs } = shownBy(ctx, at)
  return {
    hosts: hosts.map(({ online, cause }) => ({ online, cause })),
    programs: programs.map(({ state, wanted, cause }) => ({ state, wanted, cause })),
  }
}

async function command(
  { site }: SharedSite,
  app: FastifyInstance,
  id: string,
  name: 'start' | 'stop',
) {
  const body = { data: { name: 'encoder0', command: name } }
  const input = { params: { id }, body }
  const { status, text } = await inject(app, controlEncoder, site.people.admin.token, input)
  // It may be another second by the next command.
  return { status, text: text.replace(/uptime [0-9:]+/, 'uptime') }
}

async function saveTarget({ site }: SharedSite, app: FastifyInstance, id: string, target: string) {
  const body = { _id: id, config: palConfig(0, target) }
  const { status } = await inject(app, updateEncoder, site.people.admin.token, { body })
  expect(status).toBe(200)
}

test('decisions 44: each host is linked by one of two processes, and both show the same', async () => {
  const { shared, other, programId } = await openTwo()
  const at = addressOf(shared)
  shared.site.encoderHost.change(programId, { state: 'fatal', cause: 'No signal.' })
  for (const { hosts } of [shared.ctx, other.ctx]) {
    await until(() => hosts.report({ address: at, programId })?.cause === 'No signal.')
  }
  await sameShown(at, shared, other)
  expect(shownBy(other.ctx, at).programs).toMatchObject([{ state: 'fatal', cause: 'No signal.' }])
  await linkedOnce(shared, [shared, other])
})

test('a command at the process without the link is carried out by the other, and answered with the new state', async () => {
  const { shared, reader, id, programId } = await openTwo()
  for (const [name, state] of [
    ['start', 'running'],
    ['stop', 'stopped'],
  ] as const) {
    const { status } = await command(shared, reader.app, id, name)
    expect([status, reader.ctx.board.program(programId)?.state]).toEqual([200, state])
  }
  const commands = shared.site.encoderHost.paramsOf('controlProgram')
  expect(commands.map((each) => each.command)).toEqual(['start', 'stop'])
})

test('what a host refuses reads the same at both processes', async () => {
  const { shared, owner, reader, id, programId } = await openTwo()
  shared.site.encoderHost.refusals.set('controlProgram', 'The card is in use.')
  const here = await command(shared, owner.app, id, 'start')
  const there = await command(shared, reader.app, id, 'start')
  expect(here.text).toContain('The card is in use.')
  expect(there).toEqual(here)
  shared.site.encoderHost.refusals.set('applyProgram', 'No such card.')
  await saveTarget(shared, reader.app, id, 'udp://127.0.0.1:5100?ttl=12')
  const refusalAt = ({ ctx }: SharingProcess) => {
    const wanted = ctx.programs.wanted(programId)
    return wanted === undefined ? '' : ctx.programs.refusalOf(wanted)
  }
  expect(refusalAt(reader)).toBe('No such card.')
  await until(() => refusalAt(owner) === 'No such card.')
})

test('a save is answered once the host has it or is shown as waiting, whichever process was asked', async () => {
  const { shared, owner, reader, id, programId } = await openTwo()
  for (const [at, { app, ctx }] of [reader, owner].entries()) {
    await saveTarget(shared, app, id, `udp://127.0.0.1:${5200 + at}?ttl=12`)
    const revision = ctx.programs.wanted(programId)?.revision
    const revisions = () =>
      shared.site.encoderHost.paramsOf('applyProgram').map((params) => params.revision)
    // A busy machine takes longer than the API lets a save wait for the host.
    const isWaiting = ctx.board.program(programId)?.waitsForHost
    expect(isWaiting === true || revisions().includes(revision ?? '')).toBe(true)
    // The other process, which hears of the save later, may bring the one before it in between.
    await until(() => revisions().at(-1) === revision)
    await until(() => ctx.board.program(programId)?.waitsForHost === false)
  }
})

test('two processes do nothing to one program at the same time', async () => {
  const { shared, owner, reader, programId } = await openTwo()
  const done: string[] = []
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = reader.ctx.programs.exclusive(programId, async () => {
    begun.resolve()
    await end.promise
    done.push('reader')
  })
  await begun.promise
  const second = owner.ctx.programs.exclusive(programId, async () => {
    done.push('owner')
    return Promise.resolve()
  })
  // There and back meanwhile.
  await reader.ctx.hosts.call(addressOf(shared), 'probePort', { port: 5000 })
  expect(done).toEqual([])
  end.resolve()
  await Promise.all([first, second])
  expect(done).toEqual(['reader', 'owner'])
})

test('both API processes show an unreachable host with the same reason, and so does a command', async () => {
  const { shared, owner, reader, id } = await openTwo()
  const at = addressOf(shared)
  await shared.site.encoderHost[Symbol.asyncDispose]()
  for (const { ctx } of [owner, reader]) {
    await until(() => ctx.hosts.status(at)?.fault?.sentence.includes('refuses') === true)
  }
  await sameShown(at, owner, reader)
  const here = await command(shared, owner.app, id, 'start')
  const there = await command(shared, reader.app, id, 'start')
  expect(here.status).toBe(502)
  expect(there).toEqual(here)
})

test('a process that ends hands its hosts over, and one that comes gets its share', async () => {
  const { shared, other } = await openTwo()
  await other.end()
  await linkedOnce(shared, [shared])
  const third = await openAnother(shared)
  await linkedOnce(shared, [shared, third])
  await sameShown(addressOf(shared), shared, third)
  await linkedOnce(shared, [shared, third])
  expect(shownBy(third.ctx, addressOf(shared)).hosts).toHaveLength(1)
})

test('a process that is cut off from the database does not act on a host that another has taken over', async () => {
  const { shared, owner, reader, programId } = await openTwo()
  const at = addressOf(shared)
  const { encoderHost } = shared.site
  await owner.door.shut()
  await until(() => reader.ctx.hosts.isOwn(at))
  const before = encoderHost.paramsOf('controlProgram').length
  const asked = { programId, command: 'start' } as const
  await expect(owner.ctx.hosts.call(at, 'controlProgram', asked)).rejects.toThrow(
    /is moving to another API process/,
  )
  expect(encoderHost.paramsOf('controlProgram')).toHaveLength(before)
  // It still sees the host, and tells nothing else of it than the other.
  await until(() => reader.ctx.hosts.status(at)?.online === true)
  expect(statesShown(owner, at)).toEqual(statesShown(reader, at))
  await owner.door.open()
  await linkedOnce(shared, [owner, reader])
})

test('a transport stream that one process hears of is known to the other', async () => {
  const { shared, owner, reader, programId } = await openTwo()
  const { encoderHost } = shared.site
  const place = { address: addressOf(shared), programId }
  const tell = (report: TransportReport | null) => {
    const transports = [{ programId, report }]
    encoderHost.tell({ type: 'readings', nowMs: encoderHost.nowMs(), readings: [], transports })
  }
  // A link that moves between the two loses what was said; the agent says it anew on each link.
  const bothHave = (report: TransportReport | null) =>
    until(() => {
      tell(report)
      return [owner, reader].every(({ ctx }) => ctx.hosts.transport(place)?.state === report?.state)
    })
  await bothHave({ state: 'unread', reason: 'unicast', atMs: encoderHost.nowMs() })
  await bothHave(null)
  const asked = { programIds: [programId], forMs: 1000 }
  await reader.ctx.hosts.call(place.address, 'followTransports', asked)
  expect(encoderHost.paramsOf('followTransports')).toEqual([asked])
})
