import { expect, test } from 'vitest'
import { PAUSED } from '../program-state.ts'
import type { StateView } from '../fleet/state-view.rules.ts'
import type { HopKind } from './path.schema.ts'
import type { JudgedHop } from './hop-reason.rules.ts'
import { graphOf, verdictOf } from './verdict.rules.ts'

type ShownHop = Exclude<JudgedHop, { isShown: false }>

function state(parts: Partial<StateView>): StateView {
  return { family: 'ok', shape: 'disc', word: 'Running', cause: '', sinceMs: null, ...parts }
}

const STOPPED = state({
  family: 'bad',
  shape: 'octagon-square',
  word: 'Stopped',
  cause: 'should run',
})
const OFF = state({ family: 'off', shape: 'square', word: 'Stopped' })
const UNREACHABLE = state({
  family: 'blind',
  shape: 'diamond-x',
  word: 'Offline',
  cause: 'host unreachable',
})
const ERROR = state({ family: 'bad', shape: 'octagon', word: 'Error', cause: 'ended by itself' })
const noPeer = (cause = 'no peer') => state({ family: 'warn', shape: 'half-disc', cause })
const NO_MEDIA = state({ family: 'warn', shape: 'ring', cause: 'no media' })
const LOSING = state({ family: 'warn', shape: 'triangle', cause: 'losing packets' })
const NO_SOURCE = state({ family: 'bad', shape: 'octagon', word: 'Offline', cause: 'no media' })
const BLACK = state({ family: 'warn', shape: 'triangle', word: 'Online', cause: 'black picture' })

const ON_BACKUP = state({
  family: 'warn',
  shape: 'half-disc',
  word: 'Online',
  cause: 'on backup source',
})

const CALLS = { protocol: 'srt', mode: 'call', host: 'gw', port: 6000, latencyMs: 120 } as const
const LISTENS = { ...CALLS, mode: 'listen', host: '' } as const

function hop(kind: HopKind, server: string, parts: Partial<ShownHop> = {}): ShownHop {
  return {
    isShown: true,
    key: `${kind} 1`,
    side: 'before',
    kind,
    title: kind,
    server,
    hostKey: server,
    link: null,
    state: state({}),
    status: null,
    sourceError: '',
    takenPorts: [],
    ...parts,
  }
}

const KINDS = ['encoder', 'feeder', 'input', 'output', 'channel'] as const
type Kind = (typeof KINDS)[number]

const WELL: Record<Kind, ShownHop> = {
  encoder: hop('encoder', 'Van'),
  feeder: hop('feeder', 'Van', { link: CALLS }),
  input: hop('input', 'GW', { link: LISTENS }),
  output: hop('output', 'GW', { link: { ...CALLS, host: 'media', port: 7000 } }),
  channel: hop('channel', 'Media', { state: state({ word: 'Online' }) }),
}

/** The chain from the encoder to the channel, with these hops as given. */
function judge(parts: Partial<Record<Kind, StateView | Partial<ShownHop>>>) {
  const hops = KINDS.map((kind): JudgedHop => {
    const part = parts[kind]
    return { ...WELL[kind], ...(part && 'family' in part ? { state: part } : part) }
  })
  const edges = KINDS.slice(1).map((kind, at) => {
    return { before: `${KINDS[at]} 1`, behind: `${kind} 1` }
  })
  const { text, troubles } = verdictOf(hops, graphOf(hops, edges))
  return { text, first: troubles[0]?.first ?? '', behind: troubles[0]?.consequences.length ?? 0 }
}

const PORT_HELD = 'UDP port 6000 of this host is already used by nc (process 7). End it.'

const status = (parts: Partial<NonNullable<ShownHop['status']>>) => ({
  cause: '',
  peer: '' as const,
  reading: null,
  ...parts,
})

test.each<[string, Parameters<typeof judge>[0], string, number, RegExp]>([
  [
    'the encoder is killed',
    { encoder: STOPPED, input: NO_MEDIA, output: NO_MEDIA, channel: NO_SOURCE },
    'encoder',
    3,
    /^First bad hop: encoder 'encoder' on Van\. It does not run although it should\. Start it\.$/,
  ],
  [
    'the encoder ended for a reason that is known',
    { encoder: { state: STOPPED, status: status({ cause: 'Card 0 is gone' }) } },
    'encoder',
    0,
    /Its program does not run: Card 0 is gone\. Start it\.$/,
  ],
  [
    'its host starts the encoder again by itself',
    { encoder: { state: STOPPED, status: status({ cause: 'The program is started again' }) } },
    'encoder',
    0,
    /: The program is started again\.$/,
  ],
  [
    'its host starts the input again by itself',
    { input: { state: ERROR, status: status({ cause: 'It is started again within a minute.' }) } },
    'input',
    0,
    /: It is started again within a minute\.$/,
  ],
  [
    'a receiver does not run, and its sender has not taken it for lost yet',
    { feeder: LOSING, input: ERROR, output: NO_MEDIA },
    'input',
    2,
    /^First bad hop: input 'input' on GW\. Its program does not run/,
  ],
  [
    'a receiver is stopped on purpose, and its sender has not taken it for lost yet',
    { feeder: LOSING, input: OFF },
    'feeder',
    0,
    /Nothing receives it: input 'input' on GW is stopped\. Start it/,
  ],
  [
    'the picture source is lost',
    { encoder: NO_MEDIA, input: NO_MEDIA, channel: NO_SOURCE },
    'encoder',
    2,
    /Its picture source is lost/,
  ],
  [
    'the feeder is stopped by hand',
    { feeder: OFF, input: noPeer(), output: NO_MEDIA, channel: NO_SOURCE },
    'input',
    2,
    /Nothing is sent to it: feeder 'feeder' on Van is stopped\. Start it/,
  ],
  [
    'the passphrase is wrong, which only the receiver says',
    { feeder: noPeer(), input: noPeer('wrong passphrase'), channel: NO_SOURCE },
    'feeder',
    2,
    /different passphrases\. Enter the same passphrase at both ends/,
  ],
  [
    'the receiver does not run: it is first, though it stands behind its sender',
    { feeder: noPeer('connection refused'), input: ERROR, output: NO_MEDIA, channel: NO_SOURCE },
    'input',
    3,
    /input 'input' on GW\. Its program does not run\. Read the log of the input/,
  ],
  [
    'the port is in use',
    {
      input: {
        state: ERROR,
        status: status({ cause: 'ERROR: error: srt_bind: Connection setup' }),
      },
      feeder: noPeer(),
    },
    'input',
    1,
    /Port 6000 is in use by another program/,
  ],
  [
    'the port is in use, and the host knows by whom',
    { input: { state: ERROR, status: status({ cause: PORT_HELD }) } },
    'input',
    0,
    /on GW\. UDP port 6000 of this host is already used by nc \(process 7\)\. End it\.$/,
  ],
  [
    'its process is paused',
    {
      input: {
        state: state({ family: 'bad', shape: 'octagon', word: 'Error', cause: 'process paused' }),
        status: status({ cause: PAUSED }),
      },
      feeder: noPeer(),
    },
    'input',
    1,
    /input 'input' on GW\. Its process is paused \(SIGSTOP\)\. Restart it/,
  ],
  [
    'nobody answers',
    { feeder: noPeer('no peer yet'), channel: NO_SOURCE },
    'feeder',
    1,
    /Nobody answers at gw:6000\. .*firewall blocks UDP port 6000/,
  ],
  [
    'nobody answers a RIST sender',
    { feeder: { state: noPeer('no peer yet'), link: { ...CALLS, protocol: 'rist' } } },
    'feeder',
    0,
    /same profile, encryption and passphrase, .*UDP port 6000/,
  ],
  [
    'its channel has another caller at that port',
    { output: noPeer('no peer yet'), channel: { takenPorts: [7000] } },
    'output',
    0,
    /on GW\. Channel 'channel' on Media has another caller, and takes only one\. Stop the other sender/,
  ],
  [
    'its channel has a caller at another port',
    { output: noPeer('no peer yet'), channel: { takenPorts: [7001] } },
    'output',
    0,
    /Nobody answers at media:7000/,
  ],
  [
    'its input has another caller',
    { feeder: noPeer('no peer yet'), input: { status: status({ peer: 'connected' }) } },
    'feeder',
    0,
    /on Van\. Input 'input' on GW has another caller, and takes only one\. Stop the other sender/,
  ],
  ['nobody calls', { input: noPeer('no peer yet') }, 'input', 0, /Nobody calls port 6000/],
  [
    'the peer is gone',
    { output: { state: noPeer(), status: status({ peer: 'disconnected' }) }, channel: NO_SOURCE },
    'output',
    1,
    /The peer at media:7000 is gone/,
  ],
  [
    'a host is away: its programs count once',
    { input: UNREACHABLE, output: UNREACHABLE, feeder: noPeer(), channel: NO_SOURCE },
    'input',
    3,
    /Its host does not answer.*Check power, network and agent of GW/,
  ],
  [
    'the latency is too low for the loss',
    {
      input: {
        state: LOSING,
        status: status({
          peer: 'connected',
          reading: {
            kind: 'link',
            protocol: 'srt',
            direction: 'receive',
            atMs: 0,
            bitrateKbps: 4000,
            rttMs: 80,
            packets: 980,
            lostPackets: 20,
            retransmittedPackets: 0,
            droppedPackets: 5,
          },
        }),
      },
      channel: BLACK,
    },
    'input',
    1,
    /latency of 120 ms is too low for an RTT of 80 ms and 2\.0 % loss\. Set 320 ms or more/,
  ],
  ['a black picture', { channel: BLACK }, 'channel', 0, /The picture is black/],
  ['a backup source', { channel: ON_BACKUP }, 'channel', 0, /The primary source is lost/],
  [
    'a source that is lost',
    { channel: { state: NO_SOURCE, sourceError: 'The far end does not answer.' } },
    'channel',
    0,
    /^First bad hop: channel 'channel' on Media\. The far end does not answer\. Check what sends/,
  ],
  [
    'a source of which its server says what to check',
    { channel: { state: NO_SOURCE, sourceError: 'No picture arrives. Check the sender.' } },
    'channel',
    0,
    /on Media\. No picture arrives\. Check the sender\.$/,
  ],
  [
    'a source of which its server says that nothing is to be done yet',
    { channel: { state: NO_SOURCE, sourceError: 'Waiting for the first picture.' } },
    'channel',
    0,
    /on Media\. Waiting for the first picture\.$/,
  ],
  [
    'a channel whose receiver is paused, by which its output has no peer',
    {
      output: noPeer(),
      channel: {
        state: { ...NO_SOURCE, cause: 'receiver down' },
        sourceError: 'Its process is paused (SIGSTOP). Restart it.',
      },
    },
    'channel',
    1,
    /^First bad hop: channel 'channel' on Media\. Its process is paused \(SIGSTOP\)\. Restart it\.$/,
  ],
])('names the first bad hop and the remedy when %s', (_what, parts, first, behind, text) => {
  const verdict = judge(parts)
  expect(verdict).toMatchObject({ first: `${first} 1`, behind })
  expect(verdict.text).toMatch(text)
})

test.each<[string, Parameters<typeof judge>[0], string]>([
  ['all is well', {}, 'Every hop is well.'],
  [
    'a hop is off on purpose',
    { encoder: OFF },
    "Encoder 'encoder' on Van is stopped on purpose. Start it to send the stream.",
  ],
  [
    'a hop is disabled, and its host cannot be asked to end it',
    {
      input: state({
        family: 'off',
        shape: 'ring-slash',
        word: 'Disabled',
        cause: 'may still run',
      }),
    },
    "Input 'input' on GW is disabled on purpose, and may still run: its host does not answer.",
  ],
  [
    'an encoder has no settings yet',
    { encoder: state({ family: 'off', shape: 'ring-dashed', word: 'Not Configured' }) },
    "Encoder 'encoder' on Van is not configured. Configure and start it to send the stream.",
  ],
  [
    'only hops behind the object are off',
    { output: { state: OFF, side: 'behind' } },
    'Every hop is well. 1 behind it is not set to run.',
  ],
  [
    'a hop is starting',
    { feeder: state({ family: 'move', shape: 'arc', word: 'Starting' }) },
    "Feeder 'feeder' on Van is starting.",
  ],
  [
    'a hop was not read yet',
    { feeder: state({ family: 'move', shape: 'arc', word: 'Reading' }) },
    'Not every hop is known yet.',
  ],
])('names no bad hop when %s', (_what, parts, text) => {
  expect(judge(parts)).toEqual({ text, first: '', behind: 0 })
})

test('counts faults that are independent of the first', () => {
  const verdict = judge({ encoder: STOPPED, channel: UNREACHABLE })
  expect(verdict.text).toMatch(/Start it\. 1 more hop has trouble\.$/)
})

test('a hop of another group shows nothing but its health', () => {
  const hidden: JudgedHop = {
    isShown: false,
    key: 'hidden 1',
    side: 'before',
    why: 'group',
    family: 'bad',
  }
  const hops = [hidden, { ...WELL.input, state: noPeer() }]
  const graph = graphOf(hops, [{ before: 'hidden 1', behind: 'input 1' }])
  expect(verdictOf(hops, graph)).toMatchObject({
    text: 'First bad hop: a hop in another group. Ask those who manage that group.',
    troubles: [{ first: 'hidden 1', consequences: ['input 1'] }],
  })
})

test('a loop of the configuration has an order, and a first bad hop', () => {
  const [input, output] = [
    { ...WELL.input, state: NO_MEDIA },
    { ...WELL.output, state: NO_MEDIA },
  ]
  const graph = graphOf(
    [input, output],
    [
      { before: 'input 1', behind: 'output 1' },
      { before: 'output 1', behind: 'input 1' },
    ],
  )
  expect(graph.stages).toHaveLength(2)
  expect(graph.troubles()).toHaveLength(1)
})
