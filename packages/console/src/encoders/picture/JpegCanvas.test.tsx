import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { BROKEN_JPEG, makeFakePainting } from '../../test/fake-painting.ts'
import { JpegCanvas } from './JpegCanvas.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const ONE = btoa('one')
const TWO = btoa('two')

test('the newest picture is painted in its own size, whichever is decoded last', async () => {
  const painting = makeFakePainting()
  const { rerender } = render(<JpegCanvas jpegBase64={ONE} label="Camera" />)
  rerender(<JpegCanvas jpegBase64={TWO} label="Camera" />)
  const canvas = screen.getByRole<HTMLCanvasElement>('img', { name: 'Camera' })
  await waitFor(() => expect(painting.on(canvas)).toBe('two'))
  expect([canvas.width, canvas.height]).toEqual([320, 180])
  const firstBitmap = () => painting.bitmaps.find(({ bytes }) => bytes === 'one')
  await waitFor(() => expect(firstBitmap()?.isClosed).toBe(true))
  expect(painting.on(canvas)).toBe('two')
})

test('after a broken picture the previous picture is not shown as if it were new', async () => {
  const painting = makeFakePainting()
  const { rerender } = render(<JpegCanvas jpegBase64={ONE} label="Camera" />)
  const canvas = screen.getByRole('img', { name: 'Camera' })
  await waitFor(() => expect(painting.on(canvas)).toBe('one'))
  rerender(<JpegCanvas jpegBase64={BROKEN_JPEG} label="Camera" />)
  await waitFor(() => expect(painting.on(canvas)).toBeNull())
})

test('no picture becomes a URL that the browser would keep', () => {
  makeFakePainting()
  const { container } = render(<JpegCanvas jpegBase64={ONE} label="Camera" />)
  expect(container.querySelector('img, [src], [style*="url"]')).toBeNull()
})
