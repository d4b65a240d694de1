import { expect, test } from 'vitest'
import { hlsUnit, ingestUnit, pushUnit, type Packaging, type UdpEnd } from './channel.command.ts'
import { HOST } from './encoder-config.fixture.ts'

const COPY: Packaging = { segmentMs: 2000, playlistSegments: 6, rungs: [] }
const BUS = { ip: '239.78.0.1', port: 28_000, ttl: 1 }

function udp(host: string, more: Partial<UdpEnd>): UdpEnd {
  return { kind: 'udp', host, port: 5000, adapterIp: '', ttl: 7, ...more }
}

const READ =
  'ffmpeg -nostdin -hide_banner -nostats -y -loglevel level+warning -stats_period 0.5 -progress pipe:1' +
  ' -fflags +nobuffer+genpts -probesize 5000000 -analyzeduration 3000000 -protocol_whitelist udp' +
  ' -f mpegts -i udp://239.78.0.1:28000?localaddr=127.0.0.1&fifo_size=50000&overrun_nonfatal=1'
const FLAGS =
  'delete_segments+program_date_time+independent_segments+temp_file+omit_endlist+discont_start'

test('golden: the packager copies video, makes AAC, counts by the clock and never gives up', () => {
  const { unit } = hlsUnit(BUS, '/srv/50% off', COPY, HOST)
  const line =
    `${READ} -map 0:v:0? -map 0:a:0? -c:v copy -c:a aac -b:a 128k -f hls -max_interleave_delta 2000000 -hls_time 1.9` +
    ' -hls_list_size 6 -hls_delete_threshold 10 -hls_start_number_source epoch' +
    ` -hls_flags ${FLAGS}`
  expect(unit).toEqual({
    argv: [
      ...line.split(' '),
      '-hls_segment_filename',
      '/srv/50%% off/v0-%05d.ts',
      '/srv/50% off/v0.m3u8',
    ],
    repeat: 'never',
    output: 'ffmpeg',
    direction: 'none',
    secrets: [],
  })
})

const LADDER: Packaging = {
  segmentMs: 1000,
  playlistSegments: 4,
  rungs: [
    { heightLines: 720, videoKbps: 2500, audioKbps: 128 },
    { heightLines: 360, videoKbps: 800, audioKbps: 96 },
  ],
}
const ENCODE =
  ' -c:v libx264 -preset:v veryfast -tune:v zerolatency -profile:v high -g:v 600' +
  ' -force_key_frames:v expr:gte(t,n_forced*1) -c:a aac'

function rung(at: number, lines: number, kbps: number, audioKbps: number): string {
  const filter = `bwdif=mode=send_frame:deint=interlaced,scale=w=-2:h='2*trunc(min(ih,${lines})/2)',format=yuv420p`
  const rates = `-b:v:${at} ${kbps}k -maxrate:v:${at} ${kbps}k -bufsize:v:${at} ${kbps * 2}k`
  return ` -filter:v:${at} ${filter} ${rates} -b:a:${at} ${audioKbps}k`
}

test('golden: a template with a single rendition encodes beside the folder’s one playlist', () => {
  const singleRung = { ...LADDER, rungs: LADDER.rungs.slice(0, 1) }
  const line = hlsUnit(BUS, '/srv', singleRung, HOST).unit.argv.join(' ')
  expect(line).toBe(
    `${READ} -map 0:v:0? -map 0:a:0?${ENCODE}${rung(0, 720, 2500, 128)} -f hls -max_interleave_delta 2000000 -hls_time 0.95` +
      ' -hls_list_size 4 -hls_delete_threshold 20 -hls_start_number_source epoch' +
      ` -hls_flags ${FLAGS} -hls_segment_filename /srv/v0-%05d.ts /srv/v0.m3u8`,
  )
})

test('golden: several renditions share one decoder, and one muxer opens their playlists', () => {
  const { argv } = hlsUnit(BUS, "/srv/a [b]'s: 5%", LADDER, HOST).unit
  const maps = ' -map 0:v:0? -map 0:a:0?'
  expect(argv.slice(0, -1).join(' ')).toBe(
    `${READ}${maps}${maps}${ENCODE}${rung(0, 720, 2500, 128)}${rung(1, 360, 800, 96)} -max_interleave_delta 2000000 -f tee`,
  )
  const branches = [0, 1].map(
    (at) =>
      String.raw`[f=hls:select=v\\:${at},a\\:${at}:max_interleave_delta=2000000:hls_time=0.95:hls_list_size=4:hls_delete_threshold=20` +
      `:hls_start_number_source=epoch:hls_flags=${FLAGS}` +
      String.raw`:hls_segment_filename=/srv/a\\ \\[b\\]\\\'s\\:\\ 5%%/v${at}-%05d.ts]/srv/a\ \[b\]\'s\:\ 5%/v${at}.m3u8`,
  )
  expect(argv.at(-1)).toBe(branches.join('|'))
})

test('golden: UDP ingest is passed on unchanged', () => {
  const line = (end: UdpEnd) => ingestUnit(end, BUS, HOST).unit.argv.join(' ')
  const to = 'udp://239.78.0.1:28000?adapter=127.0.0.1&ttl=1'
  expect(line(udp('127.0.0.1', {}))).toBe(
    `srt-live-transmit udp://127.0.0.1:5000?rcvbuf=2000000 ${to}`,
  )
  expect(line(udp('239.1.2.3', {}))).toBe(
    `srt-live-transmit udp://239.1.2.3:5000?adapter=127.0.0.1&rcvbuf=2000000 ${to}`,
  )
  expect(line(udp('239.1.2.3', { adapterIp: '192.0.2.10' }))).toContain('adapter=192.0.2.10&')
  expect(() => line(udp('239.1.2.3', { adapterIp: '192.0.2.77' }))).toThrow('192.0.2.77')
})

test('golden: pushes over UDP and RTMP; the stream key is a secret', () => {
  const from = 'udp://239.78.0.1:28000?adapter=127.0.0.1&rcvbuf=2000000'
  expect(pushUnit(udp('far.example', {}), BUS, HOST).unit.argv).toEqual([
    'srt-live-transmit',
    from,
    'udp://far.example:5000',
  ])
  expect(pushUnit(udp('239.9.9.9', { adapterIp: '192.0.2.10' }), BUS, HOST).unit.argv.at(-1)).toBe(
    'udp://239.9.9.9:5000?ttl=7&adapter=192.0.2.10',
  )
  expect(pushUnit(udp('far.example', {}), BUS, HOST).unit.direction).toBe('none')
  const rtmp = { kind: 'rtmp' as const, url: 'rtmp://h.example/app/key', secret: 'key' }
  const { unit } = pushUnit(rtmp, BUS, HOST)
  expect(unit.argv.join(' ')).toBe(
    `${READ.replace('0.5', '1')} -map 0:v:0? -map 0:a:0? -c:v copy -c:a aac -b:a 128k` +
      ' -max_interleave_delta 2000000 -rw_timeout 10000000 -f flv rtmp://h.example/app/key',
  )
  expect(unit).toMatchObject({ repeat: 'always', direction: 'send', secrets: ['key'] })
})

test('without a local bus the packager reads on loopback', () => {
  const { unit } = hlsUnit(BUS, '/srv', COPY, { ...HOST, localBusWorks: false })
  expect(unit.argv).toContain('udp://127.0.0.1:28000?fifo_size=50000&overrun_nonfatal=1')
})

test('golden: a stream is fetched from a web server byte for byte, and retried without end', () => {
  const url = 'https://ann:pw@media.example/a.ts?token=t'
  const source = { kind: 'http' as const, url, secrets: ['ann:pw', 't'] }
  const { unit } = ingestUnit(source, BUS, HOST)
  expect(unit.argv.join(' ')).toBe(
    'ffmpeg -nostdin -hide_banner -nostats -y -loglevel level+warning -stats_period 1' +
      ' -progress pipe:1 -rw_timeout 10000000 -protocol_whitelist http,https,tcp,tls' +
      ' -tls_verify 1 -seekable 0' +
      ` -f data -i ${url} -map 0 -c copy -flush_packets 0 -f data` +
      ' udp://239.78.0.1:28000?localaddr=127.0.0.1&ttl=1&pkt_size=1316',
  )
  expect(unit).toMatchObject({
    repeat: 'always',
    direction: 'receive',
    secrets: ['ann:pw', 't'],
  })
  const noBus = ingestUnit(source, BUS, { ...HOST, localBusWorks: false }).unit.argv.at(-1)
  expect(noBus).toBe('udp://127.0.0.1:28000?pkt_size=1316')
})
