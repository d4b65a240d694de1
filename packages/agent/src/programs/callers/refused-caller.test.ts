import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { srtLeg } from '../../commands/leg.fixture.ts'
import {
  eventually,
  freeUdpPort,
  LIFE_LIMIT_MS,
  openTestAgent,
  shared,
  unitOf,
  untilReport,
} from '../../agent.fixture.ts'
import { NO_PEER_YET, PEER_IS_HERE } from '../../logs/peer-state.ts'
import { childrenOf } from '../../supervisor/process-identity.ts'
import * as programService from '../program.service.ts'
import { newProgram, type Program } from '../program.ts'
import { RefusedCallers } from './refused-caller.ts'

const REFUSED = {
  ...NO_PEER_YET,
  tries: 3,
  trouble: 'The two ends have different passphrases.',
  rejections: 1,
}

function caller(peer: Program['peer'], more: Partial<Program> = {}): Program {
  const unit = unitOf([], { output: 'srt', repeat: 'after-clean-exit', direction: 'send' })
  const applied = { owner: 'test', programId: 'feeder-1', revision: '', unit, ports: [], bus: null }
  const made = newProgram({ ...applied, spec: null, wanted: 'running' }, 0)
  return { ...made, state: 'running', pid: 7, peer, ...more }
}

function hangingAfter(durationMs: number, first: Program, then: Program): number {
  const callers = new RefusedCallers()
  expect(callers.hanging([first], 0)).toEqual([])
  return callers.hanging([then], durationMs).length
}

test('a refused caller that makes no other attempt counts as hung', () => {
  const refused = caller(REFUSED)
  expect(hangingAfter(3000, refused, refused)).toBe(0)
  expect(hangingAfter(4000, refused, refused)).toBe(1)
})

test('a caller that retries, connects or is restarted does not count as hung', () => {
  const refused = caller(REFUSED)
  expect(hangingAfter(9000, refused, caller({ ...REFUSED, tries: 4 }))).toBe(0)
  expect(hangingAfter(9000, refused, caller(PEER_IS_HERE))).toBe(0)
  expect(hangingAfter(9000, refused, caller(REFUSED, { pid: 8 }))).toBe(0)
})

test('a caller that nobody answers, and what does not call, are left alone', () => {
  const unanswered = caller({ ...NO_PEER_YET, tries: 3 })
  expect(hangingAfter(9000, unanswered, unanswered)).toBe(0)
  const listener = caller(REFUSED, { unit: unitOf([], { output: 'srt' }) })
  expect(hangingAfter(9000, listener, listener)).toBe(0)
})

/** Not the tool, which would be held in the middle of a try, nor what the script asks for the time. */
function isPause(pid: number): boolean {
  return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n'
}

const agent = shared(async () => openTestAgent())
let outer: number
beforeAll(async () => {
  outer = await freeUdpPort()
})

test(
  'a hung caller is ended, and its script calls again',
  async () => {
    const local = { ip: '127.0.0.1', port: await freeUdpPort(), ttl: 1 }
    const apply = async (programId: string, kind: 'sender' | 'receiver', passphrase: string) =>
      programService.apply(agent.ctx, 'acants-0', {
        programId,
        revision: passphrase,
        spec: {
          kind,
          local,
          outer: srtLeg(kind === 'sender' ? 'call' : 'listen', outer, {
            key: { passphrase, bits: 128 },
          }),
        },
        wanted: 'running',
      })
    await apply('in', 'receiver', 'a-passphrase-of-mine')
    await apply('out', 'sender', 'another-passphrase')
    const { pid } = await untilReport(
      agent.ctx,
      'out',
      (report) => report.pid !== null && /passphrases/.test(report.cause),
    )
    // Held at its pause it makes no try, as a tool that hangs makes none.
    let held: number[] = []
    await eventually(() => {
      held = childrenOf(pid ?? 0).flatMap((child) => (isPause(child.pid) ? [child.pid] : []))
      expect(held.length).toBeGreaterThan(0)
      for (const child of held) process.kill(child, 'SIGSTOP')
    })
    await eventually(() => {
      const now = childrenOf(pid ?? 0).map((child) => child.pid)
      expect(now.filter((child) => held.includes(child))).toEqual([])
    })
    // The script itself goes on: nothing was started again.
    expect(programService.report(agent.ctx, 'out')).toMatchObject({ pid, restarts: 0 })
  },
  LIFE_LIMIT_MS,
)
