/**
 * A small picture of what is encoded, as a second output of the same ffmpeg: taken before the
 * encoder, so that nothing is decoded. Measured: under 0.01 core for pal and for 1080i50.
 */
import type { SourceConfig } from '@trunkline/contract/agent/agent-config.schema'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { rasterOf } from '@trunkline/contract/encoders/video-format.rules'
import { options } from './option.command.ts'

const MAX_WIDTH_PIXELS = 320
/** Keeps the one upright aspect ratio, 4:9, from becoming twice as high as wide. */
const MAX_HEIGHT_PIXELS = 240
/** A black source is known after two of them: before the channel behind it shows black for long. */
const PICTURE_EVERY_SECONDS = 2
/**
 * ffmpeg reads whichever input its most backward output waits for. A camera's silence is an input of
 * its own and would not be read between two pictures: with 4 s nothing was sent for 4.1 s, with half
 * a second, less than the multiplexer's delay, no gap is left.
 */
const PICTURE_EVERY_SECONDS_OF_TWO_INPUTS = 0.5
/** ffmpeg's scale, 2 the best; 5 makes 5 to 15 kB of 320 x 180. */
const JPEG_QUALITY = 5
/** A folder that was gone or full is tried again after this. */
const RECOVERY_WAIT_SECONDS = 1

/** `file`: relative to the program's folder; '' for no picture. */
export function pictureArgs(
  config: EncoderConfig,
  kind: SourceConfig['kind'],
  file: string,
): string[] {
  if (file === '') return []
  return [
    ...options({ map: kind === 'test-pattern' ? '0:0' : '0:v:0' }),
    ...options({
      'filter:v': pictureFilter(config, kind),
      fps_mode: 'passthrough',
      'c:v': 'mjpeg',
      'q:v': JPEG_QUALITY,
      'threads:v': 1,
    }),
    ...fileArgs(file),
  ]
}

function pictureFilter(config: EncoderConfig, kind: SourceConfig['kind']): string {
  const isInterlaced = rasterOf(config['video-format']).scan === 'interlaced'
  const { widthPixels, heightPixels } = sizeOf(config['video-stream']['aspect-ratio'])
  const everySeconds = kind === 'v4l2' ? PICTURE_EVERY_SECONDS_OF_TWO_INPUTS : PICTURE_EVERY_SECONDS
  return [
    String.raw`select=isnan(prev_selected_t)+gte(t-prev_selected_t\,${everySeconds})`,
    ...(isInterlaced ? ['field=type=top'] : []),
    `scale=${widthPixels}:${heightPixels}:flags=area`,
    'setsar=1',
    'format=yuvj420p',
  ].join(',')
}

/** As large as both limits allow, with even sides, as the colours need. */
function sizeOf(displayAspect: string): { widthPixels: number; heightPixels: number } {
  const [across = 16, down = 9] = displayAspect.split(':').map(Number)
  const widthPixels = Math.min(MAX_WIDTH_PIXELS, (MAX_HEIGHT_PIXELS * across) / down)
  return { widthPixels: even(widthPixels), heightPixels: even((widthPixels * down) / across) }
}

function even(pixels: number): number {
  return Math.round(pixels / 2) * 2
}

/**
 * The file is whole at any moment: written beside, then renamed. ffmpeg's fifo writes it in a thread
 * of its own, drops what it cannot take and tries again: tried with a folder that is gone, that is a
 * file and that is full, the stream goes on as before, and the pictures come back.
 */
function fileArgs(file: string): string[] {
  return [
    ...options({
      f: 'fifo',
      fifo_format: 'image2',
      format_opts: 'update=1:atomic_writing=1',
      drop_pkts_on_overflow: 1,
      attempt_recovery: 1,
      recover_any_error: 1,
      recovery_wait_time: RECOVERY_WAIT_SECONDS,
    }),
    file,
  ]
}
