import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { VIDEO_FORMATS, type VideoFormat } from '@trunkline/contract/encoders/video-format.rules'
import { expect, test } from 'vitest'
import { configOf, HOST } from './encoder-config.fixture.ts'
import type { HostFacts } from './host-facts.ts'
import { unitOf } from './program.command.ts'
import { CommandRefused } from './refused.ts'

const UDP = 'udp://127.0.0.1:5000?ttl=12'

function argvOf(config: EncoderConfig, facts: HostFacts = HOST): readonly string[] {
  return unitOf({ kind: 'encoder', config, feederLegs: [] }, facts).unit.argv
}

/** The value after each of these options, in their order. */
function valuesOf(argv: readonly string[], ...names: string[]): (string | undefined)[] {
  return names.map((name) => argv[argv.indexOf(name) + 1])
}

test('CFG-41 golden: pal as its preset has it', () => {
  const font =
    'drawtext=fontfile=/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf:fontcolor=white'
  const box = 'box=1:boxcolor=black@0.7:boxborderw=8:x=(w-tw)/2'
  const graph = [
    'smptebars=size=720x576:rate=50',
    `${font}:fontsize=36:${box}:y=h*0.28:text='CARD 0  pal'`,
    String.raw`${font}:fontsize=64:${box}:y=h*0.4:text='%{localtime\:%H\\\:%M\\\:%S}.%{eif\:mod(time(0)*1000,1000)\:d\:3}'`,
    String.raw`${font}:fontsize=41:y=h*0.7:x=mod(n*4\,w):text='|'`,
    'tinterlace=mode=interleave_top',
    'setfield=tff',
    'setsar=64/45',
    'format=yuv420p[out0];sine=frequency=1000:sample_rate=48000',
    'aformat=channel_layouts=stereo[out1]',
  ].join(',')
  const source = ['-re', '-f', 'lavfi', '-i', graph, '-map', '0:0', '-map', '0:1']
  const rest =
    '-c:v libx264 -preset veryfast -tune zerolatency -profile:v main -level:v 3.2' +
    ' -b:v 1500k -maxrate:v 1500k -bufsize:v 1000k -g 24 -keyint_min 12 -sc_threshold 0 -bf 0' +
    ' -threads:v 2 -refs:v 1 -flags:v +ildct+ilme -top 1' +
    ' -x264-params force-cfr=1:tff=1:weightp=0' +
    ' -c:a libtwolame -mode stereo -b:a 128k -ar 48000 -ac 2 -metadata:s:a:0 language=eng' +
    ' -streamid 0:512 -streamid 1:4112 -metadata service_name=Camera_1' +
    ' -metadata service_provider=Trunkline -f mpegts -mpegts_transport_stream_id 7' +
    ' -mpegts_service_id 3 -mpegts_pmt_start_pid 256' +
    ' -mpegts_flags +initial_discontinuity+system_b+nit -pcr_period 20 -pat_period 0.1' +
    ' -muxrate 1850000 -flush_packets 1 -muxdelay 0.7 -muxpreload 0.2' +
    ' udp://127.0.0.1:5000?ttl=12&pkt_size=1316&bitrate=1887000&burst_bits=10528&fifo_size=9841'
  const head =
    'ffmpeg -nostdin -hide_banner -nostats -loglevel level+info -stats_period 1 -progress pipe:1'
  expect(unitOf({ kind: 'encoder', config: configOf('pal', [UDP]), feederLegs: [] }, HOST)).toEqual(
    {
      unit: {
        argv: [
          ...head.split(' '),
          ...source,
          ...rest.split(' ').map((word) => word.replace('Camera_1', 'Camera 1')),
        ],
        repeat: 'never',
        output: 'ffmpeg',
        direction: 'none',
        secrets: [],
      },
      warnings: [],
    },
  )
})

test.each([
  ['a title as it is', 'Küche "Nord" – 中央', 'Küche "Nord" – 中央'],
  ['one that fits no descriptor, cut after a whole character', '中'.repeat(120), '中'.repeat(66)],
])('the service is named by %s', (_name, title, service) => {
  const config = { ...configOf('pal', [UDP]), title }
  const { unit } = unitOf({ kind: 'encoder', config, feederLegs: [] }, HOST)
  expect(unit.argv).toContain(`service_name=${service}`)
})

const SCAN: Record<VideoFormat, string> = {
  pal: 'smptebars=size=720x576:rate=50 tff=1 24 1500k',
  ntsc: 'smptebars=size=720x480:rate=60000/1001 bff=1 24 1500k',
  '720p50': 'smptehdbars=size=1280x720:rate=50 - 50 3500k',
  '720p59.94': 'smptehdbars=size=1280x720:rate=60000/1001 - 50 3500k',
  '720p60': 'smptehdbars=size=1280x720:rate=60 - 50 3500k',
  '1080i50': 'smptehdbars=size=1920x1080:rate=50 tff=1 50 3910k',
  '1080i59.94': 'smptehdbars=size=1920x1080:rate=60000/1001 tff=1 50 3910k',
  '1080i60': 'smptehdbars=size=1920x1080:rate=60 tff=1 50 3910k',
  '1080p23.98': 'smptehdbars=size=1920x1080:rate=24000/1001 - 24 3910k',
  '1080p24': 'smptehdbars=size=1920x1080:rate=24 - 24 3910k',
  '1080p25': 'smptehdbars=size=1920x1080:rate=25 - 24 3910k',
  '1080p29.97': 'smptehdbars=size=1920x1080:rate=30000/1001 - 30 3910k',
  '1080p30': 'smptehdbars=size=1920x1080:rate=30 - 30 3910k',
  '1080p50': 'smptehdbars=size=1920x1080:rate=50 - 50 3910k',
  '1080p59.94': 'smptehdbars=size=1920x1080:rate=60000/1001 - 50 3910k',
  '1080p60': 'smptehdbars=size=1920x1080:rate=60 - 50 3910k',
}

test.each(VIDEO_FORMATS)('CFG-41 golden: source, fields, GOP and rate of %s', (format) => {
  const argv = argvOf(configOf(format, [UDP]))
  const [graph, params, keyint, rate] = valuesOf(argv, '-i', '-x264-params', '-g', '-b:v')
  const field = /[tb]ff=1/.exec(params ?? '')?.[0] ?? '-'
  expect(`${graph?.split(',')[0]} ${field} ${keyint} ${rate}`).toBe(SCAN[format])
  expect(graph?.includes('tinterlace')).toBe(field !== '-')
})

test.each([
  ['pal', '16:9', 720, '64/45'],
  ['pal', '4:3', 720, '16/15'],
  ['pal', '16:9', 1024, '1/1'],
  ['ntsc', '16:9', 720, '32/27'],
  ['720p50', '16:9', 960, '4/3'],
  ['1080p25', '16:9', 1280, '3/2'],
  ['1080p25', '4:9', 1920, '1/4'],
] as const)('CFG-27 CFG-29 %s %s %i wide has pixels of %s', (format, aspect, width, pixel) => {
  const config = configOf(format, [UDP])
  const video = { ...config['video-stream'], 'aspect-ratio': aspect, width }
  const [graph] = valuesOf(argvOf({ ...config, 'video-stream': video }), '-i')
  expect(graph).toContain(`,setsar=${pixel},`)
  expect(graph).toContain(`size=${width}x`)
})

test('CFG-31 to CFG-34 sound: dual channel, audio type, AAC in LATM', () => {
  const config = configOf('pal', [UDP])
  const mp2 = argvOf({
    ...config,
    'audio-stream': {
      ...config['audio-stream'],
      format: 'mp2',
      lang: 'fra',
      'mp2-mode': 'joint-stereo',
      'audio-type': 'hearing-impaired',
    },
  })
  expect(valuesOf(mp2, '-mode', '-disposition:a:0', '-metadata:s:a:0')).toEqual([
    'joint_stereo',
    'hearing_impaired',
    'language=fra',
  ])
  const { bitrate, lang, pid } = config['audio-stream']
  const aac = argvOf({
    ...config,
    'audio-stream': {
      format: 'aac',
      bitrate,
      lang,
      pid,
      'aac-profile': 'aac-lc',
      'aac-encap': 'latm',
    },
  })
  expect(valuesOf(aac, '-c:a', '-profile:a', '-mpegts_flags')).toEqual([
    'aac',
    'aac_low',
    '+initial_discontinuity+system_b+nit+latm',
  ])
})

test('without a constant mux rate nothing is stuffed or paced', () => {
  const config = configOf('pal', [UDP])
  const argv = argvOf({ ...config, muxer: { ...config.muxer, cbr: 0, 'ts-type': 'generic' } })
  expect(argv).not.toContain('-muxrate')
  expect(argv.at(-1)).toBe('udp://127.0.0.1:5000?ttl=12&pkt_size=1316')
  expect(valuesOf(argv, '-mpegts_flags')).toEqual(['+initial_discontinuity'])
})

test('CFG-37 several outputs share one encoding, and Q99 a feeder gets a leg of its own', () => {
  const config = configOf('pal', [UDP, 'rtp://192.0.2.9:5004?ttl=3'])
  const feederLegs = [
    { ip: '127.0.0.1', port: 5000, ttl: 1 },
    { ip: '239.1.2.3', port: 5002, ttl: 1 },
  ]
  const { unit, warnings } = unitOf({ kind: 'encoder', config, feederLegs }, HOST)
  const mux =
    'mpegts_transport_stream_id=7:mpegts_service_id=3:mpegts_pmt_start_pid=256:mpegts_flags=+initial_discontinuity+system_b+nit:pcr_period=20:pat_period=0.1:muxrate=1850000:flush_packets=1:max_delay=700000'
  const inner = mux.replaceAll(':', String.raw`\:`)
  const pace = 'pkt_size=1316&bitrate=1887000&burst_bits=10528&fifo_size=9841'
  expect(unit.argv.slice(-3)).toEqual([
    '-f',
    'tee',
    [
      `[f=mpegts:${mux}:onfail=ignore]udp://127.0.0.1:5000?ttl=12&${pace}`,
      `[f=rtp_mpegts:mpegts_muxer_options='${inner}':onfail=ignore]rtp://192.0.2.9:5004?ttl=3&pkt_size=1328`,
      `[f=mpegts:${mux}:onfail=ignore]udp://239.1.2.3:5002?ttl=1&${pace}&localaddr=127.0.0.1`,
    ].join('|'),
  ])
  expect(warnings).toEqual([expect.stringContaining('RTP outputs')])
})

test('without a local bus a feeder is fed on loopback', () => {
  const spec = {
    kind: 'encoder' as const,
    config: configOf('pal', [UDP]),
    feederLegs: [{ ip: '239.1.2.3', port: 5002, ttl: 1 }],
  }
  const { unit } = unitOf(spec, { ...HOST, localBusWorks: false })
  expect(unit.argv.at(-1)).toContain('udp://127.0.0.1:5002?')
})

test('other sources: a file in a loop, a camera, a capture card', () => {
  const from = (kind: 'file' | 'v4l2' | 'decklink', device: string) =>
    argvOf(configOf('1080i50', [UDP]), { ...HOST, sources: [{ cardIdx: 0, kind, device }] })
      .join(' ')
      .replace(/^.*-progress pipe:1 /, '')
      .replace(/ -c:v .*$/, '')
  const fields = 'tinterlace=mode=interleave_top,setfield=tff,setsar=1/1,format=yuv420p'
  expect(from('file', '/srv/loop.mp4')).toBe(
    `-re -stream_loop -1 -protocol_whitelist file -i file:/srv/loop.mp4 -map 0:v:0 -map 0:a:0? -vf bwdif=mode=send_field:deint=interlaced,fps=50,scale=1920:1080,${fields}`,
  )
  expect(from('v4l2', '/dev/video0')).toBe(
    `-thread_queue_size 64 -f v4l2 -i /dev/video0 -f lavfi -i anullsrc=sample_rate=48000:channel_layout=stereo -map 0:v:0 -map 1:a:0 -vf fps=50,scale=1920:1080,${fields}`,
  )
  expect(from('decklink', 'DeckLink Duo (1)')).toBe(
    '-f decklink -format_code Hi50 -i DeckLink Duo (1) -map 0:v:0 -map 0:a:0 -vf scale=1920:1080:interl=1,setfield=tff,setsar=1/1,format=yuv420p',
  )
})

test('decisions 8: an unknown card index is refused in words that name the known ones', () => {
  const config = { ...configOf('pal', [UDP]), 'card-idx': 5 }
  expect(() => argvOf(config)).toThrow(CommandRefused)
  expect(() => argvOf(config)).toThrow('no source with card index 5. It has 0.')
  expect(() => argvOf(config, { ...HOST, sources: [] })).toThrow('It has none: add one')
})

test('combinations that cannot be encoded are refused, not started', () => {
  const config = configOf('pal', [UDP])
  const muxer = { ...config.muxer, 'pmt-pid': 512 }
  expect(() => argvOf({ ...config, muxer })).toThrow('PID 512 is the video PID already')
  expect(() => argvOf(config, { ...HOST, fontFile: "/a':x=1.ttf" })).toThrow('font')
})

test('deviations are reported: 1080i50 is clamped and its level lowered', () => {
  const config = configOf('1080i50', [UDP])
  const { unit, warnings } = unitOf({ kind: 'encoder', config, feederLegs: [] }, HOST)
  expect(valuesOf(unit.argv, '-level:v', '-b:v', '-maxrate:v')).toEqual(['4.1', '3910k', '3910k'])
  expect(warnings).toHaveLength(2)
})

test('a practice test pattern is small, has 5 frames a second and a cover, whatever the video format', () => {
  const sources = [
    { cardIdx: 0, kind: 'test-pattern' as const, device: '', practiceCover: '/data/covers/0.txt' },
  ]
  for (const format of ['pal', '1080i50', '720p50'] as const) {
    const argv = argvOf(configOf(format, [UDP]), { ...HOST, sources })
    const [graph = ''] = valuesOf(argv, '-i')
    expect(graph).toMatch(/^smptebars=size=320x180:rate=5,/)
    expect(graph).toContain(`textfile=/data/covers/0.txt:reload=1`)
    expect(valuesOf(argv, '-preset', '-g', '-x264-params')).toEqual([
      'ultrafast',
      '5',
      'force-cfr=1',
    ])
  }
})

test('a cover whose path would end a filter is refused', () => {
  const sources = [
    { cardIdx: 0, kind: 'test-pattern' as const, device: '', practiceCover: '/data/a:b.txt' },
  ]
  expect(() => argvOf(configOf('pal', [UDP]), { ...HOST, sources })).toThrow(
    'may hold letters, digits and . _ - / only',
  )
})
