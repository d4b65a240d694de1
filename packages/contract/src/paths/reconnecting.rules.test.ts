import { expect, test } from 'vitest'
import type { StateView } from '../fleet/state-view.rules.ts'
import type { HopKind } from './path.schema.ts'
import type { JudgedHop } from './hop-reason.rules.ts'
import { graphOf, verdictOf } from './verdict.rules.ts'

type ShownHop = Exclude<JudgedHop, { isShown: false }>

function state(parts: Partial<StateView>): StateView {
  return { family: 'ok', shape: 'disc', word: 'Running', cause: '', sinceMs: null, ...parts }
}

const move = (word: string, cause = '') => state({ family: 'move', shape: 'arc', word, cause })
const STARTING = move('Starting')
const STOPPING = move('Stopping')
const CONNECTING = move('Running', 'connecting')
const AWAITS_MEDIA = move('Running', 'waiting for media')
const noPeer = (cause = 'no peer') => state({ family: 'warn', shape: 'half-disc', cause })
const NO_MEDIA = state({ family: 'warn', shape: 'ring', cause: 'no media' })
const LOSING = state({ family: 'warn', shape: 'triangle', cause: 'losing packets' })
const NO_SOURCE = state({ family: 'bad', shape: 'octagon', word: 'Offline', cause: 'no media' })
const DEAD = state({ family: 'bad', shape: 'octagon-square', word: 'Stopped', cause: 'should run' })
const SILENT = state({ family: 'blind', shape: 'diamond-x', word: 'Offline' })

const CALLS = { protocol: 'srt', mode: 'call', host: 'gw', port: 6000, latencyMs: 120 } as const
const LISTENS = { ...CALLS, mode: 'listen', host: '' } as const

const KINDS = ['encoder', 'feeder', 'input', 'output', 'channel'] as const
type States = Partial<Record<(typeof KINDS)[number], StateView>>

const LINKS: Partial<Record<HopKind, ShownHop['link']>> = {
  feeder: CALLS,
  input: LISTENS,
  output: CALLS,
}

function judge(states: States) {
  const hops = KINDS.map((kind): ShownHop => ({
    isShown: true,
    key: kind,
    side: 'before',
    kind,
    title: kind,
    server: '',
    hostKey: kind,
    link: LINKS[kind] ?? null,
    state: states[kind] ?? state({}),
    status: null,
    sourceError: '',
    takenPorts: [],
  }))
  const edges = KINDS.slice(1).map((behind, at) => ({ before: KINDS[at] ?? '', behind }))
  const { family, text, troubles, waiting } = verdictOf(hops, graphOf(hops, edges))
  const firsts = (some: typeof troubles) => some.map(({ first }) => first)
  return { family, text, troubles: firsts(troubles), waiting: firsts(waiting) }
}

test.each<[string, States, string, string]>([
  [
    'its input stops for a restart',
    { feeder: noPeer(), input: STOPPING, output: NO_MEDIA },
    'input',
    "Input 'input' is stopping.",
  ],
  [
    'its input starts again',
    { feeder: noPeer(), input: STARTING, output: NO_MEDIA, channel: NO_SOURCE },
    'input',
    "Input 'input' is starting.",
  ],
  [
    'its input starts, and it was refused there meanwhile',
    { feeder: noPeer('connection refused'), input: STARTING },
    'input',
    "Input 'input' is starting.",
  ],
  [
    'its input starts, and what it sent meanwhile is lost',
    { feeder: LOSING, input: STARTING },
    'input',
    "Input 'input' is starting.",
  ],
  [
    'its input was started again, and it sends to the one before',
    { feeder: LOSING, input: CONNECTING, output: NO_MEDIA, channel: NO_SOURCE },
    'input',
    "Input 'input' is connecting.",
  ],
  [
    'it has called again, and its input has not said so',
    { feeder: noPeer(), input: CONNECTING },
    'input',
    "Feeder 'feeder' and input 'input' are connecting to each other.",
  ],
  [
    'it is connected again and has sent nothing yet',
    { feeder: NO_MEDIA, input: STARTING, output: NO_MEDIA },
    'input',
    "Input 'input' is starting.",
  ],
  [
    'it is connected again, and so is its input',
    { feeder: NO_MEDIA, input: AWAITS_MEDIA, output: NO_MEDIA, channel: NO_SOURCE },
    'input',
    "Input 'input' is running and waits for media.",
  ],
  [
    'the encoder before it is starting',
    { encoder: STARTING, feeder: NO_MEDIA, input: NO_MEDIA },
    'encoder',
    "Encoder 'encoder' is starting.",
  ],
])('a feeder counts as waiting, not as bad, while %s', (_what, states, first, text) => {
  expect(judge(states)).toEqual({ family: 'move', text, troubles: [], waiting: [first] })
})

test.each<[string, States, string, string]>([
  [
    'it calls again and its input has lost it',
    { feeder: CONNECTING, input: noPeer(), output: NO_MEDIA },
    'feeder',
    "Input 'input' and feeder 'feeder' are connecting to each other.",
  ],
  [
    'it is started again',
    { feeder: STARTING, input: noPeer(), output: NO_MEDIA },
    'feeder',
    "Feeder 'feeder' is starting.",
  ],
])(
  'an input counts as waiting, not as bad, while its feeder is set up: %s',
  (_what, states, first, text) => {
    expect(judge(states)).toEqual({ family: 'move', text, troubles: [], waiting: [first] })
  },
)

test.each<[string, States, string]>([
  [
    'the encoder is dead, whatever is set up downstream',
    { encoder: DEAD, feeder: NO_MEDIA, input: AWAITS_MEDIA },
    'encoder',
  ],
  [
    'the ends have different passphrases, which no second call changes',
    { feeder: noPeer('wrong passphrase'), input: CONNECTING },
    'feeder',
  ],
  [
    'the far end rejects the call',
    { feeder: noPeer('call rejected'), input: CONNECTING },
    'feeder',
  ],
  [
    'packets are lost, which is no matter of a start',
    { encoder: STARTING, feeder: LOSING },
    'feeder',
  ],
  ['no end is being set up', { feeder: noPeer(), input: noPeer(), output: NO_MEDIA }, 'feeder'],
  ['its input does not run', { feeder: noPeer(), input: DEAD }, 'input'],
  ['its host is silent', { encoder: STARTING, feeder: SILENT }, 'feeder'],
])('a fault is shown at once where %s', (_what, states, first) => {
  const { text, troubles, waiting } = judge(states)
  expect(text).toMatch(new RegExp(`^First bad hop: ${first} `))
  expect(troubles[0]).toBe(first)
  expect(waiting).toEqual([])
})

test('settings that both ends must share are named with what to do', () => {
  const { text } = judge({ feeder: noPeer('settings differ'), input: CONNECTING })
  expect(text).toContain('do not match. Compare the advanced parameters of both ends.')
})

test('a failure is shown before what is being set up elsewhere', () => {
  const { text, troubles, waiting } = judge({ feeder: noPeer(), input: STARTING, channel: SILENT })
  expect(text).toMatch(/^First bad hop: channel/)
  expect({ troubles, waiting }).toEqual({ troubles: ['channel'], waiting: ['input'] })
})
