import { peerStateFromLog } from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import { NO_PEER_YET, pickRistLines, readRistPeer, type PeerReader } from './peer-state.ts'
import { readSrtPeer } from './srt-peer.ts'

const SRT_START = '--- Started 2026-11-20T23:51:35Z (pid 71)'
const RIST_START = '--- Started 2026-11-20T23:51:35Z (pid 71)'

// Lines of srt-live-transmit 1.5.1 and librist 0.2.7 as they stood in their logs.
const SENDER_ALIVE =
  '1795218718.664002|0.0|[INFO] {"sender-stats":{"peer":{"flow_id":470618366,"id":1,"cname":"vm@127.0.0.1:23201","type":"data","stats":{"quality":100,"sent":145,"received":23,"retransmitted":0,"bandwidth":875647,"retry_bandwidth":0,"bandwidth_skipped":0,"bloat_skipped":0,"retransmit_skipped":0,"rtt":5,"avg_rtt":5,"retry_buffer_size":1,"cooldown_time":0}}}}'
const SENDER_ALIVE_2 = SENDER_ALIVE.replace('"id":1', '"id":2')
const SENDER_NOT_UNDERSTOOD = SENDER_ALIVE.replace('"rtt":5,"avg_rtt":5', '"rtt":0,"avg_rtt":0')
const SENDER_ALONE = SENDER_NOT_UNDERSTOOD.replace('"received":23', '"received":0')
const RECEIVER_QUIET =
  '1795218738.675665|0.0|[INFO] {"receiver-stats":{"flowinstant":{"flow_id":1,"dead":0,"stats":{"quality":100,"received":0,"lost":0,"bitrate":1189580},"peers":[{"id":3,"dead":0,"stats":{"received_data":0,"received_rtcp":20,"sent_rtcp":20,"rtt":5,"avg_rtt":7,"bitrate":22147,"avg_bitrate":404916}}]}}}'
const RECEIVER_DEAD = RECEIVER_QUIET.replace('"received_rtcp":20', '"received_rtcp":0')
const RECEIVER_OLD = RECEIVER_QUIET.replace('"id":3,"dead":0', '"id":3,"dead":1')
const HERE_RECEIVER =
  '1795218717.666078|0.0|[INFO] Connection Status changed for Peer 139843464072576, new status is 2, peer connected count is 1'
const HERE_SENDER =
  '1795218717.669617|0.0|[INFO] Connection Status changed for Peer 94090141183712, new status is 0, peer connected count is 1'
const GONE =
  '1795218728.967536|0.0|[INFO] Connection Status changed for Peer 139843464072576, new status is 1, peer connected count is 0'
const TIMED_OUT = '1795218723.915940|0.0|[WARNING] Listening peer 1 timed out after 252 ms'
const RECEIVER_TIMED_OUT = '1795218723.915940|0.0|[WARNING] Listening peer 3 timed out after 252 ms'
const FLOW_DEAD =
  '1795218723.977863|139843551670288.0|[WARNING] Flow with id 470618366 is dead, age is 319ms'
const JOINED_AGAIN =
  '1795218722.100001|139843551670288.0|[INFO] Peer with id #5 associated with flow #470618367'
const AGAIN =
  '1795218749.808486|0.140533558161424|[INFO] Peer 1 was dead for 6102 ms and it is now alive again'
const RECONNECTED =
  '1795218717.666075|139843551670288.0|[INFO] Peer 2 receiver with name vm reconnected'
const AUTHENTICATED = '1795218717.662800|0.140535142502416|[INFO] Successfully Authenticated peer 1'
const MALFORMED =
  '1795218784.284452|0.1398|[ERROR] Malformed packet, rtp flag value is f4 instead of 0x80.'
const NO_KEYSIZE =
  '1795218789.787908|0.14|[ERROR] Receiving encrypted data, but configured without keysize!'

/** The same line ten seconds after. */
function later(line: string): string {
  return line.replace(/^179521871(\d)/, '179521872$1')
}

const UNANSWERED =
  'The far end does not answer. Either nothing listens there, a firewall blocks it, or its secret or profile differs: RIST does not report which.'
const DIFFERENT_SRT = 'The two ends have different passphrases (SRT: Incorrect passphrase).'
const ONE_SIDED_SRT = 'One end encrypts, the other does not (SRT: Password required or unexpected).'

const cases: [name: string, PeerReader, lines: string[], peer: string, trouble: string][] = [
  ['SRT nothing yet', readSrtPeer, ["Media path: 'a' --> 'b'"], '', ''],
  ['SRT just started', readSrtPeer, ['SRT target connected', SRT_START], '', ''],
  ['SRT listener', readSrtPeer, ['Accepted SRT source connection'], 'connected', ''],
  ['SRT caller', readSrtPeer, [SRT_START, 'SRT target connected'], 'connected', ''],
  [
    'SRT gone',
    readSrtPeer,
    [
      'SRT target connected',
      'SRT target disconnected',
      '1316 bytes lost, 694472 bytes sent, 1 bytes received',
    ],
    'disconnected',
    '',
  ],
  [
    'SRT wrong passphrase, caller',
    readSrtPeer,
    [
      '23:53:18.396736/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: Incorrect passphrase - not processing further',
    ],
    '',
    DIFFERENT_SRT,
  ],
  [
    'SRT one end plain, listener',
    readSrtPeer,
    [
      '23:53:21.439820/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1011 - Password required or unexpected',
    ],
    '',
    ONE_SIDED_SRT,
  ],
  [
    'SRT the far end demands another stream ID, caller',
    readSrtPeer,
    [
      '20:19:56.795193/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: Application-defined rejection reason - not processing further',
    ],
    '',
    'The far end rejects the call, often because of its stream ID (SRT: Application-defined rejection reason).',
  ],
  [
    'SRT the far end rejects for another reason, caller',
    readSrtPeer,
    [
      '20:19:56.795193/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: Resource allocation failure - not processing further',
    ],
    '',
    'The far end rejects the call (SRT: Resource allocation failure).',
  ],
  [
    'SRT one end live, the other file, caller',
    readSrtPeer,
    [
      '20:24:03.717238/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: MessageAPI/StreamAPI collision - not processing further',
    ],
    '',
    'The SRT settings of the two ends do not match (SRT: MessageAPI/StreamAPI collision).',
  ],
  [
    'SRT a caller of an older version than is asked for, listener',
    readSrtPeer,
    [
      '20:24:17.543455/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1008 - Peer version too old',
    ],
    '',
    'The SRT settings of the two ends do not match (SRT: Peer version too old).',
  ],
  [
    'SRT a caller is rejected for another reason, listener',
    readSrtPeer,
    [
      '20:24:17.543455/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1004 - Rogue peer or incorrect parameters',
    ],
    '',
    'A caller was rejected (SRT: Rogue peer or incorrect parameters).',
  ],
  [
    'SRT a stranger is rejected while the peer is there',
    readSrtPeer,
    [
      'Accepted SRT source connection',
      '23:53:18.396707/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1010 - Incorrect passphrase',
    ],
    'connected',
    '',
  ],
  ['RIST announced, nothing exchanged yet', readRistPeer, [RIST_START, HERE_SENDER], '', ''],
  ['RIST sender', readRistPeer, [HERE_SENDER, SENDER_ALIVE], 'connected', ''],
  ['RIST started again', readRistPeer, [HERE_SENDER, SENDER_ALIVE, RIST_START], '', ''],
  [
    'RIST receiver with a silent source',
    readRistPeer,
    [HERE_RECEIVER, RECEIVER_QUIET],
    'connected',
    '',
  ],
  ['RIST authenticated means nothing', readRistPeer, [AUTHENTICATED, SENDER_ALONE], '', ''],
  [
    'RIST announced a plain sender',
    readRistPeer,
    [RECONNECTED, HERE_RECEIVER, RECEIVER_DEAD],
    '',
    '',
  ],
  ['RIST timed out', readRistPeer, [HERE_SENDER, SENDER_ALIVE, TIMED_OUT], 'disconnected', ''],
  [
    'RIST flow dead',
    readRistPeer,
    [HERE_RECEIVER, RECEIVER_QUIET, RECEIVER_TIMED_OUT, FLOW_DEAD, RECEIVER_OLD],
    'disconnected',
    '',
  ],
  [
    'RIST flow dead of a caller that called again',
    readRistPeer,
    [RECEIVER_QUIET, JOINED_AGAIN, RECEIVER_TIMED_OUT, FLOW_DEAD],
    'connected',
    '',
  ],
  [
    'RIST one of two ways silent',
    readRistPeer,
    [SENDER_ALIVE, SENDER_ALIVE_2, TIMED_OUT, SENDER_ALIVE_2],
    'connected',
    '',
  ],
  [
    'RIST both of two ways silent',
    readRistPeer,
    [SENDER_ALIVE, SENDER_ALIVE_2, TIMED_OUT, TIMED_OUT.replace('peer 1', 'peer 2')],
    'disconnected',
    '',
  ],
  [
    'RIST one of several receivers left',
    readRistPeer,
    [SENDER_ALIVE, SENDER_ALIVE_2, TIMED_OUT, GONE.replace('count is 0', 'count is 1')],
    'connected',
    '',
  ],
  [
    'RIST a sender after a start of ours whose log has lost the announcement',
    readRistPeer,
    [SENDER_ALIVE],
    'connected',
    '',
  ],
  [
    'RIST only this end encrypts: control packets come, nothing of ours is understood',
    readRistPeer,
    [HERE_SENDER, SENDER_NOT_UNDERSTOOD, later(SENDER_NOT_UNDERSTOOD)],
    '',
    UNANSWERED,
  ],
  [
    'RIST nobody there, or a wrong secret, at first',
    readRistPeer,
    [RIST_START, AUTHENTICATED, SENDER_ALONE, SENDER_ALONE],
    '',
    '',
  ],
  [
    'RIST nobody there, or a wrong secret, after a while',
    readRistPeer,
    [RIST_START, AUTHENTICATED, SENDER_ALONE, later(SENDER_ALONE)],
    '',
    UNANSWERED,
  ],
  [
    'RIST a caller that understood nothing of what came, and then falls silent itself',
    readRistPeer,
    [RIST_START, SENDER_ALONE, TIMED_OUT],
    '',
    UNANSWERED,
  ],
  [
    'RIST one end plain is the better word',
    readRistPeer,
    [SENDER_ALONE, NO_KEYSIZE, later(SENDER_ALONE)],
    '',
    'One end encrypts, the other does not (RIST).',
  ],
  [
    'RIST an answer ends the trouble',
    readRistPeer,
    [SENDER_ALONE, later(SENDER_ALONE), SENDER_ALIVE],
    'connected',
    '',
  ],
  [
    'RIST count 0 is a disconnect',
    readRistPeer,
    [HERE_RECEIVER, RECEIVER_QUIET, GONE],
    'disconnected',
    '',
  ],
  ['RIST alive again', readRistPeer, [TIMED_OUT, AGAIN, SENDER_ALIVE], 'connected', ''],
  [
    'RIST wrong secret',
    readRistPeer,
    [AUTHENTICATED, MALFORMED],
    '',
    'The two ends have different secrets (RIST).',
  ],
  [
    'RIST one end plain',
    readRistPeer,
    [NO_KEYSIZE],
    '',
    'One end encrypts, the other does not (RIST).',
  ],
]

test.each(cases)(
  'rules 5 and 6 peer from real lines: %s',
  (_name, reader, lines, peer, trouble) => {
    const view = lines.reduce(reader, NO_PEER_YET)
    expect([view.peer, view.trouble]).toEqual([peer, trouble])
  },
)

const tails: [name: string, lines: string[], peer: string][] = [
  ['connected', [RIST_START, AUTHENTICATED, RECONNECTED, HERE_SENDER, SENDER_ALIVE], 'connected'],
  ['never proven (Q96, M3)', [RIST_START, RECONNECTED, HERE_RECEIVER], ''],
  [
    'lost',
    [HERE_RECEIVER, RECEIVER_QUIET, TIMED_OUT, FLOW_DEAD, RECEIVER_DEAD, GONE],
    'disconnected',
  ],
  ['back', [HERE_SENDER, SENDER_ALIVE, TIMED_OUT, AGAIN, SENDER_ALIVE], 'connected'],
]

function readable(lines: readonly string[]): string[] {
  return pickRistLines(
    lines.map((text) => ({ text })),
    true,
  ).map(({ text }) => text)
}

test.each(tails)('M7 a RIST tail reads as FEED-11 expects: %s', (_name, lines, peer) => {
  expect(peerStateFromLog(readable(lines))).toBe(peer)
  expect(readable(lines).filter((line) => line.includes('stats'))).toEqual([])
})

test('M7 a RIST tail whose beginning is not read starts with a process', () => {
  const placed = [HERE_SENDER, RIST_START, TIMED_OUT].map((text) => ({ text }))
  expect(pickRistLines(placed, false)).toEqual(pickRistLines(placed.slice(1), true))
  expect(pickRistLines(placed.slice(2), false)).toEqual([])
})

test('M7 the words of a RIST tail', () => {
  expect(readable([HERE_SENDER, SENDER_ALIVE, TIMED_OUT])).toEqual([
    '1795218717.669617|0.0|[INFO] Connection Status changed for Peer 94090141183712, new status is 0, peer count is 1',
    '1795218718.664002|0.0|[INFO] RIST target connected',
    '1795218723.915940|0.0|[WARNING] Listening peer 1 timed out after 252 ms',
    '1795218723.915940|0.0|[INFO] RIST target disconnected',
  ])
})
