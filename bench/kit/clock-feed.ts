/** A camera of the bench's own: an encoder that paints the clock, and an SRT sender to a channel server. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { options } from '@trunkline/agent/commands/option.command'
import { freeUdpPort } from '@trunkline/testbed/free-port'
import {
  clockFilters,
  PICTURE_SIZE,
  PICTURES_A_SECOND,
  type PictureSource,
} from './clock-picture.ts'

/** As the demo's camera is set up (pal): a key frame every 0.96 s. */
const KEY_FRAME_DISTANCE = 24
const MUX_RATE_BPS = 1_850_000
/** A little more than the stream's own rate, or the pacing would fall behind it (dataplane.md 0.1). */
const PACING_BPS = Math.round(MUX_RATE_BPS * 1.02)

export interface ClockFeed extends AsyncDisposable {
  /** As a power cut would: without a word to the far end. Resolves once it is gone. */
  killSender(): Promise<void>
  startSender(): void
}

export interface FeedPlan {
  source: PictureSource
  /** Where the channel server listens for SRT, on loopback. */
  port: number
  latencyMs: number
}

const given = new Set<number>()

/** A free port of this host, not given out before. */
export async function nextFeedPort(): Promise<number> {
  // Below the channel server's own 28000, beside the demo's 20000 to 27400.
  const port = await freeUdpPort(14_000 + 2 * (process.pid % 1000), given)
  given.add(port)
  return port
}

export async function openClockFeed({ source, port, latencyMs }: FeedPlan): Promise<ClockFeed> {
  const between = await nextFeedPort()
  const encoder = start('ffmpeg', encoderArgs(source, between))
  const startSender = () =>
    start('srt-live-transmit', [
      `udp://127.0.0.1:${between}?rcvbuf=2000000`,
      `srt://127.0.0.1:${port}?mode=caller&latency=${latencyMs}`,
    ])
  let sender = startSender()
  return {
    killSender: async () => end(sender, 'SIGKILL'),
    startSender: () => {
      sender = startSender()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([end(sender, 'SIGKILL'), end(encoder, 'SIGKILL')])
    },
  }
}

function encoderArgs(source: PictureSource, port: number): string[] {
  const picture = `smptebars=size=${PICTURE_SIZE}:rate=${PICTURES_A_SECOND}`
  return [
    '-nostdin',
    '-hide_banner',
    ...options({ loglevel: 'error' }),
    '-re',
    ...options({ f: 'lavfi', i: picture }),
    '-re',
    ...options({ f: 'lavfi', i: 'sine=frequency=1000:sample_rate=48000' }),
    ...options({ vf: `${clockFilters(source)},format=yuv420p` }),
    ...options({ 'c:v': 'libx264', preset: 'veryfast', tune: 'zerolatency', bf: 0, threads: 2 }),
    ...options({ 'b:v': '1500k', maxrate: '1500k', bufsize: '1000k' }),
    ...options({ g: KEY_FRAME_DISTANCE, sc_threshold: 0, 'x264-params': 'force-cfr=1' }),
    ...options({ 'c:a': 'mp2', 'b:a': '128k', ac: 2 }),
    ...options({ f: 'mpegts', muxrate: MUX_RATE_BPS }),
    `udp://127.0.0.1:${port}?pkt_size=1316&bitrate=${PACING_BPS}`,
  ]
}

/** Ends with this process, however that ends. */
function start(command: string, args: string[]): ChildProcess {
  return spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], { stdio: 'ignore' })
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
