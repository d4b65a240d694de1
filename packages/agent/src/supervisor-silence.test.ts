/** A supervisord that is stopped for a while: what is reported, refused, and not done later. */
import type { HostMessage } from '@trunkline/contract/agent/host-link.messages'
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  eventually,
  openLink,
  openTestAgent,
  unitOf,
  untilReport,
  shared,
} from './agent.fixture.ts'
import * as programService from './programs/program.service.ts'
import { instanceOf } from './supervisor/supervisor.process.ts'

const { STREAMS_OWNER } = programService
const SILENT = /supervisord\) does not answer/
const agent = shared(async () => openTestAgent(['encoder']))
let supervisord: number
beforeAll(async () => {
  supervisord = instanceOf(agent.ctx.supervisor.layout)?.pid ?? 0
})
afterAll(async () => {
  process.kill(supervisord, 'SIGCONT')
})

/** Answers its pid. */
async function running(programId: string, argv?: readonly string[]): Promise<number> {
  await agent.apply(programId, argv && { argv })
  const isUp = ({ state, pid }: ProgramReport) => state === 'running' && pid !== null
  return (await untilReport(agent.ctx, programId, isUp)).pid ?? 0
}

async function untilSilent(isSilent: boolean): Promise<void> {
  await eventually(() => expect(agent.ctx.health.now.supervisorSilent).toBe(isSilent))
}

test('a silent supervisord is reported for its host; commands are refused and not carried out later', async () => {
  const pid = await running('steady')
  const [seat] = agent.config.seats
  if (!seat) throw new Error('no seat')
  await using link = await openLink(seat)
  process.kill(supervisord, 'SIGSTOP')
  await link.until(
    (message) => message.type === 'health' && message.health.supervisorSilent === true,
  )
  for (const command of ['restart', 'stop', 'start'] as const) {
    await expect(agent.control('steady', command)).rejects.toThrow(SILENT)
  }
  await expect(programService.remove(agent.ctx, STREAMS_OWNER, 'steady')).rejects.toThrow(SILENT)
  const asked = { programId: 'steady', revision: 'r2', unit: unitOf(['sleep', '2000']) }
  const change = programService.applyUnit(agent.ctx, { ...asked, wanted: 'stopped' })
  await expect(change).rejects.toThrow(SILENT)
  const failed = await link
    .ask('controlProgram', { programId: 'steady', command: 'stop' })
    .catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'not_found' })
  process.kill(supervisord, 'SIGCONT')
  await untilSilent(false)
  expect(await agent.control('steady', 'start')).toMatchObject({
    pid,
    state: 'running',
    wanted: 'running',
    restarts: 0,
    appliedRevision: 'r1',
  })
})

test('a command sent as supervisord falls silent is refused as well', async () => {
  const pid = await running('early')
  process.kill(supervisord, 'SIGSTOP')
  await expect(agent.control('early', 'restart')).rejects.toThrow(
    'was not carried out, and will not be',
  )
  process.kill(supervisord, 'SIGCONT')
  await untilSilent(false)
  expect(await agent.control('early', 'start')).toMatchObject({ pid, restarts: 0, cause: '' })
})

test('a program that ends meanwhile is reported as ended, and counted once', async () => {
  const pid = await running('mortal')
  process.kill(supervisord, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  const report = () => programService.report(agent.ctx, 'mortal')
  await eventually(() => expect(report()).toMatchObject({ state: 'exited', pid: null }))
  expect(report()?.cause).toMatch(SILENT)
  await untilSilent(true)
  process.kill(supervisord, 'SIGCONT')
  await untilReport(agent.ctx, 'mortal', (now) => now.state === 'running' && now.pid !== pid)
  expect(report()).toMatchObject({ restarts: 1, wanted: 'running', changedByHand: '' })
})

test('a stop that supervisord carries out late is not a manual change, and the restart is finished', async () => {
  const pid = await running('stubborn', ['sh', '-c', 'trap "" TERM; while :; do sleep 0.1; done'])
  const restarting = agent.control('stubborn', 'restart').catch((error: unknown) => error)
  await untilReport(agent.ctx, 'stubborn', ({ state }) => state === 'stopping')
  process.kill(supervisord, 'SIGSTOP')
  expect(String(await restarting)).toContain('may have been carried out in part')
  // Commands go one after the other: that one has given up.
  await agent.ctx.board.enqueue('stubborn', async () => Promise.resolve())
  const causes: string[] = []
  const stop = agent.ctx.board.listen((event) => {
    if (event.type === 'restart') causes.push(event.cause)
  })
  process.kill(supervisord, 'SIGCONT')
  await untilReport(agent.ctx, 'stubborn', (now) => now.state === 'running' && now.pid !== pid)
  stop()
  expect(causes).toEqual([])
})

test('a supervisord that ends is reported for its host until its programs run again, and refuses commands', async () => {
  const pid = await running('mourned')
  const [seat] = agent.config.seats
  if (!seat) throw new Error('no seat')
  await using link = await openLink(seat)
  process.kill(supervisord, 'SIGKILL')
  await expect(agent.control('mourned', 'stop')).rejects.toThrow(
    /\(supervisord\) has ended and is being started again\. The command was not carried out\./,
  )
  const isLost = (lost: boolean) => (message: HostMessage) =>
    message.type === 'health' && message.health.supervisorLost === lost
  await link.until(isLost(true))
  await link.until(isLost(false))
  const report = programService.report(agent.ctx, 'mourned')
  expect(report).toMatchObject({ state: 'running', wanted: 'running', cause: '' })
  expect(report?.pid).not.toBe(pid)
  supervisord = instanceOf(agent.ctx.supervisor.layout)?.pid ?? 0
})

test('what ended while supervisord was silent is counted when supervisord itself is killed then', async () => {
  const pid = await running('unseen')
  process.kill(supervisord, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  const report = () => programService.report(agent.ctx, 'unseen')
  await eventually(() => expect(report()).toMatchObject({ state: 'exited', pid: null }))
  process.kill(supervisord, 'SIGKILL')
  await untilReport(agent.ctx, 'unseen', (now) => now.state === 'running' && now.pid !== pid)
  expect(report()).toMatchObject({ restarts: 1, changedByHand: '' })
  supervisord = instanceOf(agent.ctx.supervisor.layout)?.pid ?? 0
})
