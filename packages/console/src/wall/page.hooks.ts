/** What the wall asks the browser: is the page shown, how large is a place, is the screen filled. */
import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import type { Size } from './wall.rules.ts'

function watchShown(watcher: () => void): () => void {
  document.addEventListener('visibilitychange', watcher)
  return () => document.removeEventListener('visibilitychange', watcher)
}

/** False in a tab that lies behind another. */
export function usePageShown(): boolean {
  return useSyncExternalStore(watchShown, () => document.visibilityState === 'visible')
}

/** Of what is inside the element's edges; 0 until the browser has said so. */
export function useSize(ref: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ widthPx: 0, heightPx: 0 })
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const look = () => {
      const [widthPx, heightPx] = [element.clientWidth, element.clientHeight]
      setSize((now) =>
        now.widthPx === widthPx && now.heightPx === heightPx ? now : { widthPx, heightPx },
      )
    }
    look()
    const watch = new ResizeObserver(look)
    watch.observe(element)
    return () => watch.disconnect()
  }, [ref])
  return size
}

/** Set on the page while the wall fills the screen: the header is then not shown. */
const BARE = 'data-bare'

/**
 * The wall alone on the screen. Where the browser gives no full screen (it may be forbidden), the
 * header goes all the same. Escape, by the browser, leaves it.
 */
export function useBareScreen(): { isBare: boolean; toggle: () => void } {
  const [isBare, setBare] = useState(false)
  useEffect(() => {
    if (!isBare) return
    const root = document.documentElement
    const follow = () => {
      if (document.fullscreenElement === null) setBare(false)
    }
    root.setAttribute(BARE, '')
    // Asked for before it is listened to: a refusal is no end of it.
    const asked = root.requestFullscreen?.().then(
      () => document.addEventListener('fullscreenchange', follow),
      () => undefined,
    )
    return () => {
      root.removeAttribute(BARE)
      void asked?.then(async () => {
        document.removeEventListener('fullscreenchange', follow)
        if (document.fullscreenElement === root) await document.exitFullscreen()
      })
    }
  }, [isBare])
  return { isBare, toggle: () => setBare((now) => !now) }
}
