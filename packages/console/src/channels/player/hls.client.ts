/** hls.js behind the few things the player asks of it. Holds no rule about when to retry. */
import Hls, { ErrorTypes, Events } from 'hls.js/light'
import { watchTracks } from './hls-tracks.ts'
import { CATCH_UP_RATE, mostBehindS, settledBehindS, startBehindS, usualS } from './player.rules.ts'
import type { EngineFailure, PlaylistFacts } from './player.rules.ts'

export interface EngineEvents {
  /** Each playlist read; `edge` names its newest segment. */
  onPlaylist: (edge: string, facts: PlaylistFacts) => void
  /** The playlist shares no segment with the one before: it may belong to another ladder of sizes. */
  onAnew: () => void
  onSegment: (bytes: number, durationS: number) => void
  /** This engine will not go on by itself. */
  onFailure: (failure: EngineFailure) => void
}

/** One life of hls.js. It reads the playlist from its making on, and media once it is attached. */
export interface Engine {
  attach: (video: HTMLVideoElement) => void
  /** Seconds between the picture and the newest the server has; null while unknown. */
  secondsBehind: () => number | null
  goToLive: (video: HTMLVideoElement) => void
  /** As the stream has it; a browser's own figure is stretched to the shape of the screen. 0: unknown. */
  codedWidth?: () => number
  destroy: () => void
}

/** A missing playlist is for the player to retry, in view of the operator; not for hls.js. */
const NO_RETRY = { maxNumRetry: 0, retryDelayMs: 0, maxRetryDelayMs: 0 }
const PLAYLIST_TIMEOUT_MS = 8000

/** False in browsers without Media Source Extensions. */
export function canPlay(): boolean {
  return Hls.isSupported()
}

/** 'tile': one of many small pictures: the lowest rendition, and hardly more kept than is shown. */
export type EngineUse = 'detail' | 'tile'

const BACK_BUFFER_S: Record<EngineUse, number> = { detail: 20, tile: 4 }

/** How a file is asked for. */
export interface MediaRequest {
  address: string
  /** Of the console's session, for its own API; '' sends none. */
  sessionToken: string
}

/** `requestFor` is asked before every request, since tokens are renewed. */
export function createHlsEngine(
  address: string,
  requestFor: (url: string) => MediaRequest,
  events: EngineEvents,
  use: EngineUse = 'detail',
): Engine {
  const hls = new Hls({
    // The light build as a module has no worker of its own file; one small stream needs none.
    enableWorker: false,
    backBufferLength: BACK_BUFFER_S[use],
    liveDurationInfinity: true,
    // hls.js takes the one only with the other; where a player really begins is set below.
    liveSyncDurationCount: 3,
    liveMaxLatencyDurationCount: 6,
    // What starting up or one late segment cost would else stay for as long as the picture plays.
    maxLiveSyncPlaybackRate: CATCH_UP_RATE,
    manifestLoadPolicy: {
      default: {
        maxTimeToFirstByteMs: PLAYLIST_TIMEOUT_MS,
        maxLoadTimeMs: PLAYLIST_TIMEOUT_MS,
        timeoutRetry: NO_RETRY,
        errorRetry: NO_RETRY,
      },
    },
    xhrSetup: (request, url) => openRequest(request, requestFor(url)),
  })
  if (use === 'tile') {
    // Sorted by their bitrate; naming one turns the choice by bandwidth off.
    hls.on(Events.MANIFEST_PARSED, () => {
      hls.loadLevel = 0
    })
  }
  const tracks = watchTracks(hls)
  let last: Numbers | null = null
  hls.on(Events.LEVEL_LOADED, (_name, { details, level }) => {
    const newest = details.fragments.at(-1)
    if (newest === undefined) return
    if (last !== null && sharesNothing(details, last)) events.onAnew()
    last = details
    // Another token is no newer segment.
    const [file = ''] = (newest.relurl ?? '').split('?')
    events.onPlaylist(`${newest.sn} ${file}`, {
      segments: details.fragments.length,
      segmentS: usualS(details.fragments.map((fragment) => fragment.duration)),
      renditions: hls.levels.length,
      ladder: hls.levels.map(({ height }) => height).join(' '),
      renditionLines: hls.levels[level]?.height ?? 0,
    })
  })
  let codedWidth = 0
  hls.on(Events.BUFFER_CODECS, (_name, { video }) => {
    codedWidth = video?.metadata?.width ?? codedWidth
  })
  const beginS = keepPlace(hls)
  hls.on(Events.FRAG_LOADED, (_name, { frag }) => {
    events.onSegment(frag.stats.total, frag.duration)
  })
  hls.on(Events.ERROR, (_name, data) => {
    // What does not fit into the old buffers is loaded again into the new ones.
    if (data.type !== ErrorTypes.NETWORK_ERROR && tracks.isChanging()) return
    if (data.fatal) events.onFailure(failureOf(data.type, data.details, data.response?.code ?? 0))
  })
  hls.loadSource(address)
  return {
    attach: (video) => hls.attachMedia(video),
    secondsBehind: () => (hls.latency > 0 ? hls.latency : null),
    goToLive: (video) => {
      const placeS = beginS()
      // oxlint-disable-next-line no-param-reassign -- seeking is an assignment
      if (placeS !== null) video.currentTime = placeS
    },
    codedWidth: () => codedWidth,
    destroy: () => hls.destroy(),
  }
}

/** What hls.js asks with. */
interface OpenableRequest {
  open: (method: 'GET', address: string, isAsync: true) => void
  setRequestHeader: (name: string, value: string) => void
}

/** hls.js itself opens only what is not open yet. */
function openRequest(request: OpenableRequest, { address, sessionToken }: MediaRequest): void {
  request.open('GET', address, true)
  if (sessionToken !== '') request.setRequestHeader('Authorization', `Bearer ${sessionToken}`)
}

/** Of the first and the last segment of a playlist. */
interface Numbers {
  startSN: number
  endSN: number
}

function sharesNothing(a: Numbers, b: Numbers): boolean {
  return a.startSN > b.endSN || a.endSN < b.startSN
}

/** Where to begin a life, and how near the player comes again. Answers where to begin now. */
function keepPlace(hls: Hls): () => number | null {
  let durationsS: readonly number[] = []
  /** hls.js itself comes back to where a player settles. */
  const beginS = () => {
    hls.targetLatency = startBehindS(durationsS)
    const placeS = hls.liveSyncPosition
    hls.targetLatency = settledBehindS(durationsS)
    return placeS
  }
  // By then hls.js has chosen where to begin, by its own rule, and has asked for no segment yet.
  hls.once(Events.LEVEL_UPDATED, (_name, { details }) => {
    durationsS = details.fragments.map((fragment) => fragment.duration)
    hls.config.liveMaxLatencyDuration = mostBehindS(durationsS)
    const placeS = beginS()
    if (placeS !== null) hls.startLoad(placeS)
  })
  return beginS
}

function failureOf(type: ErrorTypes, details: string, httpStatus: number): EngineFailure {
  if (type !== ErrorTypes.NETWORK_ERROR) return { kind: 'media' }
  return { kind: /^(manifest|level)/.test(details) ? 'playlist' : 'network', httpStatus }
}
