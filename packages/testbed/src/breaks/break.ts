/** The breaks that can be caused on a site on purpose: for practice, for tests and for the bench. */
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'

interface BreakText {
  /** As lists name it. */
  title: string
  /** What is broken now, a sentence about that object. */
  sentence: (object: string) => string
}

/** In the order of a signal path. */
export const BREAKS = {
  'encoder-killed': text(
    'encoder killed',
    (it) => `The program of encoder '${it}' is killed until somebody starts it.`,
  ),
  'source-black': text('source black', (it) => `The camera of encoder '${it}' gives black.`),
  'feeder-stopped': text(
    'feeder stopped',
    (it) => `Feeder '${it}' was stopped on its host, without the console.`,
  ),
  'wrong-passphrase': text(
    'wrong passphrase',
    (it) => `Input '${it}' has another passphrase than its feeder.`,
  ),
  'port-blocked': text(
    'UDP port blocked',
    (it) => `A firewall drops everything that output '${it}' sends and gets.`,
  ),
  'host-away': text(
    "peer's host away",
    (it) => `Host '${it}' has no power: nothing of it runs or answers.`,
  ),
  'packet-loss': text(
    '5 % loss',
    (it) => `The network loses 5 of 100 packets of output '${it}', in both directions.`,
  ),
  'bus-silent': text('bus silent', (it) => `Nothing arrives on the local bus that '${it}' reads.`),
  'destination-away': text(
    "output's destination away",
    (it) => `The receiver that output '${it}' sends to has no power.`,
  ),
  'channel-killed': text(
    'channel program killed',
    (it) =>
      `The program that makes the playlist of channel '${it}' is killed until somebody restarts it.`,
  ),
  'media-server-away': text(
    'media server away',
    (it) => `Media server '${it}' refuses every connection.`,
  ),
  'agent-frozen': text(
    'agent frozen',
    (it) => `The agent of host '${it}' hangs. Its streams run on.`,
  ),
} as const satisfies Record<string, BreakText>

export type BreakName = keyof typeof BREAKS
export const BREAK_NAMES = Object.keys(BREAKS) as BreakName[]

function text(title: string, sentence: BreakText['sentence']): BreakText {
  return { title, sentence }
}

export interface Break {
  name: BreakName
  /** What is broken while it is, a sentence. */
  sentence: string
  /** 3 s where a tool or a connection reports it at once, else 10 s. */
  namedWithinS: 3 | 10
  /** Whose alarm that is, as a rule. */
  subject: Pick<Alarm, 'kind' | 'objectId'>
  /** Whether an alarm names the first hop and the cause. */
  isTrue: (alarm: Pick<Alarm, 'kind' | 'objectId' | 'rule' | 'sentence'>) => boolean
  /** Answers the moment from which it is broken, of performance.now(). */
  begin: () => Promise<number>
  /** Answers the moment of the repair. Also for what is well already. */
  repair: () => Promise<number>
}
