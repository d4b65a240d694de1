import { appendFileSync, readFileSync } from 'node:fs'
import type { ProgramReport, ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { expect, test, vi } from 'vitest'
import { freeUdpPort, nextEvent, openTestAgent, untilReport, shared } from '../agent.fixture.ts'
import { configOf } from '../commands/encoder-config.fixture.ts'
import { logFile } from '../supervisor/layout.ts'
import { FELL_BEHIND } from './late-end.ts'
import type { Program } from './program.ts'
import { thumbnailOf } from './thumbnail.ts'
import * as programService from './program.service.ts'

const OWNER = 'encoder-0'
const agent = shared(async () =>
  openTestAgent(
    ['encoder'],
    [
      { cardIdx: 0, kind: 'test-pattern', device: '' },
      // A device as far as can be seen from outside, and none that a picture comes from.
      { cardIdx: 1, kind: 'v4l2', device: '/dev/null' },
    ],
  ),
)

const WITHIN = { timeout: 60_000, interval: 100 }

async function apply(programId: string, cardIdx: number, target: string): Promise<void> {
  const config = { ...configOf('pal', [target]), 'card-idx': cardIdx }
  const spec: ProgramSpec = { kind: 'encoder', config, feederLegs: [] }
  const asked = { programId, revision: 'r1', spec, wanted: 'running' as const }
  await programService.apply(agent.ctx, OWNER, asked)
}

/** supervisord gives up at the fourth start in a row that does not last a second (startretries). */
const STARTS_UNTIL_FAILED = 4

test('an encoder whose device fails is in backoff, then failed, never running; each says why and since when', async () => {
  const reports: ProgramReport[] = []
  const stop = agent.ctx.board.listen((event) => {
    if (event.type === 'program' && event.report.programId === 'encoder-bad') {
      reports.push(event.report)
    }
  })
  const isDown = ({ state }: ProgramReport) => ['backoff', 'exited', 'fatal'].includes(state)
  await apply('encoder-bad', 1, `udp://127.0.0.1:${await freeUdpPort()}?ttl=1`)
  await untilReport(
    agent.ctx,
    'encoder-bad',
    (report) => isDown(report) && report.restarts >= STARTS_UNTIL_FAILED,
  )
  // supervisord calls a program running after one second, and so long ffmpeg may take on a busy
  // machine. Then it counts anew, and need not give up.
  const lived = reports.filter(({ state }) => state === 'running')
  if (lived.length === 0) {
    await untilReport(agent.ctx, 'encoder-bad', ({ state }) => state === 'fatal')
  }
  stop()
  const log = readFileSync(agent.ctx.supervisor.layout.supervisorLog, 'utf8')
  for (const [line] of log.matchAll(/.*encoder-bad entered RUNNING.*/g)) {
    expect(line).toContain('stayed up for > than 1 seconds')
  }
  // Each when supervisord tells of the death: one that keeps the agent waiting tells later than it is seen.
  const deaths = Map.groupBy(reports.filter(isDown), ({ restarts }) => restarts)
  deaths.delete(0)
  const down = [...deaths.values()].flatMap(([first]) => first ?? [])
  const failed = reports.filter(({ state }) => state === 'fatal')
  expect(down.length).toBeGreaterThanOrEqual(STARTS_UNTIL_FAILED)
  for (const report of [...down, ...failed]) {
    expect(report).toMatchObject({ wanted: 'running', pid: null, startedAtMs: null })
    expect(report.cause).toContain('/dev/null: Inappropriate ioctl for device')
  }
  const since = [...down, ...failed].map(({ sinceMs }) => sinceMs ?? 0)
  expect(since).toEqual(since.toSorted((earlier, later) => earlier - later))
  expect(since.at(-1)).toBeGreaterThan(since[0] ?? 0)
  const program = agent.ctx.board.find('encoder-bad')
  expect(program && thumbnailOf(agent.ctx.supervisor.layout, program, 0)).toBeNull()
  await programService.remove(agent.ctx, OWNER, 'encoder-bad')
})

test('an encoder that cannot reach its target ends, and says so', async () => {
  const death = nextEvent(
    agent.ctx,
    (event) => event.type === 'restart' && event.programId === 'encoder-cut',
  )
  const down = nextEvent(
    agent.ctx,
    (event) =>
      event.type === 'program' &&
      event.report.programId === 'encoder-cut' &&
      ['backoff', 'exited', 'fatal'].includes(event.report.state),
  )
  // An address like any other, to which the system lets nobody send: loopback's broadcast.
  await apply('encoder-cut', 0, 'udp://127.255.255.255:5000?ttl=1')
  expect(await death).toMatchObject({
    cause: expect.stringContaining('Permission denied') as string,
  })
  const { report } = (await down) as Extract<Awaited<typeof down>, { type: 'program' }>
  expect(report).toMatchObject({ wanted: 'running', pid: null })
  expect(report).toMatchObject({ cause: expect.stringContaining('Permission denied') as string })
  await programService.remove(agent.ctx, OWNER, 'encoder-cut')
})

/** A last word that is read in its first seconds may be the one of a process before. */
async function applyAndGrowUp(programId: string): Promise<{ program: Program; pid: number }> {
  await apply(programId, 0, `udp://127.0.0.1:${await freeUdpPort()}?ttl=1`)
  const { pid, startedAtMs } = await untilReport(
    agent.ctx,
    programId,
    // Its pid is known only once supervisord calls it running; its reading may come before.
    ({ reading, pid: known }) => reading !== null && known !== null,
  )
  const program = agent.ctx.board.find(programId)
  if (pid === null || startedAtMs === null || program === null) throw new Error('It does not run.')
  await vi.waitFor(() => expect(Date.now() - startedAtMs).toBeGreaterThan(3000), WITHIN)
  return { program, pid }
}

function sayEnd(programId: string): void {
  appendFileSync(logFile(agent.ctx.supervisor.layout, programId, 'out'), 'progress=end\n')
}

test('an encoder that reported its end but does not exit is ended, and its cause says that it fell behind', async () => {
  const { program, pid } = await applyAndGrowUp('encoder-late')
  const death = nextEvent(
    agent.ctx,
    (event) => event.type === 'restart' && event.programId === 'encoder-late',
  )
  // So that it says no more.
  process.kill(pid, 'SIGSTOP')
  sayEnd('encoder-late')
  expect(await death).toMatchObject({ cause: FELL_BEHIND, restarts: 1 })
  await agent.untilRunning('encoder-late')
  expect(program.pid).not.toBe(pid)
  await programService.remove(agent.ctx, OWNER, 'encoder-late')
})

test('an encoder that reported its end but keeps encoding is left alone', async () => {
  const { program, pid } = await applyAndGrowUp('encoder-on')
  sayEnd('encoder-on')
  const reportedAtMs = Date.now()
  // Two more of its reports: one of them is beyond the time that it is given to go.
  await vi.waitFor(
    () => expect(program.reading?.atMs ?? 0).toBeGreaterThan(reportedAtMs + 2500),
    WITHIN,
  )
  expect(program).toMatchObject({ pid, restarts: 0, state: 'running' })
  await programService.remove(agent.ctx, OWNER, 'encoder-on')
})
