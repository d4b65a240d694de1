/**
 * A disk that takes nothing more: each file is drafted beside itself before it is replaced, and here
 * every draft is a link to /dev/full, which answers ENOSPC to any write.
 */
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  eventually,
  nextEvent,
  openLink,
  openTestAgent,
  untilReport,
  shared,
} from './agent.fixture.ts'
import * as programService from './programs/program.service.ts'
import { scriptFile, sectionFile } from './supervisor/layout.ts'
import { instanceOf } from './supervisor/supervisor.process.ts'

const programId = 'steady'
const agent = shared(async () => openTestAgent(['encoder']))

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

function recordedWanted(): unknown {
  const file = join(agent.ctx.supervisor.layout.programsDir, `${programId}.json`)
  return (JSON.parse(readFileSync(file, 'utf8')) as { wanted: unknown }).wanted
}

test('on a full disk the agent keeps running, takes commands, reports the disk, and starts', async () => {
  await agent.apply(programId)
  await agent.untilRunning(programId)
  const full = drafts()
  for (const draft of full) symlinkSync('/dev/full', draft)

  await agent.control(programId, 'stop')
  expect(programService.report(agent.ctx, programId)).toMatchObject({ state: 'stopped' })
  expect(agent.ctx.health.now.disk).toMatchObject({ state: 'full', path: agent.config.dataDir })
  const [seat] = agent.config.seats
  if (!seat) throw new Error('no seat')
  await using link = await openLink(seat)
  expect(link.messages[0]).toMatchObject({ health: { disk: { state: 'full' } } })

  await agent.control(programId, 'start')
  const { pid } = await agent.untilRunning(programId)
  await expect(agent.apply(programId, { argv: ['sleep', '2000'] })).rejects.toThrow('ENOSPC')
  expect(programService.report(agent.ctx, programId)).toMatchObject({ pid, state: 'running' })
  await agent.control(programId, 'stop')

  await agent.restart(async () => Promise.resolve())
  expect(recordedWanted()).toBe('running')
  await agent.control(programId, 'start')
  const before = await agent.untilRunning(programId)
  const restart = nextEvent(agent.ctx, ({ type }) => type === 'restart')
  process.kill(before.pid ?? 0, 'SIGKILL')
  await restart
  await untilReport(agent.ctx, programId, ({ pid: now }) => now !== null && now !== before.pid)
  process.kill(instanceOf(agent.ctx.supervisor.layout)?.pid ?? 0, 'SIGKILL')
  await nextEvent(agent.ctx, ({ type }) => type === 'restart')
  await agent.untilRunning(programId)

  await agent.control(programId, 'stop')
  for (const draft of full) rmSync(draft, { force: true })
  await eventually(() => {
    expect(recordedWanted()).toBe('stopped')
    expect(agent.ctx.health.now.disk.state).not.toBe('full')
  })
})
