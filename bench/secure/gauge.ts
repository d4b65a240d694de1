/** For how long a process of a proof was held up. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { round } from '../kit/figure.ts'

export interface Gauge {
  blockedMs: number
  ranMs: number
}

/** Since the last question; the first one starts the measurement. */
export async function gaugeOf(child: ChildProcess): Promise<Gauge> {
  child.send({ type: 'gauge' })
  for (;;) {
    const [message] = (await once(child, 'message')) as [Gauge & { type: string }]
    if (message.type !== 'gauge') continue
    return { blockedMs: round(message.blockedMs), ranMs: round(message.ranMs) }
  }
}
