/**
 * A live playlist made of pieces that do not fit together: other sizes, other clocks, no sound. What
 * a channel server lists when it changes from one source to another.
 */
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Piece {
  width: number
  height: number
  /** Where its clock begins, seconds. */
  clockS: number
  /** Samples per second; null for no sound. */
  soundHz: number | null
  profile: 'baseline' | 'high'
}

const SEGMENTS_PER_PIECE = 6
/** A playlist as a channel server has it. */
const LISTED = 6
/** All of them last one second. */
const SEGMENT_MS = 1000

interface Segment {
  file: string
  isDiscontinuous: boolean
}

/**
 * Lists one more segment each second, but only once the newest has been asked for: a machine that
 * plays slowly gets a stream that is slow.
 */
export async function serveLive(pieces: readonly Piece[], page: string) {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-pieces-'))
  const segments = (
    await Promise.all(pieces.map(async (piece, at) => make(folder, at, piece)))
  ).flat()
  let listed = 3
  const steps = setInterval(() => {
    if (asked.has(segments[listed - 1]?.file ?? '')) listed = Math.min(listed + 1, segments.length)
  }, SEGMENT_MS)
  const asked = new Set<string>()
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1)
    if (name === '') send(response, 'text/html', page)
    else if (name === 'index.m3u8')
      send(response, 'application/x-mpegurl', listOf(segments, listed))
    else if (segments.some(({ file }) => file === name)) {
      asked.add(name)
      response.setHeader('content-type', 'video/mp2t')
      createReadStream(join(folder, name)).pipe(response)
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      clearInterval(steps)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}

function send(response: ServerResponse, type: string, body: string): void {
  response.setHeader('content-type', type).setHeader('cache-control', 'no-store').end(body)
}

async function make(folder: string, at: number, piece: Piece): Promise<Segment[]> {
  const { width, height, soundHz, profile, clockS } = piece
  const lastsS = SEGMENTS_PER_PIECE * (SEGMENT_MS / 1000)
  const picture = `testsrc=size=${width}x${height}:rate=25:duration=${lastsS}`
  const tone = `sine=frequency=500:sample_rate=48000:duration=${lastsS}`
  const sound =
    soundHz === null ? ['-an'] : ['-map', '1:a', '-c:a', 'aac', '-ar', `${soundHz}`, '-b:a', '64k']
  const args = [
    ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tone],
    ['-map', '0:v', ...sound, '-c:v', 'libx264', '-preset', 'ultrafast', '-profile:v', profile],
    ['-pix_fmt', 'yuv420p', '-g', '25', '-keyint_min', '25', '-sc_threshold', '0'],
    ['-output_ts_offset', `${clockS}`, '-f', 'hls', '-hls_time', '1', '-hls_list_size', '0'],
    ['-hls_segment_filename', join(folder, `${at}-%d.ts`), join(folder, `${at}.m3u8`)],
  ]
  await run('ffmpeg', args.flat())
  const files = (await readdir(folder)).filter((file) => file.startsWith(`${at}-`))
  return files
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((file, index) => ({ file, isDiscontinuous: at > 0 && index === 0 }))
}

/** The newest `LISTED` of the first `count`, numbered as they came, never anew. */
function listOf(segments: readonly Segment[], count: number): string {
  const first = Math.max(0, count - LISTED)
  const gone = segments.slice(0, first).filter((segment) => segment.isDiscontinuous).length
  const lines = segments
    .slice(first, count)
    .map(
      ({ file, isDiscontinuous }) =>
        `${isDiscontinuous ? '#EXT-X-DISCONTINUITY\n' : ''}#EXTINF:1.0,\n${file}`,
    )
  return [
    '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1',
    `#EXT-X-MEDIA-SEQUENCE:${first}\n#EXT-X-DISCONTINUITY-SEQUENCE:${gone}`,
    ...lines,
    '',
  ].join('\n')
}
