/** The demo chain's processes on the host, found by what they run. */
import { processTree } from '../bench/figure.ts'
import { supervisorPid } from '../bench/site.ts'
import type { DemoSite } from '@trunkline/testbed/demo'

export const chainParts = ['encoder', 'input', 'channel program'] as const
export type ChainPart = (typeof chainParts)[number]

/** Null stands for a process that is not there at the moment. */
export function victims(site: DemoSite): Record<ChainPart, number | null> {
  const tree = processTree(supervisorPid(site.dataDir))
  const find = (pattern: RegExp) => tree.find((one) => pattern.test(one.command))?.pid ?? null
  return {
    encoder: find(/^ffmpeg .*-f lavfi/),
    input: find(
      new RegExp(`^srt-live-transmit .*:${site.plan.ports.feederToInput}\\?.*mode=listener`),
    ),
    'channel program': find(/^ffmpeg .*-f hls/),
  }
}

/** Refuses what is no pid: a signal to 0 would end our own process group. */
export function killHard(pid: number | null | undefined): void {
  if (!pid) throw new Error('There is no such process to kill.')
  process.kill(pid, 'SIGKILL')
}
