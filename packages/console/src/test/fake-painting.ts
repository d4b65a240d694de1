/** Stands in for the browser's decoder and its canvases; call before the page is rendered. */
import { vi } from 'vitest'

interface FakeBitmap {
  width: number
  height: number
  bytes: string
  isClosed: boolean
  close: () => void
}

/** As of a picture that is none. */
export const BROKEN_JPEG = btoa('no picture')

export function makeFakePainting() {
  const painted = new Map<Element, FakeBitmap | null>()
  const bitmaps: FakeBitmap[] = []
  vi.stubGlobal('createImageBitmap', async (blob: Blob): Promise<FakeBitmap> => {
    const bytes = await blob.text()
    if (bytes === atob(BROKEN_JPEG)) throw new DOMException('No image.', 'InvalidStateError')
    const bitmap = { width: 320, height: 180, bytes, isClosed: false, close: () => undefined }
    bitmaps.push(Object.assign(bitmap, { close: () => (bitmap.isClosed = true) }))
    return bitmap
  })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function contextOf(
    this: HTMLCanvasElement,
  ) {
    return {
      transferFromImageBitmap: (bitmap: FakeBitmap | null) => painted.set(this, bitmap),
    } as unknown as RenderingContext
  } as HTMLCanvasElement['getContext'])
  return {
    /** The JPEG's bytes as text; null where nothing is shown. */
    on: (canvas: Element): string | null => painted.get(canvas)?.bytes ?? null,
    bitmaps,
  }
}
