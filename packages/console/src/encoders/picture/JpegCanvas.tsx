/**
 * A small picture that is replaced every few seconds, all shift. Painted, not an <img>: a browser
 * keeps the pictures it has loaded from data addresses, and so thousands that nobody sees again
 * (Chromium: more than a thousand of 18 kB, 58 MB, and still growing; painted ones cost nothing).
 */
import { useEffect, useRef } from 'react'

interface JpegCanvasProps {
  jpegBase64: string
  /** What it is a picture of. */
  label: string
  isOld?: boolean
}

export function JpegCanvas({ jpegBase64, label, isOld = false }: JpegCanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const canvas = ref.current
    if (canvas === null) return
    let isNewest = true
    decoded(jpegBase64).then(
      (bitmap) => {
        if (isNewest) paint(canvas, bitmap)
        else bitmap.close()
      },
      // The one before would pass for this one.
      () => isNewest && clear(canvas),
    )
    return () => {
      isNewest = false
    }
  }, [jpegBase64])
  return <canvas ref={ref} role="img" aria-label={label} data-old={isOld || undefined} />
}

/** Rejects when it is no picture. */
async function decoded(jpegBase64: string): Promise<ImageBitmap> {
  const bytes = Uint8Array.from(atob(jpegBase64), (character) => character.charCodeAt(0))
  return createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
}

function paint(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  // Assigning empties the canvas, even the same size.
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    Object.assign(canvas, { width: bitmap.width, height: bitmap.height })
  }
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap)
}

function clear(canvas: HTMLCanvasElement): void {
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(null)
}
