/** The API's event loop while a bench runs: nothing may block it for longer than a person notices. */
import type { OwnProcess } from '@trunkline/testbed/child'
import { atMost, type Goal } from './figure.ts'

const BLOCKED_AT_MOST_MS = 50

export interface LoopWatch {
  /** Of the time since the last question; starts anew. */
  goal(of?: string): Promise<Goal>
}

/** Measures from now on. */
export async function watchLoop({ readGauge }: Pick<OwnProcess, 'readGauge'>): Promise<LoopWatch> {
  await readGauge()
  return {
    async goal(of = '') {
      const { blockedMs } = await readGauge()
      return loopGoal(blockedMs, of)
    },
  }
}

function loopGoal(blockedMs: number, of = ''): Goal {
  const name = of === '' ? 'event loop blocked' : `event loop blocked, ${of}`
  return atMost(name, blockedMs, BLOCKED_AT_MOST_MS, 'ms')
}
