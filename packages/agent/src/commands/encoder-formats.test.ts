/** The whole command of each of the 16 video formats as its preset has it, written from the tables. */
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { VIDEO_FORMATS, type VideoFormat } from '@trunkline/contract/encoders/video-format.rules'
import { expect, test } from 'vitest'
import { configOf, HOST } from './encoder-config.fixture.ts'
import type { HostFacts } from './host-facts.ts'
import { unitOf } from './program.command.ts'
import type { BuiltUnit } from './unit.ts'

const UDP = 'udp://127.0.0.1:5000?ttl=12'

function built(config: EncoderConfig, facts: HostFacts = HOST): BuiltUnit {
  return unitOf({ kind: 'encoder', config, feederLegs: [] }, facts)
}

/** Pictures of the source: pattern, size, rate; then scan, pixels, text sizes. */
const PICTURES: Record<VideoFormat, string> = {
  pal: 'smptebars 720x576 50 tff 64/45 36 64 41 8',
  ntsc: 'smptebars 720x480 60000/1001 bff 32/27 30 53 34 7',
  '720p50': 'smptehdbars 1280x720 50 - 1/1 45 80 51 10',
  '720p59.94': 'smptehdbars 1280x720 60000/1001 - 1/1 45 80 51 10',
  '720p60': 'smptehdbars 1280x720 60 - 1/1 45 80 51 10',
  '1080i50': 'smptehdbars 1920x1080 50 tff 1/1 68 120 77 15',
  '1080i59.94': 'smptehdbars 1920x1080 60000/1001 tff 1/1 68 120 77 15',
  '1080i60': 'smptehdbars 1920x1080 60 tff 1/1 68 120 77 15',
  '1080p23.98': 'smptehdbars 1920x1080 24000/1001 - 1/1 68 120 77 15',
  '1080p24': 'smptehdbars 1920x1080 24 - 1/1 68 120 77 15',
  '1080p25': 'smptehdbars 1920x1080 25 - 1/1 68 120 77 15',
  '1080p29.97': 'smptehdbars 1920x1080 30000/1001 - 1/1 68 120 77 15',
  '1080p30': 'smptehdbars 1920x1080 30 - 1/1 68 120 77 15',
  '1080p50': 'smptehdbars 1920x1080 50 - 1/1 68 120 77 15',
  '1080p59.94': 'smptehdbars 1920x1080 60000/1001 - 1/1 68 120 77 15',
  '1080p60': 'smptehdbars 1920x1080 60 - 1/1 68 120 77 15',
}

/**
 * Profile, level, video, maximum, buffer, key frames and half of them, audio, mux rate, pace. The
 * mux rate of the 1080 preset has room for 3910 kbit/s of its 4000, and level 4.2 is for progressive
 * pictures only (dataplane.md 2.1, 2.3).
 */
const SD = 'main 3.2 1500 1500 1000 24 12 128 1850000 1887000'
const HD720 = 'high 4.1 3500 3500 3500 50 25 192 4500000 4590000'
const HD1080 = '3910 3910 4000'
const SOUND_1080 = '256 4500000 4590000'
const RATES: Record<VideoFormat, string> = {
  pal: SD,
  ntsc: SD,
  '720p50': HD720,
  '720p59.94': HD720,
  '720p60': HD720,
  '1080i50': `high 4.1 ${HD1080} 50 25 ${SOUND_1080}`,
  '1080i59.94': `high 4.1 ${HD1080} 50 25 ${SOUND_1080}`,
  '1080i60': `high 4.1 ${HD1080} 50 25 ${SOUND_1080}`,
  '1080p23.98': `high 4.2 ${HD1080} 24 12 ${SOUND_1080}`,
  '1080p24': `high 4.2 ${HD1080} 24 12 ${SOUND_1080}`,
  '1080p25': `high 4.2 ${HD1080} 24 12 ${SOUND_1080}`,
  '1080p29.97': `high 4.2 ${HD1080} 30 15 ${SOUND_1080}`,
  '1080p30': `high 4.2 ${HD1080} 30 15 ${SOUND_1080}`,
  '1080p50': `high 4.2 ${HD1080} 50 25 ${SOUND_1080}`,
  '1080p59.94': `high 4.2 ${HD1080} 50 25 ${SOUND_1080}`,
  '1080p60': `high 4.2 ${HD1080} 50 25 ${SOUND_1080}`,
}

const FIELDS: Record<string, { filters: string; flags: string; params: string }> = {
  '-': { filters: '', flags: '', params: 'force-cfr=1' },
  tff: {
    filters: 'tinterlace=mode=interleave_top,setfield=tff,',
    flags: '-flags:v +ildct+ilme -top 1 ',
    params: 'force-cfr=1:tff=1:weightp=0',
  },
  bff: {
    filters: 'tinterlace=mode=interleave_bottom,setfield=bff,',
    flags: '-flags:v +ildct+ilme -top 0 ',
    params: 'force-cfr=1:bff=1:weightp=0',
  },
}

function graphOf(format: VideoFormat): string {
  const [bars, size, rate, scan = '', pixel, label, clock, mark, border] =
    PICTURES[format].split(' ')
  const text =
    'drawtext=fontfile=/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf:fontcolor=white:fontsize'
  const box = `box=1:boxcolor=black@0.7:boxborderw=${border}:x=(w-tw)/2`
  const time = String.raw`%{localtime\:%H\\\:%M\\\:%S}.%{eif\:mod(time(0)*1000,1000)\:d\:3}`
  return [
    `${bars}=size=${size}:rate=${rate}`,
    `,${text}=${label}:${box}:y=h*0.28:text='CARD 0  ${format}'`,
    `,${text}=${clock}:${box}:y=h*0.4:text='${time}'`,
    String.raw`,${text}=${mark}:y=h*0.7:x=mod(n*4\,w):text='|'`,
    `,${FIELDS[scan]?.filters}setsar=${pixel},format=yuv420p[out0]`,
    ';sine=frequency=1000:sample_rate=48000,aformat=channel_layouts=stereo[out1]',
  ].join('')
}

/** In packets of 188 bytes. */
function eightSeconds(muxRateBps: string | undefined): number {
  return Math.ceil(Number(muxRateBps) / 188)
}

function afterGraph(format: VideoFormat): string[] {
  const scan = PICTURES[format].split(' ')[3] ?? ''
  const [profile, level, video, most, buffer, keyint, least, audio, mux, pace] =
    RATES[format].split(' ')
  const words =
    `-map 0:0 -map 0:1 -c:v libx264 -preset veryfast -tune zerolatency -profile:v ${profile} -level:v ${level}` +
    ` -b:v ${video}k -maxrate:v ${most}k -bufsize:v ${buffer}k -g ${keyint} -keyint_min ${least}` +
    ` -sc_threshold 0 -bf 0 -threads:v 2 -refs:v 1 ${FIELDS[scan]?.flags}-x264-params ${FIELDS[scan]?.params}` +
    ` -c:a libtwolame -mode stereo -b:a ${audio}k -ar 48000 -ac 2 -metadata:s:a:0 language=eng` +
    ' -streamid 0:512 -streamid 1:4112 -metadata service_name=Camera_1 -metadata service_provider=Trunkline' +
    ' -f mpegts -mpegts_transport_stream_id 7 -mpegts_service_id 3 -mpegts_pmt_start_pid 256' +
    ' -mpegts_flags +initial_discontinuity+system_b+nit -pcr_period 20 -pat_period 0.1' +
    ` -muxrate ${mux} -flush_packets 1 -muxdelay 0.7 -muxpreload 0.2` +
    ` udp://127.0.0.1:5000?ttl=12&pkt_size=1316&bitrate=${pace}&burst_bits=10528&fifo_size=${eightSeconds(mux)}`
  return words.split(' ').map((word) => word.replace('Camera_1', 'Camera 1'))
}

test.each(VIDEO_FORMATS)('CFG-41 CFG-18 CFG-19 CFG-20 CFG-21 the whole command of %s', (format) => {
  const head =
    'ffmpeg -nostdin -hide_banner -nostats -loglevel level+info -stats_period 1 -progress pipe:1 -re -f lavfi -i'
  expect(built(configOf(format, [UDP])).unit.argv).toEqual([
    ...head.split(' '),
    graphOf(format),
    ...afterGraph(format),
  ])
})

function withAac(profile: 'aac-lc' | 'he-aac-v1' | 'he-aac-v2', encap: 'adts' | 'latm') {
  const config = configOf('720p50', [UDP])
  const { bitrate, lang, pid } = config['audio-stream']
  const audio = { 'aac-profile': profile, 'aac-encap': encap }
  return { ...config, 'audio-stream': { format: 'aac' as const, bitrate, lang, pid, ...audio } }
}

test.each([
  ['aac-lc', 'adts', ['aac'], 'aac aac_low', 0],
  ['aac-lc', 'latm', ['aac', 'libfdk_aac'], 'libfdk_aac aac_low +latm', 0],
  ['he-aac-v1', 'adts', ['aac', 'libfdk_aac'], 'libfdk_aac aac_he', 0],
  ['he-aac-v2', 'latm', ['aac', 'libfdk_aac'], 'libfdk_aac aac_he_v2 +latm', 0],
  ['he-aac-v1', 'adts', ['aac'], 'aac aac_low', 1],
  ['he-aac-v2', 'latm', ['aac'], 'aac aac_low +latm', 1],
] as const)(
  'CFG-32 CFG-33 %s in %s with %j is %s',
  (profile, encap, encoders, expected, warned) => {
    const { unit, warnings } = built(withAac(profile, encap), { ...HOST, encoders })
    const words = unit.argv.join(' ')
    const codec = /-c:a (\S+) -profile:a (\S+)/.exec(words)
    const latm = /mpegts_flags \S*(\+latm)/.exec(words)?.[1]
    expect([codec?.[1], codec?.[2], latm].filter((word) => word !== undefined).join(' ')).toBe(
      expected,
    )
    expect(warnings).toHaveLength(warned)
  },
)

test('intra refresh is set for x264, with a single reference frame', () => {
  const config = configOf('pal', [UDP])
  const video = { ...config['video-stream'], 'intra-refresh': 1 as const, 'max-refs': 4 }
  const { unit, warnings } = built({ ...config, 'video-stream': video })
  expect(unit.argv.join(' ')).toContain('-refs:v 1 -intra-refresh 1 ')
  expect(warnings).toEqual([expect.stringContaining('Intra refresh')])
})

test.each([
  ['dvb', '+initial_discontinuity+system_b+nit', 0],
  ['generic', '+initial_discontinuity', 0],
  ['atsc', '+initial_discontinuity', 1],
  ['cablelabs', '+initial_discontinuity', 1],
] as const)('ts-type %s writes its tables, or says that it cannot', (type, flags, warned) => {
  const config = configOf('pal', [UDP])
  const { unit, warnings } = built({ ...config, muxer: { ...config.muxer, 'ts-type': type } })
  expect(unit.argv[unit.argv.indexOf('-mpegts_flags') + 1]).toBe(flags)
  expect(warnings).toHaveLength(warned)
})

test('CFG-37 one RTP output goes by the tee, with the multiplex of its own', () => {
  const { unit } = built(configOf('720p50', ['rtp://239.1.1.1:5004?ttl=5']))
  const target = unit.argv.at(-1) ?? ''
  expect(unit.argv.slice(-3, -1)).toEqual(['-f', 'tee'])
  expect(target).toMatch(
    /^\[f=rtp_mpegts:mpegts_muxer_options='.*muxrate=4500000.*':onfail=ignore\]/,
  )
  expect(target.endsWith(']rtp://239.1.1.1:5004?ttl=5&pkt_size=1328')).toBe(true)
})

test('the picture is the last output, and changes nothing before it', () => {
  const config = configOf('1080i50', [UDP])
  const plain = built(config).unit.argv
  const { argv } = built(config, { ...HOST, pictureFile: 'pictures/encoder-1.jpg' }).unit
  expect(argv.slice(0, plain.length)).toEqual(plain)
  expect(argv[plain.length]).toBe('-map')
  expect(argv.at(-1)).toBe('pictures/encoder-1.jpg')
})
