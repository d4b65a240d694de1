import type Hls from 'hls.js/light'
import { Events } from 'hls.js/light'
import { expect, test } from 'vitest'
import { watchTracks } from './hls-tracks.ts'

/** Of HTMLMediaElement.readyState. */
const HAVE_CURRENT_DATA = 2
const HAVE_ENOUGH_DATA = 4

const FIRST_PIECE = { video: {} }
const WITH_SOUND = { audio: {}, video: {} }

/** What watchTracks() asks of hls.js, and what it hears from it. */
class FakeHls {
  readonly #listeners = new Map<string, (name: string, data: unknown) => void>()
  readonly calls: string[] = []

  on(name: string, listener: (name: string, data: unknown) => void): void {
    this.#listeners.set(name, listener)
  }

  emit(name: string, data: unknown): void {
    this.#listeners.get(name)?.(name, data)
  }

  stopLoad = () => this.calls.push('stop')
  startLoad = (fromS: number) => this.calls.push(`load from ${fromS}`)
  detachMedia = () => this.calls.push('detach')
  attachMedia = () => this.calls.push('attach')
}

/** A video that shows a piece without sound, `atS` seconds into it; a piece with sound comes at 6 s. */
async function meetAt(atS: number, readyState: number) {
  const hls = new FakeHls()
  const tracks = watchTracks(hls as unknown as Hls)
  const media = document.createElement('video')
  media.currentTime = atS
  Object.defineProperty(media, 'readyState', { value: readyState })
  hls.emit(Events.MEDIA_ATTACHED, { media })
  hls.emit(Events.BUFFER_CODECS, FIRST_PIECE)
  hls.emit(Events.FRAG_LOADING, { frag: { start: 6 } })
  hls.emit(Events.BUFFER_CODECS, WITH_SOUND)
  await Promise.resolve()
  return { calls: hls.calls, tracks, media }
}

const CHANGED = ['stop', 'detach', 'attach', 'load from 6']

test('CHAN-33 other tracks wait until the picture has come to them', async () => {
  const { calls, tracks, media } = await meetAt(4, HAVE_ENOUGH_DATA)
  expect([calls, tracks.isChanging()]).toEqual([['stop'], true])
  media.currentTime = 5.8
  media.dispatchEvent(new Event('timeupdate'))
  expect([calls, tracks.isChanging()]).toEqual([CHANGED, false])
})

test('CHAN-33 other tracks are shown at once where the picture already waits for them', async () => {
  const { calls, tracks } = await meetAt(4, HAVE_CURRENT_DATA)
  expect([calls, tracks.isChanging()]).toEqual([CHANGED, false])
})

test('CHAN-33 other tracks are shown at once where the picture is already at its end', async () => {
  const { calls } = await meetAt(5.9, HAVE_ENOUGH_DATA)
  expect(calls).toEqual(CHANGED)
})
