/** What the small picture of a running encoder costs: the same encoder with it and without, side by side. */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { HostFacts } from '@trunkline/agent/commands/host-facts'
import { unitOf } from '@trunkline/agent/commands/program.command'
import { factsOf, lookAtHost } from '@trunkline/agent/host/host'
import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import {
  keyintOf,
  presetOf,
  type VideoFormat,
} from '@trunkline/contract/encoders/video-format.rules'
import { demoEncoderConfig } from '@trunkline/testbed/demo-site'
import { sitePlan, type SitePlan } from '@trunkline/testbed/site-plan'
import { claimRange } from '@trunkline/testbed/site-range'
import { atMost, cpuSecondsOf, median, printFigure, round } from './kit/figure.ts'

const ROUNDS = 3
const WINDOW_SECONDS = 20
/** Start-up is no part of what runs for months. */
const SETTLE_SECONDS = 3
const PICTURE = 'picture.jpg'
/** More would be felt on a host with ten encoders. */
const LIMIT_CORES = 0.02

type Encoder = ChildProcessByStdio<null, Readable, null>

const folder = mkdtempSync(join(tmpdir(), 'trunkline-thumbnail-'))
const life = new AsyncDisposableStack()
try {
  const range = life.use(await claimRange(null))
  const plan = await sitePlan(folder, range.ports, range.number, life)
  const sources = [{ cardIdx: 0, kind: 'test-pattern' as const, device: '' }]
  const facts = factsOf(await lookAtHost({ dataDir: folder, seats: [], sources }))
  const pal = await measured(configFor(plan, 'pal'), facts)
  const hd = await measured(configFor(plan, '1080i50'), facts)
  printFigure({
    bench: 'thumbnail',
    rounds: ROUNDS,
    ours: { pal: pal.ours, '1080i50': hd.ours },
    limit: { pal: pal.limit, '1080i50': hd.limit },
    goals: [
      atMost('picture of pal', pal.ours.pictureCores, LIMIT_CORES, 'cores'),
      atMost('picture of 1080i50', hd.ours.pictureCores, LIMIT_CORES, 'cores'),
    ],
  })
} finally {
  await life.disposeAsync()
  rmSync(folder, { recursive: true, force: true })
}

/** Both at once, so that whatever else this machine does is the same for both. */
async function measured(config: EncoderConfig, facts: HostFacts) {
  const pairs: [number, number][] = []
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const withPicture = coresOf(config, { ...facts, pictureFile: PICTURE })
    pairs.push(await Promise.all([withPicture, coresOf(config, { ...facts, pictureFile: '' })]))
  }
  if (!existsSync(join(folder, PICTURE))) throw new Error('No picture was taken.')
  rmSync(join(folder, PICTURE))
  return {
    ours: {
      cores: round(median(pairs.map(([own]) => own))),
      pictureCores: round(median(pairs.map(([own, bare]) => own - bare))),
    },
    limit: { coresWithout: round(median(pairs.map(([, bare]) => bare))) },
  }
}

/** CPU seconds per second of stream: an encoder that a busy machine holds up is not the cheaper for it. */
async function coresOf(config: EncoderConfig, facts: HostFacts): Promise<number> {
  const { argv } = unitOf({ kind: 'encoder', config, feederLegs: [] }, facts).unit
  const [tool = '', ...args] = argv
  const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'ignore'], cwd: folder })
  const ended = once(child, 'exit')
  try {
    const first = await progressFrom(child, SETTLE_SECONDS)
    const last = await progressFrom(child, first.encodedSeconds + WINDOW_SECONDS)
    return (last.cpuSeconds - first.cpuSeconds) / (last.encodedSeconds - first.encodedSeconds)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** ffmpeg tells every two seconds how far it is; resolves with the first word past `seconds`. */
async function progressFrom(child: Encoder, seconds: number) {
  const words: AsyncIterable<Buffer> = child.stdout.iterator({ destroyOnReturn: false })
  for await (const chunk of words) {
    const word = /^out_time_us=(\d+)$/m.exec(chunk.toString())?.[1]
    const encodedSeconds = Number(word ?? 0) / 1_000_000
    if (encodedSeconds < seconds) continue
    return { encodedSeconds, cpuSeconds: cpuSecondsOf(child.pid ?? 0) }
  }
  throw new Error('The encoder ended before its time.')
}

function configFor(plan: SitePlan, format: VideoFormat): EncoderConfig {
  const preset = presetOf(format)
  const pal = demoEncoderConfig(plan)
  return EncoderConfig.parse({
    ...pal,
    'video-format': format,
    'video-stream': {
      ...pal['video-stream'],
      bitrate: preset.videoBitrateKbps,
      keyint: keyintOf(format),
      'vbv-bufsize': preset.vbvBufsizeKbit,
      'vbv-maxrate': preset.vbvMaxrateKbps,
      profile: preset.profile,
      level: preset.level,
      width: preset.widthPixels,
    },
    'audio-stream': { ...pal['audio-stream'], bitrate: preset.audioBitrateKbps },
    muxer: { ...pal.muxer, 'ts-muxrate': preset.muxRateBps },
  })
}
