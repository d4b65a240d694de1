import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { quietLog, temporaryFolder, unitOf } from '../agent.fixture.ts'
import { logFile, openLayout } from '../supervisor/layout.ts'
import { ProgramBoard } from './program-board.ts'
import { newProgram } from './program.ts'
import { ProgramLogs } from './program-logs.ts'
import { ProgramRecords } from './program-records.ts'
import { ProgramWatch } from './program-watch.ts'

const START_MS = 1_000_000
const COUNTERS = {
  packetsUnique: 0,
  packetsLost: 0,
  packetsDropped: 0,
  packetsRetransmitted: 0,
  mbitRate: 0,
  bytesUnique: 0,
}
const SAMPLE = {
  link: { rtt: 1 },
  send: COUNTERS,
  recv: { ...COUNTERS, packetsUnique: 200, mbitRate: 4.5, bytesUnique: 250_000 },
}

test('after a stall of the agent the lines of that time are read before media counts as silent', () => {
  const layout = openLayout(temporaryFolder())
  let nowMs = START_MS
  const clock = () => nowMs
  const [board, log] = [new ProgramBoard(), quietLog()]
  using logs = new ProgramLogs(layout, clock)
  const records = new ProgramRecords({ layout, board, logs, log })
  const watch = new ProgramWatch({ board, logs, records, log, clock })
  const unit = unitOf([], { output: 'srt', direction: 'receive' })
  const applied = { owner: 'test', programId: 'input-1', revision: '', unit, ports: [], bus: null }
  const program = {
    ...newProgram({ ...applied, spec: null, wanted: 'running' }, START_MS),
    state: 'running' as const,
    startedAtMs: START_MS,
    pid: 7,
  }
  const outFile = logFile(layout, program.id, 'out')
  appendFileSync(outFile, '')
  watch.follow(program, null)
  program.reading = {
    kind: 'link',
    protocol: 'srt',
    direction: 'receive',
    atMs: nowMs,
    bitrateKbps: 4500,
    rttMs: 1,
    packets: 100,
    lostPackets: 0,
    retransmittedPackets: 0,
    droppedPackets: 0,
  }
  watch.look(program)

  // Nothing else ran in between: the watch on the folder has reported nothing yet.
  nowMs += 10_000
  const timepoint = new Date(nowMs - 1000).toISOString().replace('Z', '+0000')
  appendFileSync(outFile, `${JSON.stringify({ ...SAMPLE, timepoint })}\n`)
  watch.look(program)
  expect(program.observed?.media).toBe('moving')

  nowMs += 60_000
  watch.look(program)
  expect(program.observed?.media).toBe('silent')
})
