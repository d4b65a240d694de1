import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { eventually, openTestAgent, untilReport, shared } from '../agent.fixture.ts'
import { instanceOf } from '../supervisor/supervisor.process.ts'
import * as programService from './program.service.ts'
import type { ProgramEvent } from './program.ts'

const SIGNALLED = 'got a signal on the host itself to reload'
const PROGRAMS = ['plain', 'stubborn']
/** As a packager whose input is silent: a TERM does not end it. */
const STUBBORN = ['sh', '-c', "trap '' TERM; while :; do sleep 1; done"]

const agent = shared(async () => openTestAgent())
beforeAll(async () => {
  await start('plain')
  await start('stubborn', STUBBORN)
})

async function start(programId: string, argv?: readonly string[]): Promise<void> {
  await agent.apply(programId, argv && { argv })
  await agent.untilRunning(programId)
}

function reload(): void {
  process.kill(instanceOf(agent.ctx.supervisor.layout)?.pid ?? 0, 'SIGHUP')
}

function pidsNow(): (number | null | undefined)[] {
  return PROGRAMS.map((id) => programService.report(agent.ctx, id)?.pid)
}

async function untilStartedAgain(before: readonly (number | null | undefined)[]): Promise<void> {
  for (const [at, id] of PROGRAMS.entries()) {
    await untilReport(agent.ctx, id, ({ state, pid }) => state === 'running' && pid !== before[at])
  }
}

/** Each restart that is reported meanwhile. */
function collectRestarts() {
  const events: ProgramEvent[] = []
  const stop = agent.ctx.board.listen((event) => {
    if (event.type === 'restart') events.push(event)
  })
  return { events, [Symbol.dispose]: stop }
}

function textOf(event: ProgramEvent): string {
  if (event.type !== 'restart') return event.type
  return `${event.programId} ${event.restarts} ${event.cause.includes(SIGNALLED) ? 'reload' : event.cause}`
}

test('a reload of supervisord stops all programs at once, and each restart is reported once with its cause', async () => {
  const before = pidsNow()
  using restarts = collectRestarts()
  reload()
  await untilStartedAgain(before)
  expect(restarts.events.map(textOf).toSorted()).toEqual(['plain 1 reload', 'stubborn 1 reload'])
  for (const id of PROGRAMS) {
    expect(programService.report(agent.ctx, id)).toMatchObject({ restarts: 1, cause: '' })
  }
  // It waited for none of them to the end of its patience.
  const log = readFileSync(agent.ctx.supervisor.layout.supervisorLog, 'utf8')
  expect(log).toContain('received SIGHUP')
  expect(log).not.toContain('with SIGKILL')
})

test('after a reload a program that ends by itself is reported with its own cause again', async () => {
  using restarts = collectRestarts()
  process.kill(programService.report(agent.ctx, 'plain')?.pid ?? 0, 'SIGKILL')
  await eventually(() => expect(restarts.events).toHaveLength(1))
  expect(restarts.events[0]).toMatchObject({ programId: 'plain', cause: 'Ended by SIGKILL' })
  await agent.untilRunning('plain')
})
