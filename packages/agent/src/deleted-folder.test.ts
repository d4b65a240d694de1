/** Somebody deletes the data folder of an agent that runs. */
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestAgent, type TestAgent } from './agent.fixture.ts'
import * as programService from './programs/program.service.ts'
import { identityOf, listenersAt, processesOf } from './supervisor/process-identity.ts'

const DELETED = /^The folder .* was deleted, .* Restart the agent on the host/
const programId = 'steady'

let agent: TestAgent
beforeEach(async () => {
  agent = await openTestAgent()
})
afterEach(async () => agent[Symbol.asyncDispose]())

test('a restart is refused while the folder is missing, and a stop is not', async () => {
  await agent.apply(programId)
  const { pid } = await agent.untilRunning(programId)
  rmSync(agent.config.dataDir, { recursive: true })
  await expect(agent.control(programId, 'restart')).rejects.toThrow(DELETED)
  await expect(agent.apply(programId, { revision: 'r2' })).rejects.toThrow(DELETED)
  await expect(agent.apply('another')).rejects.toThrow(DELETED)
  const running = { pid, state: 'running', wanted: 'running' }
  expect(programService.report(agent.ctx, programId)).toMatchObject(running)
  expect(await agent.control(programId, 'stop')).toMatchObject({ state: 'stopped' })
  await expect(agent.control(programId, 'start')).rejects.toThrow(DELETED)
  await agent.restart()
})

test('the next agent ends the supervisord of the deleted folder, so that nothing runs twice', async () => {
  await agent.apply(programId)
  await agent.untilRunning(programId)
  const { socket } = agent.ctx.supervisor.layout
  const old = [...listenersAt(socket), ...processesOf(socket)]
  rmSync(agent.config.dataDir, { recursive: true })
  await agent.restart()
  await agent.apply(programId)
  const { pid } = await agent.untilRunning(programId)
  expect(old.filter((known) => identityOf(known.pid) !== null)).toEqual([])
  expect(listenersAt(socket)).toHaveLength(1)
  expect(programService.report(agent.ctx, programId)).toMatchObject({ pid, state: 'running' })
})
