/**
 * A disk that takes nothing more: each file is drafted beside itself before it is replaced, and here
 * every draft is a link to /dev/full, which answers ENOSPC to any write.
 */
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  eventually,
  nextEvent,
  openLink,
  openTestAgent,
  unitOf,
  untilReport,
  type TestAgent,
} from './agent.fixture.ts'
import * as programService from './programs/program.service.ts'
import { scriptFile, sectionFile } from './supervisor/layout.ts'
import { instanceOf } from './supervisor/supervisor.process.ts'

const { STREAMS_OWNER } = programService
const programId = 'steady'
let agent: TestAgent
beforeAll(async () => {
  agent = await openTestAgent(['encoder'])
})
afterAll(async () => agent[Symbol.asyncDispose]())

function drafts(): string[] {
  const { layout } = agent.ctx.supervisor
  const files = [
    scriptFile(layout, programId),
    sectionFile(layout, programId),
    join(layout.programsDir, `${programId}.json`),
    join(layout.base, 'agent.json'),
    layout.instanceFile,
    layout.mainConf,
    layout.listenerScript,
  ]
  return files.map((file) => `${file}.new`)
}

async function apply(argv: readonly string[]) {
  const asked = { programId, revision: 'r1', unit: unitOf(argv), wanted: 'running' as const }
  return programService.applyUnit(agent.ctx, asked)
}

async function control(command: 'start' | 'stop' | 'restart') {
  return programService.control(agent.ctx, STREAMS_OWNER, { programId, command })
}

const isRunning = ({ state }: { state: string }) => state === 'running'

function recordedWanted(): unknown {
  const file = join(agent.ctx.supervisor.layout.programsDir, `${programId}.json`)
  return (JSON.parse(readFileSync(file, 'utf8')) as { wanted: unknown }).wanted
}

test('on a full disk the agent lives on, obeys, says so, and starts', async () => {
  await apply(['sleep', '1000'])
  await untilReport(agent.ctx, programId, isRunning)
  const full = drafts()
  for (const draft of full) symlinkSync('/dev/full', draft)

  await control('stop')
  expect(programService.report(agent.ctx, programId)).toMatchObject({ state: 'stopped' })
  expect(agent.ctx.health.now.disk).toMatchObject({ state: 'full', path: agent.config.dataDir })
  const [seat] = agent.config.seats
  if (!seat) throw new Error('no seat')
  await using link = await openLink(seat)
  expect(link.messages[0]).toMatchObject({ health: { disk: { state: 'full' } } })

  await control('start')
  const { pid } = await untilReport(agent.ctx, programId, isRunning)
  await expect(apply(['sleep', '2000'])).rejects.toThrow('ENOSPC')
  expect(programService.report(agent.ctx, programId)).toMatchObject({ pid, state: 'running' })
  await control('stop')

  await agent.restart(async () => Promise.resolve())
  expect(recordedWanted()).toBe('running')
  await control('start')
  const before = await untilReport(agent.ctx, programId, isRunning)
  const restart = nextEvent(agent.ctx, ({ type }) => type === 'restart')
  process.kill(before.pid ?? 0, 'SIGKILL')
  await restart
  await untilReport(agent.ctx, programId, ({ pid: now }) => now !== null && now !== before.pid)
  process.kill(instanceOf(agent.ctx.supervisor.layout)?.pid ?? 0, 'SIGKILL')
  await nextEvent(agent.ctx, ({ type }) => type === 'restart')
  await untilReport(agent.ctx, programId, isRunning)

  await control('stop')
  for (const draft of full) rmSync(draft, { force: true })
  await eventually(() => {
    expect(recordedWanted()).toBe('stopped')
    expect(agent.ctx.health.now.disk.state).not.toBe('full')
  })
})
