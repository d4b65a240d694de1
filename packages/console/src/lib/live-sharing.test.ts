import { expect, test, vi } from 'vitest'
import type { LiveMessage } from './live-message.ts'
import { LiveSharing, TAB_LOST_MS, type Answer, type ToTab } from './live-sharing.ts'

/** A stream that a test feeds. */
class FakeStream {
  readonly url: string
  readonly signal: AbortSignal
  readonly #answered = Promise.withResolvers<Answer>()
  readonly #queue: (LiveMessage | null)[] = []
  #wake = () => {}

  constructor(url: string, signal: AbortSignal) {
    this.url = url
    this.signal = signal
  }

  get answer(): Promise<Answer> {
    return this.#answered.promise
  }

  accept(): void {
    this.#answered.resolve({ bytes: this.#read() })
  }

  refuse(status: number, body: unknown): void {
    this.#answered.resolve({ status, body })
  }

  say(event: string): void {
    this.#put({ event, data: '{}' })
  }

  end(): void {
    this.#put(null)
  }

  #put(item: LiveMessage | null): void {
    this.#queue.push(item)
    this.#wake()
  }

  async *#read(): AsyncGenerator<LiveMessage, void> {
    for (;;) {
      const message = this.#queue.shift()
      if (message === null) return
      if (message === undefined) await new Promise<void>((resolve) => (this.#wake = resolve))
      else yield message
    }
  }
}

function scene() {
  const streams: FakeStream[] = []
  let nowMs = 0
  const sharing = new LiveSharing(
    async (url, _headers, signal) => {
      const stream = new FakeStream(url, signal)
      streams.push(stream)
      return stream.answer
    },
    () => nowMs,
  )
  const tab = (account = 'a') => {
    const heard: string[] = []
    const port = {
      postMessage: (notice: ToTab) =>
        heard.push(
          notice.type === 'message' ? (notice.message.event ?? '') : `ended ${notice.status}`,
        ),
    }
    // Each load of a page slides the token.
    const join = () => {
      const headers = { token: String(streams.length) }
      sharing.hear(port, { type: 'join', account, url: '/live', headers })
    }
    join()
    return {
      heard,
      join,
      here: () => sharing.hear(port, { type: 'here' }),
      leave: () => sharing.hear(port, { type: 'leave' }),
    }
  }
  const at = (index: number) => {
    const stream = streams[index]
    if (!stream) throw new Error(`There is no stream ${index}.`)
    return stream
  }
  return { streams, at, tab, pass: (ms: number) => (nowMs += ms) }
}

async function until(check: () => void): Promise<void> {
  await vi.waitFor(check)
}

test('tabs that come while a stream is opened share it', async () => {
  const { streams, at, tab } = scene()
  const [first, second] = [tab(), tab()]
  at(0).accept()
  at(0).say('snapshot')
  at(0).say('program')
  await until(() => expect(first.heard).toEqual(['snapshot', 'program']))
  expect(second.heard).toEqual(first.heard)
  expect(streams).toHaveLength(1)
})

test('a later tab gets a whole picture; the earlier stream ends, and nobody misses anything', async () => {
  const { at, tab } = scene()
  const first = tab()
  at(0).accept()
  at(0).say('snapshot')
  await until(() => expect(first.heard).toEqual(['snapshot']))
  const second = tab()
  at(0).say('program')
  await until(() => expect(first.heard).toEqual(['snapshot', 'program']))
  at(1).accept()
  at(1).say('snapshot')
  at(1).say('host')
  await until(() => expect(second.heard.slice(-2)).toEqual(['snapshot', 'host']))
  expect(first.heard).toEqual(['snapshot', 'program', 'snapshot', 'host'])
  expect(at(0).signal.aborted).toBe(true)
  expect(at(1).signal.aborted).toBe(false)
})

test('another account has a stream of its own', async () => {
  const { streams, at, tab } = scene()
  const [first, second] = [tab('a'), tab('b')]
  at(0).accept()
  at(0).say('snapshot')
  await until(() => expect(first.heard).toEqual(['snapshot']))
  expect(second.heard).toEqual([])
  expect(streams).toHaveLength(2)
})

test('the last tab that leaves ends the stream', () => {
  const { at, tab } = scene()
  const [first, second] = [tab(), tab()]
  first.leave()
  expect(at(0).signal.aborted).toBe(false)
  second.leave()
  expect(at(0).signal.aborted).toBe(true)
})

test('a tab that is gone without a word is not kept for', async () => {
  const { at, tab, pass } = scene()
  const [gone, there] = [tab(), tab()]
  at(0).accept()
  at(0).say('snapshot')
  await until(() => expect(there.heard).toEqual(['snapshot']))
  pass(TAB_LOST_MS + 1)
  there.here()
  at(0).say('beat')
  at(0).say('beat')
  await until(() => expect(there.heard).toEqual(['snapshot', 'beat', 'beat']))
  expect(gone.heard).toEqual(['snapshot', 'beat'])
})

test.each([
  ['ends', (stream: FakeStream) => (stream.accept(), stream.end()), 'ended null'],
  ['is refused', (stream: FakeStream) => stream.refuse(401, { error: 'No.' }), 'ended 401'],
] as const)('a stream that %s is told to all, who come again', async (_what, end, expected) => {
  const { streams, at, tab } = scene()
  const [first, second] = [tab(), tab()]
  end(at(0))
  await until(() => expect([first.heard, second.heard]).toEqual([[expected], [expected]]))
  first.join()
  second.join()
  expect(streams).toHaveLength(2)
})
