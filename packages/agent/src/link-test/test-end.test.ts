/** Both ends in this thread: what holds it up holds up both. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createSocket } from 'node:dgram'
import type { LinkTestReport } from '@trunkline/contract/agent/link-test.messages'
import { expect, test } from 'vitest'
import { TestCaller } from './test-caller.ts'
import { TestResponder } from './test-responder.ts'

const LOOPBACK = '127.0.0.1'
/** In each phase of the caller: longer than either end listens to silence then. */
const HELD_UP_MS = { waiting: 8500, out: 3500, back: 3500 }
type Phase = keyof typeof HELD_UP_MS

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, LOOPBACK)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}

/** As a machine does that has no core for it; nothing else happens in this thread meanwhile. */
function holdUp(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)
}

/** How both ends end, held up once in that phase. */
async function outcomesHeldUpIn(phase: Phase) {
  const port = await freePort()
  const load = {
    testId: randomBytes(16).toString('hex'),
    rateKbps: 1000,
    durationMs: 1000,
    port,
  }
  let isHeldUp = false
  const over = [0, 1].map(() => Promise.withResolvers<LinkTestReport['outcome']>())
  const reportTo = (at: number) => (report: LinkTestReport) => {
    if (at === 1 && report.phase === phase && phase !== 'waiting' && !isHeldUp) {
      isHeldUp = true
      holdUp(HELD_UP_MS[phase])
    }
    if (report.outcome !== null) over[at]?.resolve(report.outcome)
  }
  const opened = Promise.withResolvers<void>()
  const open = { ...load, callerIps: [LOOPBACK] }
  const responder = new TestResponder(open, opened.resolve, reportTo(0))
  await opened.promise
  const call = { ...load, host: LOOPBACK }
  const atOnce = () => phase === 'waiting' && holdUp(HELD_UP_MS.waiting)
  const caller = new TestCaller(call, atOnce, reportTo(1))
  const outcomes = await Promise.all(over.map(async ({ promise }) => promise))
  for (const end of [responder, caller]) end.end('cancelled')
  return outcomes
}

test.each(Object.keys(HELD_UP_MS) as Phase[])(
  'an end that stalled while %s does not take that time for silence',
  async (phase) => {
    expect(await outcomesHeldUpIn(phase)).toEqual(['done', 'done'])
  },
)
