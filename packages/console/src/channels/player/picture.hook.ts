/** Looks at the picture on the screen every 2 s, in 144 points, while somebody can see it. */
import {
  lookAgain,
  type PictureMemory,
  type PictureState,
  stateOfPicture,
} from '@trunkline/contract/channels/picture.rules'
import { type RefObject, useEffect, useState } from 'react'

const LOOK_EVERY_MS = 2000
const WIDTH = 16
const HEIGHT = 9

/** `isPlaying`: frames come; null while they do not, and before the second look. */
export function usePicture(
  video: RefObject<HTMLVideoElement | null>,
  isPlaying: boolean,
): PictureState | null {
  const [state, setState] = useState<PictureState | null>(null)
  useEffect(() => {
    if (!isPlaying) return
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: WIDTH, height: HEIGHT })
    const context = canvas.getContext('2d', { willReadFrequently: true })
    let memory: PictureMemory | null = null
    const look = () => {
      if (document.hidden || context === null || video.current === null) return
      context.drawImage(video.current, 0, 0, WIDTH, HEIGHT)
      const before: PictureMemory | null = memory
      memory = lookAgain(before, context.getImageData(0, 0, WIDTH, HEIGHT).data, Date.now())
      const next = stateOfPicture(memory, Date.now())
      if (before !== null) setState((known) => (isSame(known, next) ? known : next))
    }
    look()
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => {
      clearInterval(timer)
      setState(null)
    }
  }, [isPlaying, video])
  return state
}

function isSame(a: PictureState | null, b: PictureState | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
