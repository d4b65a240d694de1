import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { addEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { expect, test } from 'vitest'
import * as encoderProgramsService from '../encoders/encoder-programs.service.ts'
import { palConfig } from '../testing/encoder.fixture.ts'
import { FAKE_KEY } from '../testing/fake-host.ts'
import { openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'
import { runCommand, type CommandRequest, type LoadedProgram } from './program-command.service.ts'
import type { ProgramPlace } from './wanted-program.ts'

/** Commands an encoder; `setWanted` stands for the write of its state. */
async function command(
  { ctx, people }: TestSite,
  programId: string,
  given: Pick<CommandRequest<LoadedProgram>, 'command' | 'setWanted'>,
) {
  const { id, email, role } = people.admin
  return runCommand(ctx, {
    actor: { id, email, role, fullName: 'Admin', groupIds: [], sessionId: '', ip: '127.0.0.1' },
    call: 'encoders.control',
    object: { kind: 'encoder', id: programId },
    programId,
    load: async () => {
      const filter = { by: 'programs', programIds: [programId] } as const
      const [wanted] = await encoderProgramsService.wantedPrograms(ctx, filter)
      if (wanted === undefined) throw new Error('The encoder is not wanted.')
      return { wanted, title: 'Camera' }
    },
    ...given,
  })
}

/** Time enough for what does not wait. */
async function makeRoundTrips({ ctx }: TestSite, { address }: ProgramPlace): Promise<void> {
  for (let trips = 0; trips < 5; trips++) await ctx.hosts.call(address, 'probePort', { port: 6000 })
}

/** Resolves when other settings of the program are known. */
async function newSettings({ ctx }: TestSite, programId: string): Promise<void> {
  const before = ctx.programs.wanted(programId)?.revision
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = ctx.hosts.listen(() => {
    if (ctx.programs.wanted(programId)?.revision !== before) resolve()
  })
  await promise
  stop()
}

function placeOf(site: TestSite, programId: string): ProgramPlace {
  return { address: { host: '127.0.0.1', port: site.encoderHost.port }, programId }
}

async function writeRunning({ ctx }: TestSite, id: string): Promise<void> {
  const running = { wanted_running: 1 } as const
  await ctx.db.updateTable('encoders').set(running).where('id', '=', id).execute()
}

test('a command and a save of one program never cross', async () => {
  const site = await openSiteOn('PostgreSQL')
  const { id } = await addTestEncoder(site, 0)
  const programId = `encoder-${id}`
  const save = async () => site.ctx.programs.refresh({ by: 'encoder', id })
  const started = command(site, programId, {
    command: 'start',
    setWanted: async () => {
      // The save is written before the command is: the host must not be stopped by it.
      await Promise.resolve()
      await writeRunning(site, id)
      return true
    },
  })
  await Promise.all([started, save(), save()])
  expect(site.encoderHost.programs.get(programId)?.state).toBe('running')
  expect(site.encoderHost.paramsOf('controlProgram').map((asked) => asked.command)).toEqual([
    'start',
  ])
})

test('a save waits until the command before it is written down', async () => {
  const site = await openSiteOn('PostgreSQL')
  const { id } = await addTestEncoder(site, 0)
  const programId = `encoder-${id}`
  const applied = () => site.encoderHost.paramsOf('applyProgram').length
  let saving: ReturnType<typeof site.call> | undefined
  await command(site, programId, {
    command: 'stop',
    setWanted: async () => {
      const before = applied()
      const body = { _id: id, config: palConfig(1) }
      saving = site.call('admin', updateEncoder, { body })
      await makeRoundTrips(site, placeOf(site, programId))
      expect(applied()).toBe(before)
      return true
    },
  })
  await saving
  const saved = site.ctx.programs.wanted(programId)
  expect(site.encoderHost.paramsOf('applyProgram').at(-1)?.spec).toMatchObject({
    config: { 'card-idx': 1 },
  })
  expect(site.encoderHost.programs.get(programId)?.appliedRevision).toBe(saved?.revision)
})

test('a program is taken off a host only after the command before it is written down', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const place = placeOf(site, `encoder-${id}`)
  let leaving: Promise<boolean> | undefined
  await command(site, place.programId, {
    command: 'start',
    setWanted: async () => {
      leaving = site.ctx.programs.takeOff(place.address, place.programId)
      await makeRoundTrips(site, place)
      expect(site.encoderHost.paramsOf('removeProgram')).toEqual([])
      return true
    },
  })
  expect([await leaving, site.encoderHost.programs.has(place.programId)]).toEqual([true, false])
})

test('a command that cannot be written down is undone on the host', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const programId = `encoder-${id}`
  const started = command(site, programId, {
    command: 'start',
    setWanted: async () => Promise.reject(new Error('the database is full')),
  })
  await expect(started).rejects.toThrow('the database is full')
  await site.encoderHost.asked('controlProgram', 2)
  expect(site.encoderHost.programs.get(programId)?.state).toBe('stopped')
})

test('keeps the settings that were saved while the command was under way', async () => {
  const site = await openSiteOn('PostgreSQL')
  const { id } = await addTestEncoder(site, 0)
  const programId = `encoder-${id}`
  let savedRevision: string | undefined
  let saving: ReturnType<typeof site.call> | undefined
  await command(site, programId, {
    command: 'start',
    setWanted: async () => {
      const isKnown = newSettings(site, programId)
      saving = site.call('admin', updateEncoder, { body: { _id: id, config: palConfig(2) } })
      await isKnown
      savedRevision = site.ctx.programs.wanted(programId)?.revision
      await writeRunning(site, id)
      return true
    },
  })
  expect(site.ctx.programs.wanted(programId)).toMatchObject({
    wanted: 'running',
    revision: savedRevision,
  })
  await saving
})

test('a restart that is asked for during another interrupts the program once, unless settings were saved', async () => {
  const site = await openSiteOn('PostgreSQL')
  const { id } = await addTestEncoder(site, 0)
  const programId = `encoder-${id}`
  const run = async (asked: 'start' | 'restart', write = async () => Promise.resolve()) =>
    command(site, programId, {
      command: asked,
      setWanted: async () => {
        await write()
        await writeRunning(site, id)
        return true
      },
    })
  const restarts = () =>
    site.encoderHost.paramsOf('controlProgram').filter((asked) => asked.command === 'restart')
  await run('start')
  const outcomes = await Promise.all([run('restart'), run('restart'), run('restart')])
  expect(outcomes.map(({ refusal }) => refusal)).toEqual(['', '', ''])
  expect(restarts()).toHaveLength(1)
  await run('restart')
  expect(restarts()).toHaveLength(2)
  const config = JSON.stringify(palConfig(2))
  const save = async () =>
    void (await site.ctx.db.updateTable('encoders').set({ config }).where('id', '=', id).execute())
  await Promise.all([run('restart', save), run('restart')])
  expect(restarts()).toHaveLength(4)
})

test('a restart that comes after a stop does not start the program, unless it was stopped when asked', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const programId = `encoder-${id}`
  const run = async (asked: CommandRequest<LoadedProgram>['command']) =>
    command(site, programId, {
      command: asked,
      setWanted: async (trx, isWanted) => {
        const running = { wanted_running: isWanted ? 1 : 0 } as const
        await trx.updateTable('encoders').set(running).where('id', '=', id).execute()
        return true
      },
    })
  await run('start')
  const [stopped, restarted] = await Promise.allSettled([run('stop'), run('restart')])
  expect(stopped).toMatchObject({ status: 'fulfilled', value: { refusal: '' } })
  expect(restarted).toMatchObject({
    status: 'rejected',
    reason: {
      message: 'Somebody has stopped it meanwhile. Start it if it is to run.',
    },
  })
  expect(site.encoderHost.programs.get(programId)?.state).toBe('stopped')
  await run('restart')
  expect(site.encoderHost.programs.get(programId)?.state).toBe('running')
})

test.for(['start', 'restart'] as const)(
  'a %s that somebody stops at once is not answered as if the program ran',
  async (asked) => {
    const site = await openSiteOn('SQLite')
    const { id } = await addTestEncoder(site, 0)
    const programId = `encoder-${id}`
    const run = async (given: CommandRequest<LoadedProgram>['command']) =>
      command(site, programId, { command: given, setWanted: async () => true })
    const [started, stopped] = await Promise.all([run(asked), run('stop')])
    expect(started.refusal).toBe('Somebody has stopped it meanwhile. Start it if it is to run.')
    expect(stopped.refusal).toBe('')
    expect(site.encoderHost.programs.get(programId)?.state).toBe('stopped')
    expect((await run(asked)).refusal).toBe('')
  },
)

/** Takes connections, and passes nothing on before `open`. */
async function openSlowDoor(toPort: number) {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    open() {
      for (const socket of sockets) socket.pipe(connect(toPort, '127.0.0.1')).pipe(socket)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

test('a command waits while its host is dialled for the first time', async () => {
  const site = await openSiteOn('SQLite')
  await using door = await openSlowDoor(site.encoderHost.port)
  const added = await site.call('admin', addEncoder, {
    body: {
      title: 'New camera',
      ip: '127.0.0.1',
      port: door.port,
      groupId: site.north,
      apiKey: FAKE_KEY,
    },
  })
  const { id } = added.answer
  await site.call('admin', updateEncoder, { body: { _id: id, config: palConfig(3) } })
  const programId = `encoder-${id}`
  const started = command(site, programId, { command: 'start', setWanted: async () => true })
  // Of another host: the command has come as far as it can.
  const address = { host: '127.0.0.1', port: site.linkHost.port }
  await makeRoundTrips(site, { address, programId })
  door.open()
  expect((await started).refusal).toBe('')
  expect(site.encoderHost.programs.get(programId)?.state).toBe('running')
})
