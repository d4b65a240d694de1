import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nextEvent, openTestAgent, unitOf, untilReport, shared } from '../agent.fixture.ts'
import { logFile, sectionFile } from '../supervisor/layout.ts'
import { programNameOf } from '../supervisor/process-identity.ts'
import { SupervisorClient } from '../supervisor/supervisor.client.ts'
import * as programService from './program.service.ts'

const OWNER = programService.STREAMS_OWNER
const agent = shared(async () => openTestAgent())

test('a restarted agent knows all programs, and no program is affected', async () => {
  await agent.apply('steady', { revision: 'r7' })
  const before = await agent.untilRunning('steady')
  await agent.apply('resting', { wanted: 'stopped', revision: 'r3' })
  await agent.restart()
  expect(agent.ctx.supervisor.how).toBe('adopted')
  const after = programService.report(agent.ctx, 'steady')
  expect(after).toMatchObject({
    pid: before.pid,
    runningRevision: 'r7',
    state: 'running',
    restarts: 0,
  })
  expect(after?.startedAtMs).toBe(before.startedAtMs)
  expect(programService.report(agent.ctx, 'resting')).toMatchObject({
    state: 'stopped',
    appliedRevision: 'r3',
  })
  expect(await agent.control('steady', 'stop')).toMatchObject({ state: 'stopped' })
})

test('an agent that has lost its record of supervisord adopts it, and no program is affected', async () => {
  await agent.apply('unrecorded')
  const { pid } = await agent.untilRunning('unrecorded')
  const { instanceFile } = agent.ctx.supervisor.layout
  await agent.restart(async () => Promise.resolve(rmSync(instanceFile)))
  expect(agent.ctx.supervisor.how).toBe('adopted')
  expect(programService.report(agent.ctx, 'unrecorded')).toMatchObject({
    pid,
    state: 'running',
    restarts: 0,
  })
  await programService.remove(agent.ctx, OWNER, 'unrecorded')
})

test('DASH-14 the time since the stop continues over a restart; a program that never ran has none', async () => {
  await agent.apply('never', { wanted: 'stopped' })
  await agent.apply('done')
  await agent.untilRunning('done')
  await agent.control('done', 'stop')
  const stopped = await untilReport(agent.ctx, 'done', ({ state }) => state === 'stopped')
  expect(stopped.sinceMs).not.toBeNull()
  await agent.restart()
  expect(programService.report(agent.ctx, 'done')?.sinceMs).toBe(stopped.sinceMs)
  expect(programService.report(agent.ctx, 'never')?.sinceMs).toBeNull()
  // Also where only supervisord saw the end.
  await agent.apply('ended')
  await agent.untilRunning('ended')
  const { layout } = agent.ctx.supervisor
  const beforeMs = agent.ctx.clock()
  await agent.restart(async () => {
    using client = new SupervisorClient(layout.socket)
    await client.stopProcess('ended')
    await untilStopped(client, 'ended')
  })
  const ended = await untilReport(agent.ctx, 'ended', ({ state }) => state === 'stopped')
  // supervisord counts whole seconds.
  expect(ended.sinceMs).toBeGreaterThan(beforeMs - 1000)
  expect(ended.sinceMs).toBeLessThan(agent.ctx.clock())
})

test('exits while the agent is away are counted when it is back', async () => {
  await agent.apply('unseen')
  const { pid } = await agent.untilRunning('unseen')
  await agent.restart(async () => process.kill(pid ?? 0, 'SIGKILL'))
  const report = await untilReport(
    agent.ctx,
    'unseen',
    (now) => now.state === 'running' && now.pid !== pid,
  )
  expect(report.restarts).toBe(1)
})

test('programs known only to supervisord, or only to our files, are reconciled', async () => {
  await agent.apply('forgotten')
  const { pid } = await agent.untilRunning('forgotten')
  await agent.apply('lost')
  await agent.untilRunning('lost')
  const { layout } = agent.ctx.supervisor
  await agent.restart(async () => {
    using client = new SupervisorClient(layout.socket)
    rmSync(join(layout.programsDir, 'forgotten.json'))
    await client.stopProcess('lost')
    await untilStopped(client, 'lost')
    await client.removeProcessGroup('lost')
    rmSync(sectionFile(layout, 'lost'))
  })
  expect(programService.report(agent.ctx, 'forgotten')).toBeNull()
  expect(existsSync(sectionFile(layout, 'forgotten'))).toBe(false)
  expect(programNameOf(pid ?? 0)).toBe('')
  expect(await agent.untilRunning('lost')).toMatchObject({ wanted: 'running' })
})

/** Our own watch is closed meanwhile: each call wakes supervisord. */
async function untilStopped(client: SupervisorClient, name: string): Promise<void> {
  while ((await client.getProcessInfo(name)).statename !== 'STOPPED') continue
}

test('a program file that cannot be read is set aside, and the others go on', async () => {
  await agent.apply('healthy', { wanted: 'stopped' })
  const { programsDir } = agent.ctx.supervisor.layout
  writeFileSync(join(programsDir, 'broken.json'), '{"id":')
  await agent.restart()
  expect(programService.report(agent.ctx, 'healthy')?.state).toBe('stopped')
  expect(existsSync(join(programsDir, 'broken.json.unreadable'))).toBe(true)
})

const COUNTS =
  '{"packetsUnique":1,"packetsLost":0,"packetsDropped":0,"packetsRetransmitted":0,"mbitRate":1,"bytesUnique":1360}'

test('sums continue over a restart of the agent, with the packets counted during it', async () => {
  const programId = 'counter'
  const more = join(agent.config.dataDir, 'more')
  const line = `{"timepoint":"2026-11-20T23:51:38.664812+0000","link":{"rtt":1},"send":${COUNTS},"recv":${COUNTS}}`
  const three = `for i in 1 2 3; do echo '${line}'; done`
  const argv = [
    'sh',
    '-c',
    `${three}; while [ ! -e '${more}' ]; do sleep 0.05; done; ${three}; exec sleep 1000`,
  ]
  const unit = unitOf(argv, { output: 'srt', direction: 'send' })
  await programService.applyUnit(agent.ctx, { programId, revision: 'r1', unit, wanted: 'running' })
  await agent.untilRunning(programId)
  const { layout } = agent.ctx.supervisor
  await untilPackets(programId, 3)
  await agent.restart(async () => {
    writeFileSync(more, '')
    using client = new SupervisorClient(layout.socket)
    while (readFileSync(logFile(layout, programId, 'out'), 'utf8').split('\n').length < 7) {
      await client.getPid()
    }
  })
  await untilPackets(programId, 6)
  expect(programService.report(agent.ctx, programId)?.reading).toMatchObject({ packets: 6 })
})

async function untilPackets(programId: string, packets: number): Promise<void> {
  const isThere = () => {
    const reading = programService.report(agent.ctx, programId)?.reading
    return reading?.kind === 'link' && reading.packets === packets
  }
  if (!isThere()) await nextEvent(agent.ctx, (event) => event.type === 'readings' && isThere())
}
