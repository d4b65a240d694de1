/**
 * Loaded into an API before its own code (NODE_OPTIONS=--import): answers its parent's question what it has in use once
 * all garbage is collected, and how much is resident; at the end (`givesBack`) once V8 has given back the pages that it
 * had kept for more.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface InUseQuestion {
  type: 'in use?'
  givesBack: boolean
}

export interface InUse {
  type: 'in use'
  /** Of the heap, and outside of it what belongs to objects of the heap. */
  usedMb: number
  residentMb: number
}

setFlagsFromString('--expose-gc')
type Flavor = 'regular' | 'last-resort'
const collect = runInNewContext('gc') as (how: { type: 'major'; flavor: Flavor }) => void

process.on('message', (message: Partial<InUseQuestion>) => {
  if (message.type !== 'in use?') return
  const flavor = message.givesBack === true ? 'last-resort' : 'regular'
  // What the first one finalizes the second one frees.
  for (let turn = 0; turn < 2; turn += 1) collect({ type: 'major', flavor })
  const { heapUsed, external, rss } = process.memoryUsage()
  const [usedMb, residentMb] = [(heapUsed + external) / 1e6, rss / 1e6]
  process.send?.({ type: 'in use', usedMb, residentMb } satisfies InUse)
})
