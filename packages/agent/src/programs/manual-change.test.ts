import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { expect, test } from 'vitest'
import {
  eventually,
  freeUdpPort,
  nextEvent,
  openTestAgent,
  untilReport,
  shared,
} from '../agent.fixture.ts'
import { configOf } from '../commands/encoder-config.fixture.ts'
import { scriptFile, sectionFile } from '../supervisor/layout.ts'
import { SupervisorClient } from '../supervisor/supervisor.client.ts'
import { retryFailed } from './housekeeping.ts'
import * as programService from './program.service.ts'

const STREAMS = programService.STREAMS_OWNER
const OWNER = 'encoder-0'
const agent = shared(async () =>
  openTestAgent(['encoder'], [{ cardIdx: 0, kind: 'test-pattern', device: '' }]),
)

async function apply(programId: string, revision?: string) {
  await agent.apply(programId, revision === undefined ? {} : { revision })
  return agent.untilRunning(programId)
}

async function control(programId: string, command: 'start' | 'stop' | 'restart', owner = STREAMS) {
  return programService.control(agent.ctx, owner, { programId, command })
}

async function seen(programId: string, words: string) {
  const report = await untilReport(agent.ctx, programId, (report) => report.changedByHand !== '')
  expect(report.changedByHand).toContain(words)
  return report
}

function script(programId: string): string {
  return scriptFile(agent.ctx.supervisor.layout, programId)
}

test('our own writes are not manual changes, over a restart of the agent too', async () => {
  await apply('own')
  await apply('own', 'r2')
  await control('own', 'restart')
  await control('own', 'stop')
  await control('own', 'start')
  await agent.restart()
  expect(programService.report(agent.ctx, 'own')).toMatchObject({ changedByHand: '' })
  await programService.remove(agent.ctx, STREAMS, 'own')
})

test('an edited command file is reported, remembered, and rewritten by a restart', async () => {
  const before = await apply('edited')
  const ours = readFileSync(script('edited'), 'utf8')
  writeFileSync(script('edited'), ours.replace("'1000'", "'2000'"))
  const report = await seen('edited', 'command file of this program was changed on the host')
  expect(report).toMatchObject({ state: 'running', pid: before.pid })
  await agent.restart()
  expect(programService.report(agent.ctx, 'edited')).toMatchObject({
    changedByHand: report.changedByHand,
  })
  await control('edited', 'restart')
  const after = await agent.untilRunning('edited')
  expect(after).toMatchObject({ changedByHand: '' })
  expect(readFileSync(script('edited'), 'utf8')).toBe(ours)
  await eventually(() =>
    expect(readFileSync(`/proc/${after.pid}/cmdline`, 'utf8')).toContain('1000'),
  )
  await programService.remove(agent.ctx, STREAMS, 'edited')
})

test('an edit while the agent is away is seen when it is back', async () => {
  await apply('unseen')
  await agent.restart(async () => appendFileSync(script('unseen'), '# a note\n'))
  expect(programService.report(agent.ctx, 'unseen')?.changedByHand).toContain('was changed')
  await apply('unseen', 'r2')
  expect(programService.report(agent.ctx, 'unseen')).toMatchObject({ changedByHand: '' })
  await programService.remove(agent.ctx, STREAMS, 'unseen')
})

test('a pipe or a huge file in place of a command file blocks nothing', async () => {
  await apply('piped')
  rmSync(script('piped'))
  spawnSync('mkfifo', [script('piped')])
  await seen('piped', 'was deleted')
  await control('piped', 'restart')
  expect(programService.report(agent.ctx, 'piped')).toMatchObject({ changedByHand: '' })
  // Far more than a text may hold: only its beginning is read.
  truncateSync(script('piped'), 8 * 1024 ** 3)
  await seen('piped', 'was changed')
  await control('piped', 'restart')
  expect(programService.report(agent.ctx, 'piped')).toMatchObject({ changedByHand: '' })
  await programService.remove(agent.ctx, STREAMS, 'piped')
})

test('a deleted command file is reported, and a stopped program still starts', async () => {
  await apply('deleted')
  await control('deleted', 'stop')
  rmSync(script('deleted'))
  await seen('deleted', 'command file of this program was deleted')
  const started = await control('deleted', 'start')
  expect(started).toMatchObject({ state: 'running', changedByHand: '' })
  await programService.remove(agent.ctx, STREAMS, 'deleted')
})

test('an edited section that supervisord has taken up is undone by a restart', async () => {
  await apply('section')
  const { layout, client } = agent.ctx.supervisor
  const file = sectionFile(layout, 'section')
  const ours = readFileSync(file, 'utf8')
  writeFileSync(file, ours.replace(/^command=.*$/m, 'command=sleep 3000'))
  await seen('section', 'supervisord section of this program was changed')
  // As `supervisorctl update` does.
  await client.stopProcess('section')
  await untilReport(agent.ctx, 'section', ({ state }) => state === 'stopped')
  await client.removeProcessGroup('section')
  await client.reloadConfig()
  await client.addProcessGroup('section')
  const { pid: theirs } = await agent.untilRunning('section')
  expect(readFileSync(`/proc/${theirs}/cmdline`, 'utf8')).toContain('3000')

  const { pid } = await control('section', 'restart')
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('1000')
  expect(readFileSync(file, 'utf8')).toBe(ours)
  expect(programService.report(agent.ctx, 'section')).toMatchObject({ changedByHand: '' })
  await programService.remove(agent.ctx, STREAMS, 'section')
})

test('a program that was removed from supervisord by hand is restored by a start', async () => {
  await apply('forgotten')
  await control('forgotten', 'stop')
  const { client } = agent.ctx.supervisor
  await client.removeProcessGroup('forgotten')
  expect(await control('forgotten', 'start')).toMatchObject({ state: 'running' })
  await programService.remove(agent.ctx, STREAMS, 'forgotten')
})

test('a deleted record is reported and rewritten at once, so that a restart of the agent does not end the program', async () => {
  const { pid } = await apply('record')
  const file = join(agent.ctx.supervisor.layout.programsDir, 'record.json')
  rmSync(file)
  await seen('record', 'record of this program was deleted')
  expect(existsSync(file)).toBe(true)
  await agent.restart()
  expect(programService.report(agent.ctx, 'record')).toMatchObject({ pid, state: 'running' })
  await programService.remove(agent.ctx, STREAMS, 'record')
})

async function stopByHand(programId: string, client: SupervisorClient): Promise<void> {
  await client.stopProcess(programId)
  while ((await client.getProcessInfo(programId)).statename !== 'STOPPED') continue
}

test('a program stopped by supervisorctl shows stopped, should run, and why; then it is started again', async () => {
  await apply('halted')
  const { client } = agent.ctx.supervisor
  const death = nextEvent(
    agent.ctx,
    (event) => event.type === 'restart' && event.programId === 'halted',
  )
  await stopByHand('halted', client)
  expect(await death).toMatchObject({
    cause: expect.stringContaining('on the host itself') as string,
  })
  const report = await untilReport(agent.ctx, 'halted', ({ state }) => state === 'stopped')
  expect(report).toMatchObject({
    wanted: 'running',
    cause: expect.stringContaining('stopped on the host itself') as string,
  })
  retryFailed({ ...agent.ctx, clock: () => (report.sinceMs ?? 0) + 30_000 }, new Map())
  expect(await agent.untilRunning('halted')).toMatchObject({ cause: '', restarts: 1 })
  expect(await control('halted', 'stop')).toMatchObject({ state: 'stopped', cause: '' })
  await programService.remove(agent.ctx, STREAMS, 'halted')
})

test('a stop by hand while the agent was away is reported when it is back', async () => {
  await apply('absent')
  const { layout } = agent.ctx.supervisor
  await agent.restart(async () => {
    using client = new SupervisorClient(layout.socket)
    await stopByHand('absent', client)
  })
  expect(programService.report(agent.ctx, 'absent')).toMatchObject({
    state: 'stopped',
    wanted: 'running',
    cause: expect.stringContaining('stopped on the host itself') as string,
  })
  await programService.remove(agent.ctx, STREAMS, 'absent')
})

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'an encoder that somebody ends with %s comes back, and its cause names the signal',
  async (signal) => {
    const config = configOf('pal', [`udp://127.0.0.1:${await freeUdpPort()}?ttl=1`])
    const spec: ProgramSpec = { kind: 'encoder', config, feederLegs: [] }
    const programId = `encoder-${signal.toLowerCase()}`
    const asked = { programId, revision: 'r1', spec, wanted: 'running' as const }
    await programService.apply(agent.ctx, OWNER, asked)
    const { pid } = await agent.untilRunning(programId)
    const death = nextEvent(
      agent.ctx,
      (event) => event.type === 'restart' && event.programId === programId,
    )
    process.kill(pid ?? 0, signal)
    expect(await death).toMatchObject({ cause: `Ended by ${signal}`, restarts: 1 })
    const isBack = ({ state, pid: now }: { state: string; pid: number | null }) =>
      state === 'running' && now !== pid
    await untilReport(agent.ctx, programId, isBack)
    await programService.remove(agent.ctx, OWNER, programId)
    expect(programService.report(agent.ctx, programId)).toBeNull()
  },
)
