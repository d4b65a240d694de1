import type { Points } from '@trunkline/contract/channels/picture.rules'
import { expect, test } from 'vitest'
import { pictureKind, soundKind, watchSegment, type ContentMemory } from './content.rules.ts'

const START_MS = 1_700_000_000_000
const LOUD = 8000

function grey(value: number): Points {
  return new Uint8ClampedArray([value, value, value, 255])
}

/** Segments of two seconds, each with two key frames and twenty steps of sound. */
function watch(segments: readonly { picture: number[]; peaks?: number[] }[]): ContentMemory {
  let memory: ContentMemory | null = null
  for (const [at, { picture, peaks = [] }] of segments.entries()) {
    const content = { pictures: picture.map(grey), peaks }
    const place = { startsAtMs: START_MS + at * 2000, durationMs: 2000 }
    memory = watchSegment(memory, content, place)
  }
  if (memory === null) throw new Error('Nothing was looked at.')
  return memory
}

const pictureOf = (segments: Parameters<typeof watch>[0]) => watch(segments).picture

const steps = (...peaks: number[]) => Array.from({ length: 20 }, (_, at) => peaks[at] ?? 0)

test('CHAN-10 a picture is black after two seconds, since the first black frame', () => {
  const shown = { picture: [90, 100] }
  expect(pictureKind(pictureOf([shown, { picture: [120, 10] }]))).toBeNull()
  const black = pictureOf([shown, { picture: [120, 10] }, { picture: [10, 10] }])
  expect(pictureKind(black)).toEqual({ kind: 'black', sinceMs: START_MS + 3000 })
  const back = pictureOf([shown, { picture: [10, 10] }, { picture: [10, 90] }])
  expect(pictureKind(back)).toMatchObject({ kind: 'moving' })
})

test('CHAN-10 a picture is frozen after six seconds, and not before', () => {
  const still = { picture: [100, 101] }
  expect(pictureKind(pictureOf([still, still]))).toBeNull()
  expect(pictureKind(pictureOf([still, still, still]))).toEqual({
    kind: 'frozen',
    sinceMs: START_MS,
  })
  expect(pictureKind(pictureOf([still, still, { picture: [100, 130] }]))).toMatchObject({
    kind: 'moving',
  })
  expect(pictureKind(pictureOf([{ picture: [] }]))).toBeNull()
})

test('CHAN-10 a picture does not count as frozen while no key frame comes', () => {
  const unseen = { picture: [] }
  const moving = [{ picture: [100, 130] }, unseen, unseen, unseen, unseen]
  expect(pictureKind(pictureOf(moving))).toMatchObject({ kind: 'moving' })
})

test('CHAN-10 sound is silent after five seconds, since the last that was heard', () => {
  const speech = { picture: [], peaks: Array.from({ length: 20 }, () => LOUD) }
  const end = { picture: [], peaks: steps(LOUD, LOUD, LOUD, LOUD, LOUD) }
  const quiet = { picture: [], peaks: steps() }
  expect(soundKind(watch([speech]))).toMatchObject({ kind: 'heard' })
  expect(soundKind(watch([speech, end, quiet]))).toBeNull()
  const silent = { kind: 'silent', sinceMs: START_MS + 2500 }
  expect(soundKind(watch([speech, end, quiet, quiet]))).toEqual(silent)
  expect(soundKind(watch([speech, end, quiet, quiet, speech]))).toMatchObject({ kind: 'heard' })
  // Noise of the coding is none that anybody hears.
  const noise = { picture: [], peaks: Array.from({ length: 20 }, () => 40) }
  expect(soundKind(watch([noise, noise, noise]))).toEqual({ kind: 'silent', sinceMs: START_MS })
})
