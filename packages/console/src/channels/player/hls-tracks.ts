/**
 * Sources of one channel may differ in what they carry: one has sound, the next has none. Media
 * buffers made for both wait for ever for the missing track, so they are made anew where such
 * pieces meet: once the picture has come that far, and not a moment sooner.
 */
import type Hls from 'hls.js/light'
import { Events } from 'hls.js/light'

/** A video tells its time four times a second; nobody misses what is left of the older piece. */
const NEAR_S = 0.3
/** Of HTMLMediaElement.readyState: nothing is there to be shown next. */
const HAVE_CURRENT_DATA = 2
const KINDS = ['audio', 'video', 'audiovideo'] as const

export interface TrackWatch {
  /** True from the moment that other tracks were seen until the buffers are made anew. */
  isChanging: () => boolean
}

export function watchTracks(hls: Hls): TrackWatch {
  let kinds = ''
  let loadingS = 0
  /** Where the piece with other tracks begins, on the video's clock; null while there is none. */
  let beginsS: number | null = null
  let video: HTMLMediaElement | null = null

  const change = () => {
    if (video === null || beginsS === null) return
    const [again, fromS, isPlaying] = [video, beginsS, !video.paused]
    beginsS = null
    hls.detachMedia()
    hls.attachMedia(again)
    hls.startLoad(fromS)
    // What is attached anew stands still.
    if (isPlaying) again.play().catch(() => undefined)
  }
  const changeIfThere = () => {
    if (beginsS !== null && (video?.currentTime ?? 0) >= beginsS - NEAR_S) change()
  }
  /** A video that waits already says nothing more: neither its time nor that it waits. */
  const changeIfWaiting = () => {
    if (video !== null && video.readyState <= HAVE_CURRENT_DATA) change()
    else changeIfThere()
  }
  hls.on(Events.FRAG_LOADING, (_name, { frag }) => {
    loadingS = frag.start
  })
  hls.on(Events.BUFFER_CODECS, (_name, tracks) => {
    const found = KINDS.filter((kind) => kind in tracks).join(' ')
    if (kinds !== '' && kinds !== found) {
      beginsS = loadingS
      // What would come next does not fit into the buffers that are there.
      hls.stopLoad()
      // Once hls.js is done with this piece.
      queueMicrotask(changeIfWaiting)
    }
    kinds = found
  })
  hls.on(Events.MEDIA_ATTACHED, (_name, { media }) => {
    video = media
    media.addEventListener('timeupdate', changeIfThere)
    // Nothing is left of the older piece, wherever it ended.
    media.addEventListener('waiting', change)
  })
  hls.on(Events.MEDIA_DETACHING, () => {
    video?.removeEventListener('timeupdate', changeIfThere)
    video?.removeEventListener('waiting', change)
    video = null
  })
  return { isChanging: () => beginsS !== null }
}
