/** What is wanted of an encoder beside what its host says of it. */
import {
  controlEncoder,
  findEncoder,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { palConfig } from '../testing/encoder.fixture.ts'
import { FakeHost } from '../testing/fake-host.ts'
import { everyKey } from '../testing/every-key.ts'
import { LiveReader } from '../testing/live-reader.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'

let site: TestSite
let id: string
let programId: string
beforeEach(async () => {
  site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  id = (await addTestEncoder(site, 0)).id
  programId = `encoder-${id}`
  const body = { data: { name: 'encoder0', command: 'start' } } as const
  await site.call('admin', controlEncoder, { params: { id }, body })
})

async function watch(): Promise<LiveReader> {
  const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const keys = everyKey(site.ctx)
  const reader = await LiveReader.open(address, site.people.northMonitor.token, keys)
  onTestFinished(async () => reader[Symbol.asyncDispose]())
  return reader
}

test('an edit made while the host is away is kept, waits, and is applied when it is back', async () => {
  const reader = await watch()
  const { port, programs } = site.encoderHost
  await site.encoderHost[Symbol.asyncDispose]()
  await reader.next('program', ({ state }) => state === 'unreachable')
  const config = { ...palConfig(0), 'video-format': 'ntsc' as const }
  const saved = await site.call('admin', updateEncoder, { body: { _id: id, config } })
  expect(saved.status).toBe(200)
  await reader.next('program', ({ waitsForHost }) => waitsForHost)
  const { data } = (await site.call('admin', findEncoder, { params: { id } })).answer
  expect(data.config?.['video-format']).toBe('ntsc')
  expect(site.ctx.board.program(programId)).toMatchObject({
    state: 'unreachable',
    waitsForHost: true,
  })
  const back = await FakeHost.open({ seatKind: 'encoder', port })
  onTestFinished(async () => back[Symbol.asyncDispose]())
  for (const [name, report] of programs) back.programs.set(name, report)
  const pid = programs.get(programId)?.pid
  await back.asked('applyProgram')
  const [applied] = back.paramsOf('applyProgram')
  expect(applied?.spec).toMatchObject({ config: { 'video-format': 'ntsc' } })
  // Applied is not restarted: what runs goes on, and says that it is older.
  const running = await reader.next(
    'program',
    ({ state, waitsForHost, waitsForRestart }) =>
      state === 'running' && !waitsForHost && waitsForRestart,
  )
  expect(running.pid).toBe(pid)
  expect(back.paramsOf('controlProgram')).toEqual([])
})

test('a manual change on the host is reported in status, snapshot and live events', async () => {
  const reader = await watch()
  const changedByHand = 'The command file of this program was changed on the host.'
  site.encoderHost.change(programId, { changedByHand })
  const changed = await reader.next('program', (program) => program.changedByHand !== '')
  expect(changed).toMatchObject({ id, changedByHand, state: 'running' })
  expect(site.ctx.board.program(programId)).toMatchObject({ changedByHand })
  const later = await LiveReader.open(
    `http://127.0.0.1:${(site.app.server.address() as { port: number }).port}`,
    site.people.northMonitor.token,
    [programKey('encoder', id)],
  )
  onTestFinished(async () => later[Symbol.asyncDispose]())
  expect(await later.next('program', () => true)).toMatchObject({ id, changedByHand })
  site.encoderHost.change(programId, { changedByHand: '' })
  await reader.until(() => reader.of('program').at(-1)?.changedByHand === '')
  expect(site.ctx.board.program(programId)).toMatchObject({ changedByHand: '' })
})
