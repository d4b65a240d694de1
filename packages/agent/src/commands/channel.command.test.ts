import { expect, test } from 'vitest'
import { hlsUnit, ingestUnit, pushUnit, type UdpEnd } from './channel.command.ts'
import { HOST } from './encoder-config.fixture.ts'

const BUS = { ip: '239.78.0.1', port: 28_000, ttl: 1 }

function udp(host: string, more: Partial<UdpEnd>): UdpEnd {
  return { kind: 'udp', host, port: 5000, adapterIp: '', ttl: 7, ...more }
}

test('golden: the packager copies video, makes AAC, counts by the clock and never gives up', () => {
  const { unit } = hlsUnit(BUS, '/srv/50% off', HOST)
  const head =
    'ffmpeg -nostdin -hide_banner -nostats -y -loglevel level+warning -stats_period 5 -progress pipe:1' +
    ' -fflags +nobuffer+genpts -probesize 5000000 -analyzeduration 3000000 -protocol_whitelist udp' +
    ' -f mpegts -i udp://239.78.0.1:28000?localaddr=127.0.0.1&fifo_size=50000&overrun_nonfatal=1' +
    ' -map 0:v:0 -map 0:a:0? -c:v copy -c:a aac -b:a 128k -f hls -hls_time 2 -hls_list_size 6' +
    ' -hls_delete_threshold 2 -hls_start_number_source epoch' +
    ' -hls_flags delete_segments+program_date_time+independent_segments+temp_file+omit_endlist+discont_start'
  expect(unit).toEqual({
    argv: [
      ...head.split(' '),
      '-hls_segment_filename',
      '/srv/50%% off/seg%05d.ts',
      '/srv/50% off/index.m3u8',
    ],
    repeat: 'never',
    output: 'ffmpeg',
    direction: 'none',
    secrets: [],
  })
})

test('golden: UDP ingest is handed on as it comes', () => {
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
  const rtmp = { kind: 'rtmp' as const, url: 'rtmp://h.example/app/key', secret: 'key' }
  const { unit } = pushUnit(rtmp, BUS, HOST)
  expect(unit.argv.slice(-3)).toEqual(['-f', 'flv', 'rtmp://h.example/app/key'])
  expect(unit.secrets).toEqual(['key'])
})

test('without a local bus the packager reads on loopback', () => {
  const { unit } = hlsUnit(BUS, '/srv', { ...HOST, localBusWorks: false })
  expect(unit.argv).toContain('udp://127.0.0.1:28000?fifo_size=50000&overrun_nonfatal=1')
})
