import { expect, test } from 'vitest'
import { NO_PEER_YET, type SrtHandshake } from './peer-state.ts'
import { readSrtPeer } from './srt-peer.ts'

const START = '--- Started 2026-11-20T23:51:35Z (pid 71)'

// Lines of srt-live-transmit 1.5.1 at level note, as they stood in its log.
function request(address: string): string[] {
  const passing = `12:44:03.520994/SRT:RcvQ:w1.N:SRT.cn: PASSING request from: ${address} to agent:460509390`
  const managed = `12:44:03.521213/SRT:RcvQ:w1.N:SRT.cn: Listener managed the connection request from: ${address} result:waveahand`
  return [passing, managed, passing]
}
const ASKED =
  '12:44:03.522410/SRT:RcvQ:w1.N:SRT.cn: HSREQ/rcv: cmd=1(HSREQ) len=12 vers=0x10501 opts=0xbf delay=500'
const KEYS = [
  '12:44:03.522687/SRT:RcvQ:w1.N:SRT.cn: processSrtMsg_KMREQ: cmd=3(KMREQ) len=224 KmState: SND=SECURING RCV=SECURED',
  '12:44:03.522947/SRT:RcvQ:w1.N:SRT.cn: processSrtMsg_KMREQ: cmd=3(KMREQ) len=224 KmState: SND=SECURED RCV=SECURED SndKeyLen=16 TX CRYPTO CTX CLONED FROM RX',
]
const REFUSED = [
  '12:44:03.511307/SRT:RcvQ:w1.N:SRT.cn: processSrtMsg_KMREQ: cmd=3(KMREQ) len=288 KmState: SND=BADSECRET RCV=BADSECRET',
  '12:44:03.511886/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1010 - Incorrect passphrase',
  '12:44:03.512036/SRT:RcvQ:w1.N:SRT.cn: listen ret: 1010 - ERROR:BADSECRET',
]
const ACCEPTED = 'Accepted SRT source connection'
const CONNECTED = 'SRT target connected'
const REACHED =
  '12:44:03.523564/SRT:RcvQ:w1.N:SRT.cn: @377440234:Connection established to: 192.0.2.7:25002'
const KEYS_BACK =
  '12:36:49.167500/SRT:RcvQ:w1.N:SRT.cn: processSrtMsg_KMRSP: cmd=4(KMRSP) len=288 KmState: SND=SECURED RCV=SECURED'
const KEYS_FAILED =
  '12:44:03.523389/SRT:RcvQ:w1.N:SRT.cn: processSrtMsg_KMRSP: cmd=4(KMRSP) len=16 KmState: SND=BADSECRET RCV=BADSECRET'

const CALLER = '203.0.113.5:4512'
const caller: Partial<SrtHandshake> = { address: CALLER, version: '1.5.1', peerLatencyMs: 500 }

const cases: [name: string, lines: string[], peer: Partial<SrtHandshake> | null][] = [
  ['a clear caller', [...request(CALLER), ASKED, ACCEPTED], { ...caller, encryption: 'none' }],
  [
    'a caller with a key of 128 bits',
    [...request(CALLER), ASKED, ...KEYS, ACCEPTED],
    { ...caller, encryption: 'AES-128' },
  ],
  [
    'another one was refused before',
    [...request('198.51.100.9:7'), ASKED, ...REFUSED, ...request(CALLER), ASKED, ...KEYS, ACCEPTED],
    { ...caller, encryption: 'AES-128' },
  ],
  [
    'another one only knocked',
    [...request(CALLER), ...request('198.51.100.9:7'), ...request(CALLER), ASKED, ACCEPTED],
    { ...caller, encryption: 'none' },
  ],
  [
    'two callers, and the tool does not say whom it took',
    [...request('198.51.100.9:7'), ASKED, ...request(CALLER), ASKED, ACCEPTED],
    null,
  ],
  [
    'the one before has left',
    [...request(CALLER), ASKED, ACCEPTED, 'SRT source disconnected'],
    null,
  ],
  ['the one before belongs to another process', [...request(CALLER), ASKED, START, ACCEPTED], null],
  [
    'whom we call',
    [KEYS_BACK, REACHED, CONNECTED],
    { address: '192.0.2.7:25002', encryption: 'AES-256', version: '', peerLatencyMs: null },
  ],
  [
    'whom we call, logged after the connection',
    [KEYS_BACK, CONNECTED, REACHED],
    { address: '192.0.2.7:25002', encryption: 'AES-256' },
  ],
  [
    'whom we call, without a key',
    [CONNECTED, REACHED],
    { address: '192.0.2.7:25002', encryption: 'none' },
  ],
  [
    'connected in spite of different keys: neither clear nor encrypted',
    [KEYS_FAILED, REACHED, CONNECTED],
    { address: '192.0.2.7:25002', encryption: '' },
  ],
  ['a tool that tells nothing of it', [START, CONNECTED], null],
]

test.each(cases)('CON-IN-26 CON-OUT-09 SRT handshake: %s', (_name, lines, peer) => {
  const view = [START, ...lines].reduce(readSrtPeer, NO_PEER_YET)
  expect(view.handshake && { ...view.handshake, ...peer }).toEqual(peer && view.handshake)
})

test('note lines of the library change neither connection nor cause', () => {
  const view = [START, ...request(CALLER), ASKED, ...REFUSED].reduce(readSrtPeer, NO_PEER_YET)
  expect(view.peer).toBe('')
  expect(view.trouble).toContain('different passphrases')
})

const TRY = "Media path: 'udp://127.0.0.1:5000' --> 'srt://192.0.2.7:25002?mode=caller'"
const REJECTED_THERE =
  '23:26:33.723891/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: Incorrect passphrase - not processing further'

test('FEED-11 a caller whose far end went away after a rejection names no wrong passphrase any more', () => {
  const rejected = [START, TRY, REJECTED_THERE, TRY].reduce(readSrtPeer, NO_PEER_YET)
  expect(rejected.trouble).toContain('different passphrases')
  const unanswered = readSrtPeer(rejected, TRY)
  expect(unanswered.trouble).toBe(
    'The far end does not answer now. It rejected the last call that it answered (SRT: Incorrect passphrase).',
  )
  expect(readSrtPeer(unanswered, TRY).trouble).toBe(unanswered.trouble)
  expect(readSrtPeer(unanswered, REJECTED_THERE).trouble).toContain('different passphrases')
  expect(readSrtPeer(unanswered, CONNECTED).trouble).toBe('')
})

const CALL = [...request(CALLER), ASKED]
const KM_FAILED =
  '23:26:26.834818/SRT:RcvQ:w1!W:SRT.cn: KMREQ/rcv: (snd) Rx process failure - BADSECRET'
const NOT_ASKED =
  '23:27:59.657554/SRT:RcvQ:w1!W:SRT.cn: createSrtHandshake: Agent has PW, but Peer sent no KMREQ. Sending error KMRSP response'
const SENDER_ALONE =
  '23:27:59.168039/SRT:RcvQ:w1.N:SRT.cn: processSrtMsg_KMRSP: cmd=4(KMRSP) len=16 KmState: SND=NOSECRET RCV=UNSECURED'
const RECEIVER_ALONE =
  '23:27:59.706242/SRT:RcvQ:w1.N:SRT.cn: processSrtMsg_KMRSP: cmd=4(KMRSP) len=16 KmState: SND=UNSECURED RCV=NOSECRET'
const undecrypted = (state: string) =>
  `23:26:28.303275/SRT:RcvQ:w1*E:SRT.cn: SECURITY STATUS: ${state} - can't decrypt w_packet.`
const TAKEN = 'Accepted SRT target connection'
const SOURCE = 'SRT source connected'

// As ends with enforcedencryption=0 print it.
test.each([
  ['a sender that calls', [KEYS_FAILED, CONNECTED, REACHED], 'different passphrases'],
  ['a receiver that is called', [...CALL, KM_FAILED, ACCEPTED], 'different passphrases'],
  ['a sender that is called', [...CALL, KM_FAILED, TAKEN], 'different passphrases'],
  ['a receiver that calls', [undecrypted('BADSECRET'), SOURCE], 'different passphrases'],
  ['only the sender that calls encrypts', [SENDER_ALONE, CONNECTED], 'One end encrypts'],
  ['only the sender that is called encrypts', [...CALL, NOT_ASKED, TAKEN], 'One end encrypts'],
  ['a receiver without a key', [...CALL, ACCEPTED, undecrypted('NOSECRET')], 'One end encrypts'],
  ['only the receiver that is called has a key', [...CALL, NOT_ASKED, ACCEPTED], ''],
  ['only the receiver that calls has a key', [SENDER_ALONE, SOURCE], ''],
  ['a sender without a key', [RECEIVER_ALONE, CONNECTED], ''],
  [
    'a caller with another key was rejected before',
    [...CALL, KM_FAILED, ...REFUSED, ...CALL, TAKEN],
    '',
  ],
] as const)('FEED-11 connected without a common key: %s', (_name, lines, words) => {
  const view = [START, ...lines].reduce(readSrtPeer, NO_PEER_YET)
  expect(view).toMatchObject({ peer: 'connected', rejections: 0 })
  expect(view.trouble.includes(words === '' ? 'encrypt' : words)).toBe(words !== '')
  expect(readSrtPeer(view, 'SRT source disconnected')).toMatchObject({ trouble: '' })
})
