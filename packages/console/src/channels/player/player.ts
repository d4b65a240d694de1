/**
 * A live picture that comes back by itself. Two engines at most: one that shows (or shows its last
 * picture), and beside it, once no frame came for 5 s, a fresh one that reads the playlist and
 * takes over when that has something newer. So a dead stream keeps its last picture instead of
 * playing its last seconds over and over, and hls.js being stuck is cured by a new one
 * (dataplane.md 6.1).
 */
import type { Engine, EngineEvents } from './hls.client.ts'
import { FRAME_TIMEOUT_MS, PLAYLIST_RETRY_MS, frameTimeoutMs, playerPhase } from './player.rules.ts'
import type { EngineFailure, PlayerPhase, PlaylistFacts } from './player.rules.ts'

const TICK_MS = 500
/** The playlist moved on: so long may the showing engine find out itself, which costs no jump. */
const PATIENCE_MS = 2000
const BITRATE_SEGMENTS = 3

export interface PlayerOptions {
  video: HTMLVideoElement
  /** Playlist addresses, best first. The next is taken when nobody answers at one. */
  sources: readonly string[]
  /** False: the stream is known to be dead, so what its playlist still lists is old. */
  isAlive: boolean
  createEngine: (address: string, events: EngineEvents) => Engine
  nowMs: () => number
  /** Hidden pages get no frames; that is no fault. */
  isHidden: () => boolean
}

export interface PlayerView {
  readonly state: PlayerPhase
  readonly secondsBehind: number | null
  /** How long ago the playlist named a new segment. */
  readonly playlistAgeS: number | null
  /** Null before the first. */
  readonly playlist: PlaylistFacts | null
  readonly bitrateKbps: number | null
  readonly width: number
  readonly height: number
  /** How often the player was built anew. */
  readonly rebuilds: number
}

/** One engine and what is known of it. */
interface Life {
  engine: Engine
  edge: string | null
  edgeAtMs: number
  playlist: PlaylistFacts | null
  hasFrame: boolean
  hasFailed: boolean
}

export class LivePlayer {
  readonly #options: PlayerOptions
  readonly #listeners = new Set<() => void>()
  readonly #timer: ReturnType<typeof setInterval>
  readonly #stopFrames: () => void
  #shown: Life | null = null
  #next: Life | null = null
  #sourceIndex = 0
  #isWanted = true
  #failure: EngineFailure | null = null
  #lastFrameAtMs: number | null = null
  /**
   * For how long pictures were missing; each second of pictures takes one back, so that a picture
   * that stutters is found out as well as one that stands.
   */
  #stillMs = 0
  #sawFrame = false
  #tickedAtMs: number
  #builtAtMs: number
  #retryAtMs: number | null = null
  /** The newest segment listed when the last frame came: what is beyond it is new. */
  #oldEdge: string | null = null
  #newerSinceMs: number | null = null
  /** The next engine is there to say whether the sizes to choose from are still the same. */
  #isLookingForLadder = false
  #buildsWithoutFrame = 0
  #rebuilds = 0
  #frameCount = 0
  #segments: { bytes: number; durationS: number }[] = []
  #view: PlayerView

  constructor(options: PlayerOptions) {
    this.#options = options
    this.#tickedAtMs = options.nowMs()
    this.#builtAtMs = options.nowMs()
    this.#view = this.#look()
    this.#stopFrames = watchFrames(options.video, () => this.#onFrame())
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
    this.#build()
  }

  /** For useSyncExternalStore: the same object until something changed. */
  view = (): PlayerView => this.#view

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  play(): void {
    this.#isWanted = true
    this.#stillMs = 0
    this.#shown?.engine.goToLive(this.#options.video)
    this.#startVideo()
    this.#publish()
  }

  pause(): void {
    this.#isWanted = false
    this.#options.video.pause()
    this.#publish()
  }

  /** Read the playlist now instead of at the next turn. */
  retry(): void {
    this.#build()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#stopFrames()
    this.#shown?.engine.destroy()
    this.#next?.engine.destroy()
    this.#shown = null
    this.#next = null
    this.#listeners.clear()
  }

  #build(): void {
    this.#next?.engine.destroy()
    this.#retryAtMs = null
    this.#builtAtMs = this.#options.nowMs()
    // An engine may fail while it is being made, before its life is known; that is a failed read.
    let life: Life | null = null
    const engine = this.#options.createEngine(this.#options.sources[this.#sourceIndex] ?? '', {
      onPlaylist: (edge, facts) => life && this.#onPlaylist(life, edge, facts),
      onAnew: () => life && this.#onAnew(life),
      onSegment: (bytes, durationS) => {
        if (life === this.#shown) this.#onSegment(bytes, durationS)
      },
      onFailure: (failure) => life && this.#onFailure(life, failure),
    })
    life = { engine, edge: null, edgeAtMs: 0, playlist: null, hasFrame: false, hasFailed: false }
    this.#next = life
    // The very first need not wait for its playlist: whatever a live stream lists is new.
    if (this.#shown === null && this.#options.isAlive) this.#show(life)
  }

  #onPlaylist(life: Life, edge: string, facts: PlaylistFacts): void {
    if (life !== this.#shown && life !== this.#next) return
    if (edge !== life.edge) life.edgeAtMs = this.#options.nowMs()
    life.edge = edge
    life.playlist = facts
    this.#failure = null
    if (this.#oldEdge === null && this.#shown === null && !this.#options.isAlive) {
      this.#oldEdge = edge
    }
    if (edge !== this.#oldEdge) this.#newerSinceMs ??= this.#options.nowMs()
    this.#takeOver()
  }

  /** hls.js reads the list of sizes once; another template of the stream's server has other ones. */
  #onAnew(life: Life): void {
    if (life !== this.#shown || this.#isLookingForLadder) return
    this.#isLookingForLadder = true
    this.#build()
  }

  /** The next engine becomes the shown one, if it has something newer to show, or in other sizes. */
  #takeOver(): void {
    this.#compareLadders()
    const next = this.#next
    if (next === null || next.edge === null || next.edge === this.#oldEdge) return
    this.#newerSinceMs ??= this.#options.nowMs()
    const waitedMs = this.#options.nowMs() - this.#newerSinceMs
    const old = this.#shown
    if (old !== null && old.hasFrame && !old.hasFailed && waitedMs < PATIENCE_MS) return
    if (old !== null) this.#rebuilds += 1
    this.#show(next)
  }

  #compareLadders(): void {
    const [old, next] = [this.#shown?.playlist, this.#next]
    if (!this.#isLookingForLadder || !old || !next?.playlist) return
    this.#isLookingForLadder = false
    if (next.playlist.ladder === old.ladder) return
    this.#rebuilds += 1
    this.#show(next)
  }

  #show(next: Life): void {
    this.#isLookingForLadder = false
    this.#shown?.engine.destroy()
    this.#shown = next
    this.#next = null
    this.#segments = []
    this.#buildsWithoutFrame += 1
    this.#builtAtMs = this.#options.nowMs()
    this.#stillMs = 0
    next.engine.attach(this.#options.video)
    if (this.#isWanted) this.#startVideo()
    this.#publish()
  }

  #onFrame(): void {
    const shown = this.#shown
    if (shown === null) return
    this.#lastFrameAtMs = this.#options.nowMs()
    this.#sawFrame = true
    this.#oldEdge = shown.edge
    this.#newerSinceMs = null
    this.#buildsWithoutFrame = 0
    shown.hasFrame = true
    if (this.#view.state.phase !== 'playing') this.#publish()
  }

  #onSegment(bytes: number, durationS: number): void {
    this.#segments = [...this.#segments, { bytes, durationS }].slice(-BITRATE_SEGMENTS)
  }

  #onFailure(life: Life, failure: EngineFailure): void {
    if (life !== this.#shown && life !== this.#next) return
    life.hasFailed = true
    if (failure.kind !== 'media') this.#failure = failure
    if (life === this.#next) {
      life.engine.destroy()
      this.#next = null
    }
    if (this.#mayTryNextSource(failure)) {
      this.#sourceIndex += 1
      this.#build()
    } else {
      this.#retryAtMs ??= this.#retryTimeMs(failure)
    }
    this.#publish()
  }

  /** Nobody answered at this address and it never played: a policy or a firewall is in between. */
  #mayTryNextSource(failure: EngineFailure): boolean {
    const hasNext = this.#sourceIndex + 1 < this.#options.sources.length
    return hasNext && this.#lastFrameAtMs === null && isNoAnswer(failure)
  }

  #retryTimeMs(failure: EngineFailure): number {
    if (failure.kind === 'playlist') return this.#options.nowMs() + PLAYLIST_RETRY_MS
    return this.#builtAtMs + FRAME_TIMEOUT_MS
  }

  #tick(): void {
    const nowMs = this.#options.nowMs()
    this.#countFrames()
    this.#measure(nowMs)
    this.#takeOver()
    this.#rebuildIfStill(nowMs)
    this.#publish()
  }

  #measure(nowMs: number): void {
    const spentMs = nowMs - this.#tickedAtMs
    const sawFrame = this.#sawFrame
    this.#tickedAtMs = nowMs
    this.#sawFrame = false
    if (!this.#isWanted || this.#options.isHidden()) this.#stillMs = 0
    else this.#stillMs = Math.max(0, this.#stillMs + (sawFrame ? -spentMs : spentMs))
    if (this.#isLookingForLadder) return
    const isWell = sawFrame && this.#stillMs < PATIENCE_MS && this.#shown?.hasFailed === false
    if (!isWell) return
    this.#next?.engine.destroy()
    this.#next = null
  }

  #rebuildIfStill(nowMs: number): void {
    const edge = this.#next?.edge ?? null
    const isNewer = edge !== null && edge !== this.#oldEdge
    if (!this.#isWanted || isNewer) return
    const isRetryDue = this.#retryAtMs !== null && nowMs >= this.#retryAtMs
    const limitMs = frameTimeoutMs(this.#buildsWithoutFrame)
    const isStill = this.#stillMs >= limitMs && nowMs - this.#builtAtMs >= limitMs
    if (isRetryDue || isStill) this.#build()
  }

  /** The other evidence: a browser may not call back for a picture that is scrolled out of view. */
  #countFrames(): void {
    const count = this.#options.video.getVideoPlaybackQuality().totalVideoFrames
    if (count > this.#frameCount) this.#onFrame()
    this.#frameCount = count
  }

  #startVideo(): void {
    this.#options.video.play().catch((error: unknown) => {
      // A browser that forbids starting by itself shows the play button; anything else is watched.
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
      this.#isWanted = false
      this.#publish()
    })
  }

  #publish(): void {
    const next = this.#look()
    if (isSameView(next, this.#view)) return
    this.#view = next
    for (const listener of this.#listeners) listener()
  }

  #look(): PlayerView {
    const { video } = this.#options
    const isWanted = this.#isWanted
    const facts = { isWanted, lastFrameAtMs: this.#lastFrameAtMs, failure: this.#failure }
    const shown = this.#shown
    const nowMs = this.#options.nowMs()
    return {
      state: playerPhase(facts, nowMs),
      secondsBehind: tenths(shown?.engine.secondsBehind() ?? null),
      playlistAgeS:
        shown === null || shown.edge === null ? null : tenths((nowMs - shown.edgeAtMs) / 1000),
      playlist: shown?.playlist ?? null,
      bitrateKbps: bitrateOf(this.#segments),
      width: video.videoWidth === 0 ? 0 : shown?.engine.codedWidth?.() || video.videoWidth,
      height: video.videoHeight,
      rebuilds: this.#rebuilds,
    }
  }
}

function tenths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10
}

function isNoAnswer(failure: EngineFailure): boolean {
  return failure.kind !== 'media' && failure.httpStatus === 0
}

function bitrateOf(segments: readonly { bytes: number; durationS: number }[]): number | null {
  const seconds = segments.reduce((sum, segment) => sum + segment.durationS, 0)
  if (seconds === 0) return null
  const bits = segments.reduce((sum, segment) => sum + segment.bytes, 0) * 8
  return Math.round(bits / seconds / 1000)
}

function isSameView(a: PlayerView, b: PlayerView): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Calls back for each new picture; does nothing where the browser has no such call. */
function watchFrames(video: HTMLVideoElement, onFrame: () => void): () => void {
  if (!('requestVideoFrameCallback' in video)) return () => undefined
  let handle = 0
  const next = () => {
    handle = video.requestVideoFrameCallback(() => {
      onFrame()
      next()
    })
  }
  next()
  return () => video.cancelVideoFrameCallback(handle)
}
