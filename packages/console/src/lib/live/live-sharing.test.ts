import { programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { expect, test, vi } from 'vitest'
import { FOUND_WITHIN_MS } from '../../test/limits.ts'
import type { LiveMessage } from './live-message.ts'
import {
  LiveSharing,
  TAB_LOST_MS,
  type Answer,
  type LiveRequest,
  type ToTab,
} from './live-sharing.ts'

const [A, B] = [programKey('encoder', 'a'), programKey('encoder', 'b')]

/** A stream that a test feeds. */
class FakeStream {
  readonly request: LiveRequest
  readonly signal: AbortSignal
  readonly #answered = Promise.withResolvers<Answer>()
  readonly #queue: (LiveMessage | null)[] = []
  #wake = () => {}

  constructor(request: LiveRequest, signal: AbortSignal) {
    this.request = request
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

  say(event: string, data: object = {}): void {
    this.#put({ event, data: JSON.stringify(data) })
  }

  /** As the API begins: hello, the things, and that this is all of the set. */
  begin(...ids: string[]): void {
    this.accept()
    this.say('hello', { connection: `of ${this.request.body.sequence}` })
    for (const id of ids) this.program(id)
    this.sent(this.request.body.sequence)
  }

  program(id: string, state = 'running'): void {
    this.say('program', { kind: 'encoder', id, state })
  }

  sent(sequence: number): void {
    this.say('watching', { sequence })
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
  const sent: LiveRequest[] = []
  let nowMs = 0
  let status: number | null = 200
  const sharing = new LiveSharing({
    open: async (request, signal) => {
      const stream = new FakeStream(request, signal)
      streams.push(stream)
      return stream.answer
    },
    send: async (request) => {
      sent.push(request)
      return Promise.resolve(status)
    },
    clock: () => nowMs,
  })
  const tab = (keys: string[] = [], account = 'a') => {
    const heard: string[] = []
    const port = { postMessage: (notice: ToTab) => heard.push(textOf(notice)) }
    let sequence = 0
    const set = (of: string[]) => ({ sequence: ++sequence, keys: of })
    // Each load of a page slides the token.
    const join = () => {
      const headers = { token: String(streams.length) }
      const request = { account, url: '/live', watchUrl: '/live/watch', headers }
      sharing.hear(port, { type: 'join', ...request, set: set(keys) })
    }
    join()
    return {
      heard,
      join,
      show: (...of: string[]) => sharing.hear(port, { type: 'show', headers: {}, set: set(of) }),
      here: () => sharing.hear(port, { type: 'here' }),
      leave: () => sharing.hear(port, { type: 'leave' }),
    }
  }
  const at = (index: number) => {
    const stream = streams[index]
    if (!stream) throw new Error(`There is no stream ${index}.`)
    return stream
  }
  return {
    streams,
    sent,
    at,
    tab,
    pass: (ms: number) => (nowMs += ms),
    answerWith: (next: number | null) => (status = next),
  }
}

function textOf(notice: ToTab): string {
  if (notice.type === 'ended') return `ended ${notice.status}`
  const { event, data } = notice.message
  const { id, state, sequence } = JSON.parse(data) as Record<string, string | undefined>
  return [event, id, state === 'running' ? undefined : state, sequence]
    .filter((part) => part !== undefined)
    .join(' ')
}

async function until(check: () => void): Promise<void> {
  await vi.waitFor(check, FOUND_WITHIN_MS)
}

test('tabs that come while a stream is opened share it', async () => {
  const { streams, at, tab } = scene()
  const [first, second] = [tab(), tab()]
  at(0).begin()
  at(0).say('object')
  await until(() => expect(first.heard).toEqual(['hello', 'watching 1', 'object']))
  expect(second.heard).toEqual(first.heard)
  expect(streams).toHaveLength(1)
})

test('a later tab opens the stream anew; the earlier one ends, and nobody misses anything', async () => {
  const { at, tab } = scene()
  const first = tab([A])
  at(0).begin('a')
  await until(() => expect(first.heard).toEqual(['hello', 'program a', 'watching 1']))
  const second = tab([B])
  expect(at(1).request.body.keys).toEqual([A, B])
  at(0).program('a', 'fatal')
  await until(() => expect(first.heard.at(-1)).toBe('program a fatal'))
  at(1).begin('a', 'b')
  await until(() => expect(second.heard).toEqual(['hello', 'program b', 'watching 1']))
  expect(first.heard.slice(-3)).toEqual(['hello', 'program a', 'watching 1'])
  expect(at(0).signal.aborted).toBe(true)
  expect(at(1).signal.aborted).toBe(false)
})

test('the API is asked for what any tab shows, and each tab gets what it shows', async () => {
  const { at, sent, tab } = scene()
  const [first, second] = [tab([A]), tab()]
  at(0).begin('a')
  await until(() => expect(first.heard.at(-1)).toBe('watching 1'))
  second.show(B)
  expect(sent.map(({ body }) => body)).toEqual([{ connection: 'of 1', sequence: 2, keys: [A, B] }])
  expect(second.heard).not.toContain('watching 2')
  at(0).program('b')
  at(0).sent(2)
  await until(() => expect(second.heard.slice(-2)).toEqual(['program b', 'watching 2']))
  expect(first.heard).not.toContain('program b')
  first.show()
  expect(sent.at(-1)?.body.keys).toEqual([B])
})

test('a tab that shows what another one shows already has it at once, as it is now', async () => {
  const { at, sent, tab } = scene()
  const [first, second] = [tab([A]), tab()]
  at(0).begin('a')
  at(0).program('a', 'fatal')
  await until(() => expect(first.heard.at(-1)).toBe('program a fatal'))
  second.show(A)
  expect(second.heard.slice(-2)).toEqual(['program a fatal', 'watching 2'])
  expect(sent).toEqual([])
})

test("a tab that shows an unseen object later gets 'unseen', not an old state", async () => {
  const { at, tab } = scene()
  const [first, second] = [tab([A]), tab()]
  at(0).begin('a')
  at(0).say('unseen', { programs: [{ kind: 'encoder', id: 'a' }], hosts: [], streams: [] })
  await until(() => expect(first.heard.at(-1)).toBe('unseen'))
  second.show(A)
  expect(second.heard.slice(-2)).toEqual(['unseen', 'watching 2'])
})

test('a set that another process of the API was given opens the stream anew, with all of it', async () => {
  const { at, streams, tab, answerWith } = scene()
  const first = tab([A])
  at(0).begin('a')
  await until(() => expect(first.heard.at(-1)).toBe('watching 1'))
  answerWith(404)
  first.show(A, B)
  await until(() => expect(streams).toHaveLength(2))
  expect(at(1).request.body.keys).toEqual([A, B])
  at(1).begin('a', 'b')
  await until(() => expect(first.heard.at(-1)).toBe('watching 2'))
})

test('a set that was not taken is sent again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { at, sent, tab, answerWith } = scene()
  const first = tab([A])
  at(0).begin('a')
  await until(() => expect(first.heard.at(-1)).toBe('watching 1'))
  answerWith(429)
  first.show(B)
  await vi.advanceTimersByTimeAsync(500)
  expect(sent).toHaveLength(1)
  answerWith(200)
  await vi.advanceTimersByTimeAsync(1000)
  vi.useRealTimers()
  expect(sent.map(({ body }) => [body.sequence, body.keys])).toEqual([
    [2, [B]],
    [3, [B]],
  ])
})

test('another account has a stream of its own', async () => {
  const { streams, at, tab } = scene()
  const [first, second] = [tab([], 'a'), tab([], 'b')]
  at(0).begin()
  await until(() => expect(first.heard).toEqual(['hello', 'watching 1']))
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
  at(0).begin()
  await until(() => expect(there.heard).toEqual(['hello', 'watching 1']))
  pass(TAB_LOST_MS + 1)
  there.here()
  at(0).say('beat')
  at(0).say('beat')
  await until(() => expect(there.heard.slice(2)).toEqual(['beat', 'beat']))
  expect(gone.heard.slice(2)).toEqual(['beat'])
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
