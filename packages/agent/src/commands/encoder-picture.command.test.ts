import { expect, test } from 'vitest'
import { configOf } from './encoder-config.fixture.ts'
import { pictureArgs } from './encoder-picture.command.ts'

const UDP = 'udp://127.0.0.1:5000?ttl=12'

function filterOf(format: Parameters<typeof configOf>[0], aspect: '16:9' | '4:3' | '4:9'): string {
  const config = configOf(format, [UDP])
  const video = { ...config['video-stream'], 'aspect-ratio': aspect }
  const args = pictureArgs({ ...config, 'video-stream': video }, 'test-pattern', 'pictures/a.jpg')
  return args[args.indexOf('-filter:v') + 1] ?? ''
}

test('golden: the picture is a second output, in a thread of its own', () => {
  const filter = String.raw`select=isnan(prev_selected_t)+gte(t-prev_selected_t\,2),field=type=top,scale=320:180:flags=area,setsar=1,format=yuvj420p`
  expect(pictureArgs(configOf('pal', [UDP]), 'test-pattern', 'pictures/a.jpg')).toEqual([
    ...`-map 0:0 -filter:v ${filter} -fps_mode passthrough -c:v mjpeg -q:v 5 -threads:v 1`.split(
      ' ',
    ),
    ...'-f fifo -fifo_format image2 -format_opts update=1:atomic_writing=1'.split(' '),
    ...'-drop_pkts_on_overflow 1 -attempt_recovery 1 -recover_any_error 1'.split(' '),
    ...'-recovery_wait_time 1 pictures/a.jpg'.split(' '),
  ])
  expect(pictureArgs(configOf('pal', [UDP]), 'test-pattern', '')).toEqual([])
})

test.each([
  ['16:9', 'scale=320:180'],
  ['4:3', 'scale=320:240'],
  ['4:9', 'scale=106:240'],
] as const)('at %s the picture has the aspect ratio that the viewer sees', (aspect, scale) => {
  expect(filterOf('1080p25', aspect)).toContain(scale)
})

test('one field of an interlaced picture, the whole frame of a progressive picture', () => {
  expect(filterOf('1080i50', '16:9')).toContain('field=type=top')
  expect(filterOf('1080p50', '16:9')).not.toContain('field')
})

test('a camera, whose silence is a second input, is not kept waiting for the next picture', () => {
  const args = pictureArgs(configOf('720p50', [UDP]), 'v4l2', 'pictures/a.jpg')
  expect(args.join(' ')).toContain(String.raw`gte(t-prev_selected_t\,0.5)`)
  expect(args.slice(0, 2)).toEqual(['-map', '0:v:0'])
})
