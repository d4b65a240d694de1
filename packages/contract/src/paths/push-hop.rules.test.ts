import { expect, test } from 'vitest'
import { StreamDetail } from '../channels/stream.schema.ts'
import { stateOfHop, troubleOfHop, type HopEvidence } from './hop-state.rules.ts'
import type { ShownHop } from './path.schema.ts'
import { pushHopsOf } from './push-hop.rules.ts'
import { graphOf, verdictOf } from './verdict.rules.ts'

const CHANNEL: ShownHop = {
  isShown: true,
  key: 'channel c',
  side: 'self',
  kind: 'channel',
  id: 'c',
  title: 'Live',
  groups: [],
  server: 'Media',
  hostKey: 'host 1',
  isEnabled: true,
  isConfigured: true,
  inputType: null,
  link: null,
  serverId: 's',
  streamName: 'live',
  ownerId: '',
  groupId: '',
  state: { family: 'ok', shape: 'disc', word: 'Online', cause: '', sinceMs: null },
  facts: [],
}
const URL = 'rtmp://cdn.example/live'

function evidenceOf(stream: object | 'silent'): HopEvidence {
  const reading =
    typeof stream === 'string'
      ? stream
      : StreamDetail.parse({ name: 'live', inputs: [], ...stream })
  const freshness = { nowMs: 100_000, isLoaded: true, brokenSinceMs: null }
  return { status: null, reading, readAtMs: 99_000, server: null, freshness }
}

/** The channel and its push outputs, as `stream` says. */
function judge(stream: object) {
  const evidence = evidenceOf(stream)
  if (typeof evidence.reading === 'string') throw new Error('This is no stream.')
  const pushes = pushHopsOf(CHANNEL, evidence.reading, evidence)
  const hops = [{ ...CHANNEL, state: stateOfHop(CHANNEL, evidence) }, ...pushes]
  const judged = hops.map((hop) => ({ ...hop, status: null, sourceError: '', takenPorts: [] }))
  const edges = pushes.map(({ key }) => ({ before: CHANNEL.key, behind: key }))
  return { pushes, verdict: verdictOf(judged, graphOf(judged, edges)) }
}

const ALIVE = { stats: { alive: true } }
const push = (stats: object) => ({ url: URL, stats })

test('a push output says what it sends and since when', () => {
  const running = push({ status: 'running', bitrate: 4790.4, opened_at: 1_700_000_000_000 })
  const { pushes, verdict } = judge({ ...ALIVE, pushes: [running] })
  expect(pushes).toMatchObject([
    {
      key: 'push 0 of c',
      title: URL,
      ownerId: 'c',
      state: { family: 'ok', word: 'Running', sinceMs: 1_700_000_000_000 },
      facts: [{ name: 'delivery', text: '4,790 kbit/s', readAtMs: 99_000 }],
    },
  ])
  expect(verdict.text).toBe('Every hop is well.')
})

test('a push output that the media server does not report is no hop, a disabled one is', () => {
  const { pushes } = judge({ ...ALIVE, pushes: [{ url: URL }, { url: URL, disabled: true }] })
  expect(pushes).toMatchObject([{ id: '1', isEnabled: false, state: { word: 'Disabled' } }])
})

test('a push output that the far end refuses is the first bad hop', () => {
  const { verdict } = judge({ ...ALIVE, pushes: [push({ status: 'retry', retries: 2 })] })
  expect(verdict.text).toBe(
    `First bad hop: push output '${URL}' on Media. The far end refuses it, tried 3 times. Check its address and key, and that the far end takes the stream.`,
  )
})

test('a media server that says what to check is quoted', () => {
  const sentence = 'The far end does not answer. Check that it is running.'
  const stats = { status: 'retry', last_error: sentence }
  const { verdict } = judge({ ...ALIVE, pushes: [push(stats)] })
  expect(verdict.text).toBe(`First bad hop: push output '${URL}' on Media. ${sentence}`)
})

test('a push output of a channel without media is a consequence of that', () => {
  const { verdict } = judge({ stats: { alive: false }, pushes: [push({ status: 'error' })] })
  expect(verdict.troubles).toEqual([
    { first: 'channel c', consequences: ['push 0 of c'], isSettled: true },
  ])
})

test('without an answer of the media server a push output is as its channel is', () => {
  const hop = { ...CHANNEL, kind: 'push', id: '0' } as const
  const evidence = evidenceOf('silent')
  const state = stateOfHop(hop, evidence)
  expect(state).toEqual(stateOfHop(CHANNEL, evidence))
  expect(troubleOfHop(state, 'push')).toBe('media')
})
