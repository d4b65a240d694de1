/** The real ffmpeg takes the command of every format; what comes out is compared with the effective configuration. */
import { spawnSync } from 'node:child_process'
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
import { firstPictureText, readTransportStream } from './transport-stream.ts'

const AUDIO_LATM = 0x11
const VIDEO_AVC = 0x1b

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

/** x264 writes its own settings into the first picture of a stream, as `name=value`. */
function encoderSettings(file: string): Record<string, string> {
  const text = firstPictureText(readFileSync(file))
  return Object.fromEntries(
    [...text.matchAll(/ (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

test('CFG-08 CFG-41 rates, buffer, references and threads of the stream are as configured', () => {
  using folder = temporaryFolder()
  const config = configOf('ntsc', ['udp://127.0.0.1:5000?ttl=1'])
  const asked: EncoderConfig = {
    ...config,
    'video-stream': {
      ...config['video-stream'],
      bitrate: 1100,
      'vbv-maxrate': 1200,
      'vbv-bufsize': 900,
      'max-refs': 3,
      threads: 3,
      keyint: 31,
    },
  }
  expect(effectiveConfig(asked).config).toEqual(asked)
  expect(encoderSettings(encodeToFile(asked, folder.path))).toMatchObject({
    bitrate: '1100',
    vbv_maxrate: '1200',
    vbv_bufsize: '900',
    ref: '3',
    threads: '3',
    keyint: '31',
    intra_refresh: '0',
    interlaced: 'bff',
  })
})

test('CFG-33 CFG-34 AAC in LATM and intra refresh go through, generic tables carry no NIT', () => {
  using folder = temporaryFolder()
  const config = configOf('pal', ['udp://127.0.0.1:5000?ttl=1'])
  const { lang, pid } = config['audio-stream']
  const file = encodeToFile(
    {
      ...config,
      'video-stream': { ...config['video-stream'], 'intra-refresh': 1, 'max-refs': 4 },
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
  expect(stream.programs[0]?.streams.map((stream) => stream.streamType)).toEqual([
    VIDEO_AVC,
    AUDIO_LATM,
  ])
  expect(stream.hasNit).toBe(false)
  expect(encoderSettings(file)).toMatchObject({ intra_refresh: '1', ref: '1' })
})
