import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { PAUSED } from '@trunkline/contract/program-state'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { srtLeg } from '../../commands/leg.fixture.ts'
import {
  eventually,
  freeUdpPort,
  LIFE_LIMIT_MS,
  nextEvent,
  openTestAgent,
  untilReport,
  shared,
} from '../../agent.fixture.ts'
import { logFile } from '../../supervisor/layout.ts'
import { CALLER_DIED, CallerQuestion } from './dead-caller.ts'
import * as programService from '../program.service.ts'

const SEAT = 'acants-0'
/** A second each, and a caller is asked four times in one before a refusal counts. */
const SETTLED_LINES = 4

const agent = shared(async () => openTestAgent())
let feed: NodeJS.Timeout
const source = createSocket('udp4')
beforeAll(async () => {
  const [from, outer, to] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  await apply('in', srt('receiver', to, outer))
  await apply('out', srt('sender', from, outer))
  const packet = Buffer.alloc(1316, 0x47)
  feed = setInterval(() => source.send(packet, from, '127.0.0.1'), 5)
})
afterAll(async () => {
  clearInterval(feed)
  source.close()
})

async function apply(programId: string, spec: ProgramSpec): Promise<void> {
  await programService.apply(agent.ctx, SEAT, {
    programId,
    revision: 'r1',
    spec,
    wanted: 'running',
  })
}

function srt(kind: 'sender' | 'receiver', localPort: number, port: number): ProgramSpec {
  return {
    kind,
    local: { ip: '127.0.0.1', port: localPort, ttl: 1 },
    outer: srtLeg(kind === 'sender' ? 'call' : 'listen', port),
  }
}

/** The tool below the caller's script. */
async function callerTool(): Promise<number> {
  const { pid } = await agent.untilRunning('out')
  const found = execFileSync('ps', ['-o', 'pid=,comm=', '--ppid', `${pid}`], { encoding: 'utf8' })
  const line = found.split('\n').find((text) => text.includes('srt-live'))
  if (line === undefined) throw new Error(`No tool below the caller's script: ${found}`)
  return Number.parseInt(line, 10)
}

function linesOfReceiver(): number {
  return readFileSync(logFile(agent.ctx.supervisor.layout, 'in', 'out'), 'utf8').split('\n').length
}

async function untilFlows(): Promise<void> {
  await untilReport(agent.ctx, 'in', ({ observed }) => observed?.media === 'moving')
  const before = linesOfReceiver()
  await eventually(() => expect(linesOfReceiver()).toBeGreaterThan(before + SETTLED_LINES))
}

test(
  'a listener whose caller is silent and alive is left alone',
  async () => {
    await untilFlows()
    const tool = await callerTool()
    process.kill(tool, 'SIGSTOP')
    await untilReport(agent.ctx, 'in', ({ observed }) => observed?.media === 'silent')
    process.kill(tool, 'SIGCONT')
    await untilReport(agent.ctx, 'in', ({ observed }) => observed?.media === 'moving')
    expect(programService.report(agent.ctx, 'in')?.restarts).toBe(0)
  },
  LIFE_LIMIT_MS,
)

test.each([
  ['a listener', 'in', async () => (await agent.untilRunning('in')).pid ?? 0],
  ['the tool of a caller', 'out', callerTool],
])(
  '%s that is paused says so, and nothing of its far end, until it goes on',
  async (_, programId, findProcess) => {
    await untilFlows()
    const pid = await findProcess()
    process.kill(pid, 'SIGSTOP')
    const paused = await untilReport(agent.ctx, programId, ({ cause }) => cause === PAUSED)
    process.kill(pid, 'SIGCONT')
    expect(paused).toMatchObject({ state: 'running', peer: '', observed: { peerFacts: null } })
    await untilReport(agent.ctx, programId, ({ cause, peer }) => cause === '' && peer !== '')
  },
  LIFE_LIMIT_MS,
)

test(
  'a listener whose caller was killed is started again with that cause, and takes the next call',
  async () => {
    await untilFlows()
    const restart = nextEvent(
      agent.ctx,
      (event) => event.type === 'restart' && event.programId === 'in',
    )
    process.kill(await callerTool(), 'SIGKILL')
    expect(await restart).toMatchObject({ restarts: 1, cause: CALLER_DIED })
    await untilReport(agent.ctx, 'in', ({ peer }) => peer === 'disconnected')
    await untilReport(agent.ctx, 'in', ({ observed }) => observed?.media === 'moving')
  },
  LIFE_LIMIT_MS,
)

test('a port that refuses the first question says nothing about its caller', async () => {
  const port = await freeUdpPort()
  using question = new CallerQuestion('key', `127.0.0.1:${port}`)
  await eventually(() => {
    question.ask()
    expect(question.isOver).toBe(true)
  })
  expect(question.isCallerDead).toBe(false)
})

test('a port that took questions and refuses them now has lost its caller', async () => {
  const caller = createSocket('udp4').bind(0, '127.0.0.1')
  await once(caller, 'listening')
  let heard = 0
  caller.on('message', () => (heard += 1))
  using question = new CallerQuestion('key', `127.0.0.1:${caller.address().port}`)
  await eventually(() => {
    question.ask()
    expect(heard).toBeGreaterThan(4)
  })
  expect(question.isCallerDead).toBe(false)
  caller.close()
  await eventually(() => {
    question.ask()
    expect(question.isCallerDead).toBe(true)
  })
})
