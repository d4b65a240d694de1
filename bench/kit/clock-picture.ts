/**
 * A wall clock as blocks of black and white along the top of a picture, and its reading from a
 * player's pixels: so a latency is read from the picture itself, whatever lies in between.
 */
import type { Page } from '@playwright/test'

/** Milliseconds of one step of the clock. */
const TICK_MS = 10
const CLOCK_BITS = 14
/** The clock comes round after 164 s: no latency of ours is longer. */
const TICKS = 2 ** CLOCK_BITS
/** One bit more names the source. */
const BITS = CLOCK_BITS + 1
const WIDTH_PIXELS = 720
const HEIGHT_PIXELS = 576
/** Three macroblocks: their middle stays clean at any bit rate. */
const BLOCK_PIXELS = WIDTH_PIXELS / BITS

export const PICTURE_SIZE = `${WIDTH_PIXELS}x${HEIGHT_PIXELS}`
export const PICTURES_A_SECOND = 25

/** Which of two pictures it is. */
export type PictureSource = 0 | 1

/**
 * ffmpeg's filters: every picture gets the time at which it was made. Each bit stands twice, once as
 * it is and below it the other way round, so that a block that cannot be read is known for one.
 */
export function clockFilters(source: PictureSource): string {
  const boxes = Array.from({ length: BITS }, (_, bit) => {
    const isBitSet =
      bit === CLOCK_BITS ? `${source}` : `mod(floor(t*${1000 / TICK_MS}/${2 ** bit}),2)`
    return [box(bit, 0, isBitSet), box(bit, 1, `1-${isBitSet}`)]
  })
  return [
    // The time of the picture is the time of day while the blocks are painted, its number afterwards.
    'settb=1/1000000',
    'setpts=RTCTIME',
    `drawbox=x=0:y=0:w=iw:h=${2 * BLOCK_PIXELS}:color=black:t=fill`,
    ...boxes.flat(),
    `settb=1/${PICTURES_A_SECOND}`,
    'setpts=N',
  ].join(',')
}

function box(column: number, row: number, isWhite: string): string {
  const place = `x=${column * BLOCK_PIXELS}:y=${row * BLOCK_PIXELS}`
  return `drawbox=${place}:w=${BLOCK_PIXELS}:h=${BLOCK_PIXELS}:color=white:t=fill:enable='${isWhite}'`
}

/** One picture that the player showed. */
export interface Shown {
  /** When, by the same clock that is in the picture. */
  atMs: number
  /** Null when the blocks could not be read: no picture of ours, or a broken one. */
  ageMs: number | null
  source: PictureSource | null
}

interface RawSample {
  atMs: number
  bits: number | null
}

interface Reader {
  samples: RawSample[]
}

/** From now on every picture that the page's player shows is read. */
export async function startReading(page: Page): Promise<void> {
  const share = (2 * BLOCK_PIXELS) / HEIGHT_PIXELS
  await page.evaluate(readPictures, { columns: BITS, share })
}

/** What was shown since the last call. */
export async function takeShown(page: Page): Promise<Shown[]> {
  const samples = await page.evaluate(() =>
    (window as unknown as { clockReader: Reader }).clockReader.samples.splice(0),
  )
  return samples.map(({ atMs, bits }) => {
    if (bits === null) return { atMs, ageMs: null, source: null }
    const ticks = Math.floor(atMs / TICK_MS) - (bits % TICKS)
    const ageMs = (((ticks % TICKS) + TICKS) % TICKS) * TICK_MS
    return { atMs, ageMs, source: bits >= TICKS ? 1 : 0 }
  })
}

/** Runs in the page. The player may replace its video element, so it is looked up again and again. */
function readPictures({ columns, share }: { columns: number; share: number }): void {
  const CELL = 8
  /** Of 255: compression never brings black and white so near to each other. */
  const CONTRAST = 80
  const reader: Reader = { samples: [] }
  ;(window as unknown as { clockReader: Reader }).clockReader = reader
  const canvas = document.createElement('canvas')
  canvas.width = columns * CELL
  canvas.height = 2 * CELL
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser has no canvas.')
  const lightAt = (data: Uint8ClampedArray, column: number, row: number) => {
    const [x, y] = [column * CELL + CELL / 2, row * CELL + CELL / 2]
    return data[(y * canvas.width + x) * 4 + 1] ?? 0
  }
  const read = (video: HTMLVideoElement): number | null => {
    const { videoWidth, videoHeight } = video
    const { width, height } = canvas
    context.drawImage(video, 0, 0, videoWidth, videoHeight * share, 0, 0, width, height)
    const { data } = context.getImageData(0, 0, width, height)
    let bits = 0
    for (let column = 0; column < columns; column += 1) {
      const difference = lightAt(data, column, 0) - lightAt(data, column, 1)
      if (Math.abs(difference) < CONTRAST) return null
      if (difference > 0) bits += 2 ** column
    }
    return bits
  }
  let followed: HTMLVideoElement | null = null
  const follow = (video: HTMLVideoElement) => {
    video.requestVideoFrameCallback(() => {
      if (video !== followed) return
      reader.samples.push({ atMs: Date.now(), bits: read(video) })
      follow(video)
    })
  }
  const look = () => {
    const video = document.querySelector('video')
    if (video !== null && video !== followed) {
      followed = video
      follow(video)
    }
    requestAnimationFrame(look)
  }
  look()
}
