import { expect, test } from 'vitest'
import { StreamRefused } from './stream.refusal.ts'
import { changedStream, type LegSource } from './stream.rules.ts'
import type { StoredStream, StreamPut } from './stream.schema.ts'

const legs: LegSource = {
  network: '239.78',
  pickPort: (taken) => [28_000, 28_001, 28_002, 28_251].find((port) => !taken.has(port)) ?? null,
}

function put(name: string, body: StreamPut, before: StoredStream | null, others: StoredStream[]) {
  return changedStream(name, before, body, others, legs)
}

test('each input has a group and a port of its own, and keeps them', () => {
  const a = put('a', { inputs: [{ url: 'srt://:7000' }, { url: 'srt://:7002' }] }, null, [])
  expect(a.inputs.map((input) => input.bus)).toEqual([
    { ip: '239.78.0.1', port: 28_000 },
    { ip: '239.78.0.2', port: 28_001 },
  ])
  const b = put('b', { inputs: [{ url: 'srt://:7004' }] }, null, [a])
  expect(b.inputs[0]?.bus.port).toBe(28_002)
  const turned = { inputs: [{ url: 'srt://:7006' }, { url: 'srt://:7000', priority: 1 }] }
  expect(put('a', turned, a, [b]).inputs).toEqual([
    { url: 'srt://:7006', priority: null, bus: { ip: '239.78.1.2', port: 28_251 } },
    { url: 'srt://:7000', priority: 1, bus: { ip: '239.78.0.1', port: 28_000 } },
  ])
})

test('no port is left: the stream is refused', () => {
  const inputs = [7000, 7002, 7004, 7006, 7008].map((port) => ({ url: `srt://:${port}` }))
  expect(() => put('a', { inputs }, null, [])).toThrow(StreamRefused)
})

test('the shown input stays when the list changes around it, and is chosen anew when it goes', () => {
  const a = {
    ...put('a', { inputs: [{ url: 'srt://:7000' }] }, null, []),
    currentUrl: 'srt://:7000',
  }
  const more = put('a', { inputs: [{ url: 'srt://:7002' }, { url: 'srt://:7000' }] }, a, [])
  expect(more.currentUrl).toBe('srt://:7000')
  expect(put('a', { inputs: [{ url: 'srt://:7002' }] }, a, []).currentUrl).toBe('')
  expect(put('a', { title: 'A' }, a, []).currentUrl).toBe('srt://:7000')
})

test('a push list is taken whole; an address shown without its secret means the kept one', () => {
  const url = 'srt://far.example:7000?passphrase=a-secret.of~the_link'
  const a = put('a', { pushes: [{ url }, { url: 'udp://127.0.0.1:7002' }] }, null, [])
  const shown = 'srt://far.example:7000?passphrase=***'
  expect(put('a', { pushes: [{ url: shown, disabled: true }] }, a, []).pushes).toEqual([
    { url, disabled: true },
  ])
  expect(put('a', { pushes: null }, a, []).pushes).toEqual([])
})

test('packaging is put, stays, and goes back by null; a template must be one of ours', () => {
  const a = put('a', {}, null, [])
  expect(a).toMatchObject({
    template: null,
    segmentDurationMs: 2000,
    segmentCount: 6,
    sourceTimeoutS: null,
  })
  const body = { template: 'abr-2', segment_duration: 1000, segment_count: 8, source_timeout: 5 }
  const b = put('a', body, a, [])
  expect(put('a', { title: 'A' }, b, [])).toMatchObject({
    template: 'abr-2',
    segmentDurationMs: 1000,
    segmentCount: 8,
    sourceTimeoutS: 5,
  })
  const none = { template: null, segment_duration: null, segment_count: null, source_timeout: null }
  expect(put('a', none, b, [])).toEqual(a)
  for (const template of ['t1', 'constructor', '__proto__', '']) {
    expect(() => put('a', { template }, a, []), template).toThrow(/sd, hd, abr-2, abr-3/)
  }
})

test('a manual choice ends with its input', () => {
  const inputs = [{ url: 'srt://:7000' }, { url: 'srt://:7002' }]
  const a = { ...put('a', { inputs }, null, []), selectedUrl: 'srt://:7002' }
  expect(put('a', { title: 'A' }, a, []).selectedUrl).toBe('srt://:7002')
  expect(put('a', { inputs: inputs.slice(0, 1) }, a, []).selectedUrl).toBe('')
})
