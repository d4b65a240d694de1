import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Engine, EngineEvents } from './hls.client.ts'
import { LivePlayer, type PlayerOptions } from './player.ts'

const PLAYLIST = { segments: 6, segmentS: 2, renditions: 1, ladder: '0', renditionLines: 0 }

/** An engine whose network is this test. */
class TestEngine implements Engine {
  isAttached = false
  isDestroyed = false
  wentLive = 0
  readonly address: string
  readonly events: EngineEvents

  constructor(address: string, events: EngineEvents) {
    this.address = address
    this.events = events
  }

  attach() {
    this.isAttached = true
  }
  secondsBehind() {
    return 4.24
  }
  goToLive() {
    this.wentLive += 1
  }
  destroy() {
    this.isDestroyed = true
  }
}

/** A real video element whose pictures come from this test. */
function testVideo() {
  const video = document.createElement('video')
  let onFrame: (() => void) | null = null
  const plays = vi.fn<() => Promise<void>>(async () => undefined)
  Object.assign(video, {
    play: plays,
    pause: () => undefined,
    getVideoPlaybackQuality: () => ({ totalVideoFrames: 0 }),
    requestVideoFrameCallback: (callback: () => void) => {
      onFrame = callback
      return 1
    },
    cancelVideoFrameCallback: () => {
      onFrame = null
    },
  })
  return { video, plays, frame: () => onFrame?.() }
}

const open: LivePlayer[] = []

function start(more: Partial<PlayerOptions>) {
  const engines: TestEngine[] = []
  const screen = testVideo()
  const player = new LivePlayer({
    video: screen.video,
    sources: ['/relayed.m3u8'],
    isAlive: true,
    createEngine: (address, events) => {
      const engine = new TestEngine(address, events)
      engines.push(engine)
      return engine
    },
    nowMs: () => Date.now(),
    isHidden: () => false,
    ...more,
  })
  open.push(player)
  const engine = (index: number): TestEngine => {
    const found = engines[index]
    if (found === undefined) throw new Error(`no engine ${index}`)
    return found
  }
  return { ...screen, player, engines, engine }
}

/** Plays until `edge`, one picture every 100 ms over a second. */
function playTo(site: ReturnType<typeof start>, engine: TestEngine, edge: string) {
  engine.events.onPlaylist(edge, PLAYLIST)
  for (let step = 0; step < 10; step += 1) {
    site.frame()
    vi.advanceTimersByTime(100)
  }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  for (const player of open.splice(0)) player[Symbol.dispose]()
  vi.useRealTimers()
})

test('the first playlist starts the picture at once', () => {
  const site = start({})
  expect(site.player.view().state.phase).toBe('loading')
  playTo(site, site.engine(0), '7 a.ts')
  expect(site.engine(0).isAttached).toBe(true)
  expect(site.plays).toHaveBeenCalled()
  expect(site.player.view()).toMatchObject({ state: { phase: 'playing' }, secondsBehind: 4.2 })
})

test('a picture that moves is never rebuilt', () => {
  const site = start({})
  for (let segment = 0; segment < 30; segment += 1) playTo(site, site.engine(0), `${segment}`)
  expect(site.engines).toHaveLength(1)
})

test('stuck while the playlist moves on: a new engine takes over after 5 s', () => {
  const site = start({})
  playTo(site, site.engine(0), '1')
  site.engine(0).events.onPlaylist('2', PLAYLIST)
  vi.advanceTimersByTime(4500)
  expect(site.engines).toHaveLength(1)
  vi.advanceTimersByTime(1000)
  expect(site.engines).toHaveLength(2)
  site.engine(1).events.onPlaylist('4', PLAYLIST)
  expect(site.engine(0).isDestroyed).toBe(true)
  expect(site.engine(1).isAttached).toBe(true)
  expect(site.player.view().rebuilds).toBe(1)
})

test('a dead stream keeps its last picture, is retried without end, and returns by itself', () => {
  const site = start({})
  playTo(site, site.engine(0), '1')
  for (let second = 0; second < 60; second += 1) {
    site.engines.at(-1)?.events.onPlaylist('1', PLAYLIST)
    vi.advanceTimersByTime(1000)
  }
  expect(site.player.view().state.phase).toBe('frozen')
  expect(site.engine(0).isDestroyed, 'its last picture stays').toBe(false)
  expect(site.engines.length).toBeGreaterThan(10)
  expect(site.engines.filter((engine) => engine.isAttached)).toHaveLength(1)

  const last = site.engines.length - 1
  site.engine(last).events.onPlaylist('2', PLAYLIST)
  vi.advanceTimersByTime(2500)
  expect(site.engine(last).isAttached).toBe(true)
  site.frame()
  expect(site.player.view().state.phase).toBe('playing')
})

test('the showing engine that recovers alone is not replaced: no jump', () => {
  const site = start({})
  playTo(site, site.engine(0), '1')
  vi.advanceTimersByTime(6000)
  site.engine(1).events.onPlaylist('2', PLAYLIST)
  for (let second = 0; second < 6; second += 1) playTo(site, site.engine(0), `2 ${second}`)
  expect(site.engine(1).isDestroyed).toBe(true)
  expect(site.engine(0).isDestroyed).toBe(false)
  expect(site.player.view()).toMatchObject({ state: { phase: 'playing' }, rebuilds: 0 })
})

test('the engine of a stuttering picture is replaced sooner than that of a frozen picture', () => {
  const site = start({})
  playTo(site, site.engine(0), '1')
  site.engine(0).events.onPlaylist('2', PLAYLIST)
  vi.advanceTimersByTime(5500)
  expect(site.engines).toHaveLength(2)
  site.engine(1).events.onPlaylist('1', PLAYLIST)
  site.frame()
  vi.advanceTimersByTime(500)
  site.engine(0).events.onPlaylist('3', PLAYLIST)
  site.engine(1).events.onPlaylist('3', PLAYLIST)
  vi.advanceTimersByTime(2500)
  expect(site.engine(0).isDestroyed).toBe(true)
  expect(site.engine(1).isAttached).toBe(true)
})

test('other renditions: the player is rebuilt, although the picture moves', () => {
  const site = start({})
  playTo(site, site.engine(0), '1')
  site.engine(0).events.onAnew()
  site.engine(0).events.onAnew()
  expect(site.engines, 'one looks').toHaveLength(2)
  playTo(site, site.engine(0), '2')
  playTo(site, site.engine(0), '3')
  expect(site.engine(1).isDestroyed, 'it is waited for').toBe(false)
  site.engine(1).events.onPlaylist('3', { ...PLAYLIST, renditions: 2, ladder: '360 720' })
  expect(site.engine(0).isDestroyed).toBe(true)
  expect(site.engine(1).isAttached).toBe(true)
  expect(site.player.view()).toMatchObject({ playlist: { renditions: 2 }, rebuilds: 1 })
})

test('a restarted playlist with the same renditions changes nothing', () => {
  const site = start({})
  playTo(site, site.engine(0), '1')
  site.engine(0).events.onAnew()
  site.engine(1).events.onFailure({ kind: 'playlist', httpStatus: 404 })
  playTo(site, site.engine(0), '2')
  playTo(site, site.engine(0), '3')
  playTo(site, site.engine(0), '4')
  expect(site.engines, 'looked again').toHaveLength(3)
  site.engine(2).events.onPlaylist('4', PLAYLIST)
  playTo(site, site.engine(0), '5')
  expect(site.engine(2).isDestroyed).toBe(true)
  expect(site.engine(0).isDestroyed).toBe(false)
  expect(site.player.view()).toMatchObject({ state: { phase: 'playing' }, rebuilds: 0 })
})

test('a missing playlist says why and is read again every 2 s', () => {
  const site = start({})
  const missing = { kind: 'playlist', httpStatus: 404 } as const
  site.engine(0).events.onFailure(missing)
  expect(site.player.view().state).toEqual({ phase: 'missing', failure: missing })
  for (let turn = 1; turn <= 3; turn += 1) {
    vi.advanceTimersByTime(2000)
    expect(site.engines).toHaveLength(turn + 1)
    site.engine(turn).events.onFailure(missing)
  }
  vi.advanceTimersByTime(2000)
  playTo(site, site.engine(4), '1')
  expect(site.player.view().state.phase).toBe('playing')
})

test('a playlist lost while playing: the rest of the buffer is shown first', () => {
  const site = start({})
  playTo(site, site.engine(0), '1')
  site.engine(0).events.onFailure({ kind: 'playlist', httpStatus: 502 })
  site.frame()
  expect(site.player.view().state.phase).toBe('playing')
  vi.advanceTimersByTime(2500)
  expect(site.player.view().state.phase).toBe('missing')
  expect(site.engine(0).isDestroyed).toBe(false)
  site.engine(1).events.onPlaylist('2', PLAYLIST)
  expect(site.engine(0).isDestroyed).toBe(true)
  expect(site.engine(1).isAttached).toBe(true)
})

test('the old segments of a stream known to be dead are not played', () => {
  const site = start({ isAlive: false })
  site.engine(0).events.onPlaylist('9', PLAYLIST)
  vi.advanceTimersByTime(3000)
  expect(site.engine(0).isAttached).toBe(false)
  site.engine(0).events.onPlaylist('10', PLAYLIST)
  expect(site.engine(0).isAttached).toBe(true)
})

test('an address that does not answer is replaced by the relay', () => {
  const site = start({ sources: ['http://198.51.100.4/a.m3u8', '/relayed.m3u8'] })
  site.engine(0).events.onFailure({ kind: 'playlist', httpStatus: 0 })
  expect(site.engine(1).address).toBe('/relayed.m3u8')
})

test('paused means paused: nothing is rebuilt, and play goes to the live edge', () => {
  const site = start({})
  playTo(site, site.engine(0), '1')
  site.player.pause()
  vi.advanceTimersByTime(60_000)
  expect(site.engines).toHaveLength(1)
  expect(site.player.view().state.phase).toBe('paused')
  site.player.play()
  expect(site.engine(0).wentLive).toBe(1)
})

test('a hidden page gets no pictures, which is not an error', () => {
  let isHidden = true
  const site = start({ isHidden: () => isHidden })
  playTo(site, site.engine(0), '1')
  vi.advanceTimersByTime(60_000)
  expect(site.engines).toHaveLength(1)
  isHidden = false
  vi.advanceTimersByTime(5500)
  expect(site.engines).toHaveLength(2)
})

test('a browser that blocks autoplay shows Paused', async () => {
  const site = start({})
  site.plays.mockRejectedValue(new DOMException('not yet', 'NotAllowedError'))
  site.player.play()
  await vi.advanceTimersByTimeAsync(0)
  expect(site.player.view().state.phase).toBe('paused')
})

test('the bitrate is that of the last three segments', () => {
  const site = start({})
  playTo(site, site.engine(0), '1')
  for (const bytes of [9_000_000, 500_000, 500_000, 500_000]) {
    site.engine(0).events.onSegment(bytes, 2)
  }
  vi.advanceTimersByTime(500)
  expect(site.player.view().bitrateKbps).toBe(2000)
})

test('nothing is requested after the player has ended', () => {
  const site = start({})
  site.player[Symbol.dispose]()
  vi.advanceTimersByTime(60_000)
  expect(site.engines).toHaveLength(1)
  expect(site.engine(0).isDestroyed).toBe(true)
})

test('an address that has played is kept when it fails once', () => {
  const site = start({ sources: ['http://198.51.100.4/a.m3u8', '/relayed.m3u8'] })
  playTo(site, site.engine(0), '1')
  site.engine(0).events.onFailure({ kind: 'playlist', httpStatus: 0 })
  vi.advanceTimersByTime(2500)
  expect(site.engine(1).address).toBe('http://198.51.100.4/a.m3u8')
})
