/** The real ffmpeg runs the real command; what comes out is compared with the effective configuration. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configOf, HOST } from '@trunkline/agent/commands/encoder-config.fixture'
import { unitOf } from '@trunkline/agent/commands/program.command'
import { effectiveConfig } from '@trunkline/contract/encoders/effective-config.rules'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { rasterOf, VIDEO_FORMATS } from '@trunkline/contract/encoders/video-format.rules'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { clockSpanSeconds, muxRateBps, readTransportStream } from './transport-stream.ts'

const AUDIO_MPEG = 0x03
const AUDIO_LATM = 0x11
const VIDEO_AVC = 0x1b

/** A UDP socket on loopback that keeps what arrives. */
async function openReceiver(): Promise<{ socket: Socket; port: number; chunks: Buffer[] }> {
  const socket = createSocket('udp4')
  const chunks: Buffer[] = []
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.setRecvBufferSize(2_000_000)
  return { socket, port: socket.address().port, chunks }
}

function start(config: EncoderConfig): ChildProcess {
  const [tool = '', ...args] = unitOf({ kind: 'encoder', config, feederLegs: [] }, HOST).unit.argv
  return spawn(tool, args, { stdio: 'ignore' })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Datagrams until the stream's own clock has run for `seconds`, without their first `headerBytes`. */
async function capture(
  receiver: Awaited<ReturnType<typeof openReceiver>>,
  seconds: number,
  headerBytes: number,
): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  receiver.socket.on('message', (datagram: Buffer) => {
    receiver.chunks.push(datagram.subarray(headerBytes))
    if (receiver.chunks.length % 200 !== 0) return
    const bytes = Buffer.concat(receiver.chunks)
    if (clockSpanSeconds(readTransportStream(bytes)) >= seconds) resolve(bytes)
  })
  return promise
}

test('rule 10, CFG-41: pal over UDP has its mux rate by PCR, its PIDs, ids, language and tables', async () => {
  const receiver = await openReceiver()
  const config = configOf('pal', [`udp://127.0.0.1:${receiver.port}?ttl=1`])
  const encoder = start({
    ...config,
    'audio-stream': {
      ...config['audio-stream'],
      format: 'mp2',
      lang: 'fra',
      'mp2-mode': 'stereo',
      'audio-type': 'hearing-impaired',
    },
  })
  try {
    const stream = readTransportStream(await capture(receiver, 8, 0))
    expect(Math.abs(muxRateBps(stream) / 1_850_000 - 1)).toBeLessThan(0.005)
    expect(stream).toMatchObject({
      transportStreamId: 7,
      continuityErrors: 0,
      services: { 3: 'Trunkline 0' },
      hasNit: true,
    })
    expect(stream.nullPackets).toBeGreaterThan(0)
    expect(stream.programs).toEqual([
      {
        number: 3,
        pmtPid: 256,
        pcrPid: 512,
        streams: [
          { pid: 512, streamType: VIDEO_AVC, language: null },
          { pid: 4112, streamType: AUDIO_MPEG, language: { code: 'fra', audioType: 2 } },
        ],
      },
    ])
    expect(longestClockGapSeconds(stream.clocks)).toBeLessThan(0.04)
  } finally {
    await end(encoder)
    receiver.socket.close()
  }
})

function longestClockGapSeconds(clocks: readonly { seconds: number }[]): number {
  return Math.max(...clocks.slice(1).map((clock, at) => clock.seconds - (clocks[at]?.seconds ?? 0)))
}

test('CFG-37 one encoding over UDP and RTP at once, the same in both, at the same mux rate', async () => {
  const [udp, rtp] = await Promise.all([openReceiver(), openReceiver()])
  const encoder = start(
    configOf('pal', [`udp://127.0.0.1:${udp.port}?ttl=1`, `rtp://127.0.0.1:${rtp.port}?ttl=1`]),
  )
  try {
    const captured = await Promise.all([capture(udp, 3, 0), capture(rtp, 3, 12)])
    for (const stream of captured.map(readTransportStream)) {
      expect(Math.abs(muxRateBps(stream) / 1_850_000 - 1)).toBeLessThan(0.005)
      expect(stream.programs[0]).toMatchObject({ number: 3, pmtPid: 256, pcrPid: 512 })
      expect(stream.continuityErrors).toBe(0)
    }
  } finally {
    await end(encoder)
    udp.socket.close()
    rtp.socket.close()
  }
})

const Probe = z.object({
  streams: z.array(
    z.object({
      codec_name: z.string().optional(),
      profile: z.string().optional(),
      width: z.number().optional(),
      height: z.number().optional(),
      level: z.number().optional(),
      field_order: z.string().optional(),
      display_aspect_ratio: z.string().optional(),
      r_frame_rate: z.string(),
    }),
  ),
})

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'encoder-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

/** Runs the command as fast as it goes, into a file instead of the network; answers the file. */
function encodeToFile(config: EncoderConfig, folder: string): string {
  const { argv } = unitOf({ kind: 'encoder', config, feederLegs: [] }, HOST).unit
  const file = join(folder, 'out.ts')
  const args = argv.slice(1, -1).filter((word) => word !== '-re')
  const run = spawnSync(argv[0] ?? '', [...args, '-t', '0.6', '-y', file], { encoding: 'utf8' })
  expect(run.stderr).not.toMatch(/\[(error|fatal|warning)\]/)
  expect(run.status).toBe(0)
  return file
}

function probe(file: string) {
  const run = spawnSync('ffprobe', ['-v', 'error', '-show_streams', '-of', 'json', file], {
    encoding: 'utf8',
  })
  return Probe.parse(JSON.parse(run.stdout)).streams
}

test.each(VIDEO_FORMATS)('CFG-41 %s has its size, rate, fields, profile and level', (format) => {
  using folder = temporaryFolder()
  const asked = configOf(format, ['udp://127.0.0.1:5000?ttl=1'])
  const { 'video-stream': effective } = effectiveConfig(asked).config
  const { heightLines, scan, topFieldFirst, frameRate } = rasterOf(format)
  const [video] = probe(encodeToFile(asked, folder.path))
  const [numerator, denominator] = (video?.r_frame_rate ?? '').split('/').map(Number)
  expect((numerator ?? 0) / (denominator ?? 1)).toBeCloseTo(
    frameRate.numerator / frameRate.denominator,
    6,
  )
  expect(video).toMatchObject({
    codec_name: 'h264',
    profile: effective.profile === 'main' ? 'Main' : 'High',
    width: effective.width,
    height: heightLines,
    level: Number(effective.level) * 10,
    display_aspect_ratio: '16:9',
    field_order: scan === 'progressive' ? 'progressive' : topFieldFirst ? 'tt' : 'bb',
  })
})

test('CFG-33 CFG-34 AAC in LATM and intra refresh go through, generic tables carry no NIT', () => {
  using folder = temporaryFolder()
  const config = configOf('pal', ['udp://127.0.0.1:5000?ttl=1'])
  const { lang, pid } = config['audio-stream']
  const file = encodeToFile(
    {
      ...config,
      'video-stream': { ...config['video-stream'], 'intra-refresh': 1, 'aspect-ratio': '4:3' },
      'audio-stream': {
        format: 'aac',
        bitrate: 96,
        lang,
        pid,
        'aac-profile': 'aac-lc',
        'aac-encap': 'latm',
      },
      muxer: { ...config.muxer, 'ts-type': 'generic', cbr: 0 },
    },
    folder.path,
  )
  const stream = readTransportStream(readFileSync(file))
  expect(stream.programs[0]?.streams.map((one) => one.streamType)).toEqual([VIDEO_AVC, AUDIO_LATM])
  expect(stream.hasNit).toBe(false)
  expect(probe(file)[0]).toMatchObject({ display_aspect_ratio: '4:3' })
})
