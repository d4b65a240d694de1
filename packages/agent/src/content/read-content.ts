/** What is to be seen and heard in a piece of a stream: some points of its key frames, and how loud it is. */
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Points } from '@trunkline/contract/channels/picture.rules'
import { toolEnvironment } from '../config.ts'

/** As the console looks at the picture on the screen. */
const WIDTH = 16
const HEIGHT = 9
const PICTURE_BYTES = WIDTH * HEIGHT * 4
const SAMPLE_RATE = 8000
const SAMPLE_BYTES = 2
/** More are mixed down to these, and a single one is heard on both. */
const CHANNELS = 2
/** Loudness is judged in steps of a tenth of a second. */
const STEP_SAMPLES = SAMPLE_RATE / 10
/** It takes 0.1 s on an idle machine. */
const LIMIT_MS = 5000
/** A segment of a minute has a third of this. */
const MAX_BYTES = 4 * 1024 * 1024

export interface Content {
  /** Of its key frames, evenly spread over it. */
  pictures: readonly Points[]
  /** The largest sample of each tenth of a second, 0 to 32768. */
  peaks: readonly number[]
  /** The largest sample of all, left and right; none without sound. */
  channelPeaks: readonly number[]
}

export interface ContentTracks {
  hasPicture: boolean
  hasSound: boolean
}

/** A segment in a file, packets of a transport stream, or a picture. */
export type ContentSource = { file: string } | { bytes: Uint8Array; format: 'mpegts' | 'jpeg_pipe' }

/** Null when it cannot be read: the packager may have deleted it meanwhile. */
export async function readContent(
  source: ContentSource,
  tracks: ContentTracks,
): Promise<Content | null> {
  if (!tracks.hasPicture && !tracks.hasSound) return null
  const child = spawn('ffmpeg', argsOf(source, tracks), {
    env: toolEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  // It may end before it has read all.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end('bytes' in source ? source.bytes : undefined)
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (code) => resolve(code))
  })
  const [pictures, sound, code] = await Promise.all([
    bytesOf(child.stdio[1] as Readable),
    bytesOf(child.stdio[3] as Readable),
    ended,
  ])
  return code === 0 ? { pictures: picturesIn(pictures), ...peaksIn(sound) } : null
}

/** One thread: a look may not cost a busy host more than it must. */
function argsOf(source: ContentSource, { hasPicture, hasSound }: ContentTracks): string[] {
  const common = ['-nostdin', '-v', 'fatal', '-threads', '1', '-skip_frame:v', 'nokey']
  const [format, url] =
    'file' in source ? ['mpegts', `file:${source.file}`] : [source.format, 'pipe:0']
  const input = ['-protocol_whitelist', 'file,pipe', '-f', format, '-i', url]
  const scale = `scale=${WIDTH}:${HEIGHT}:flags=area,format=rgba`
  const pictures = ['-map', '0:v:0', '-vf', scale, '-vsync', 'passthrough', '-f', 'rawvideo']
  const sound = ['-map', '0:a:0', '-ac', `${CHANNELS}`, '-ar', `${SAMPLE_RATE}`, '-f', 's16le']
  return [
    ...common,
    ...input,
    ...(hasPicture ? [...pictures, 'pipe:1'] : []),
    ...(hasSound ? [...sound, 'pipe:3'] : []),
  ]
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes <= MAX_BYTES) parts.push(part)
    }
  } catch {
    // The process was ended; its code tells.
  }
  return Buffer.concat(parts)
}

function picturesIn(bytes: Buffer): Points[] {
  const count = Math.floor(bytes.length / PICTURE_BYTES)
  return Array.from({ length: count }, (_, at) =>
    Uint8ClampedArray.from(bytes.subarray(at * PICTURE_BYTES, (at + 1) * PICTURE_BYTES)),
  )
}

function peaksIn(bytes: Buffer): Pick<Content, 'peaks' | 'channelPeaks'> {
  const frames = Math.floor(bytes.length / (SAMPLE_BYTES * CHANNELS))
  const channelPeaks = frames === 0 ? [] : Array.from({ length: CHANNELS }, () => 0)
  const peaks = Array.from({ length: Math.ceil(frames / STEP_SAMPLES) }, (_, step) => {
    const end = Math.min(frames, (step + 1) * STEP_SAMPLES)
    let peak = 0
    for (let at = step * STEP_SAMPLES; at < end; at++) {
      for (let channel = 0; channel < CHANNELS; channel++) {
        const sample = Math.abs(bytes.readInt16LE((at * CHANNELS + channel) * SAMPLE_BYTES))
        peak = Math.max(peak, sample)
        channelPeaks[channel] = Math.max(channelPeaks[channel] ?? 0, sample)
      }
    }
    return peak
  })
  return { peaks, channelPeaks }
}
