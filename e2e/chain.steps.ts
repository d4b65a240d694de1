/** The demo chain's processes on the host, found by what they run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { processTree } from '../bench/kit/figure.ts'
import { supervisorPid } from '../bench/kit/site.ts'
import type { DemoSite } from '@trunkline/testbed/demo'

export const chainParts = ['encoder', 'input', 'channel program'] as const
export type ChainPart = (typeof chainParts)[number]

/** Null stands for a process that is not there at the moment. */
export function victims(site: DemoSite): Record<ChainPart, number | null> {
  const tree = processTree(supervisorPid(site.dataDir))
  const find = (pattern: RegExp) =>
    tree.find((running) => pattern.test(running.command))?.pid ?? null
  return {
    encoder: find(/^ffmpeg .*-f lavfi/),
    input: find(
      new RegExp(`^srt-live-transmit .*:${site.plan.ports.feederToInput}\\?.*mode=listener`),
    ),
    'channel program': find(new RegExp(`^ffmpeg .*-f hls .*/${shownFolder(site)}/v0\\.m3u8`)),
  }
}

/** Each input has a packager with a folder of its own: the one that viewers are shown now. */
function shownFolder(site: DemoSite): string {
  const streams = join(site.dataDir, 'agent', 'streams')
  const playlists = readdirSync(streams, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(streams, entry.name, 'v0.m3u8'))
    .filter((file) => existsSync(file))
  const text = playlists.map((file) => readFileSync(file, 'utf8')).join('')
  return (
    /^([0-9a-f]{10})-v0-\d+\.ts\n?$/m.exec(text.trimEnd().split('\n').at(-1) ?? '')?.[1] ?? 'none'
  )
}

/** Refuses what is no pid: a signal to 0 would end our own process group. */
export function killHard(pid: number | null | undefined): void {
  if (!pid) throw new Error('There is no such process to kill.')
  process.kill(pid, 'SIGKILL')
}
