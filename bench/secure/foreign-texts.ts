/**
 * Every parser of text and bytes that come from outside: tools, supervisord, media servers, streams,
 * hosts, strangers at a port, spreadsheets. Each with what it really gets, from which damaged ones are made. Written lines were seen on the
 * tools that Debian 12 has.
 */
import { causeFrom, causeOfDeath, endFrom } from '@trunkline/agent/logs/cause'
import { datedLine } from '@trunkline/agent/logs/dated-line'
import { readFfmpegPeer } from '@trunkline/agent/logs/ffmpeg-peer'
import { NO_PEER_YET, readRistPeer, type PeerReader } from '@trunkline/agent/logs/peer-state'
import { redact } from '@trunkline/agent/logs/redact'
import { readSrtPeer } from '@trunkline/agent/logs/srt-peer'
import { NO_PROGRESS, readProgressLine } from '@trunkline/agent/stats/ffmpeg.stats'
import { NO_RIST_COUNT } from '@trunkline/agent/stats/rist-count'
import { readRistLine } from '@trunkline/agent/stats/rist.stats'
import { readSrtLine } from '@trunkline/agent/stats/srt.stats'
import {
  readMediaPlaylist,
  readPackagerList,
} from '@trunkline/agent/streams/timeline/playlist-text'
import { parseEvent } from '@trunkline/agent/supervisor/supervisor.events'
import { readReply } from '@trunkline/agent/supervisor/xml-rpc'
import { transportReport } from '@trunkline/agent/transport/transport-report.rules'
import { TransportParser } from '@trunkline/agent/transport/transport-parser'
import { TestPackets } from '@trunkline/agent/link-test/test-packet'
import { ownPlaylist } from '@trunkline/api/channels/hls-file.rules'
import { isLargerThan } from '@trunkline/api/encoders/thumbnails/jpeg-size.rules'
import { clientHello } from '@trunkline/api/hosts/dial-in/client-hello.fixture'
import { readClientHello } from '@trunkline/api/hosts/dial-in/client-hello.rules'
import {
  errorOf,
  inputPlacesOf,
  parseJson,
  pushesOf,
  streamOf,
} from '@trunkline/api/stream-servers/media-answer'
import { publicText, publicUrl } from '@trunkline/api/stream-servers/stream-secrets.rules'
import { decodeText, readCsv } from '@trunkline/console/shared/csv/csv-file.rules'

export interface ForeignText {
  name: string
  samples: readonly Uint8Array[]
  /** A sentence about a fault of the outside is an answer, too: these errors are expected. */
  isExpected: (error: unknown) => boolean
  read: (bytes: Uint8Array) => void
}

const never = () => false
const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

function text(
  name: string,
  samples: readonly string[],
  read: (text: string) => void,
  isExpected: ForeignText['isExpected'] = never,
): ForeignText {
  return {
    name,
    samples: samples.map(bytesOf),
    isExpected,
    read: (bytes) => {
      read(textOf(bytes))
    },
  }
}

function binary(
  name: string,
  samples: readonly Uint8Array[],
  read: ForeignText['read'],
): ForeignText {
  return { name, samples, isExpected: never, read }
}

const SRT = `{"sid":50588550,"timepoint":"2026-11-20T23:51:38.664812+0000","time":3182,"window":{"flow":8164,"congestion":8192,"flight":2},"link":{"rtt":0.081,"bandwidth":12.6,"maxBandwidth":1000},"send":{"packets":203,"packetsUnique":200,"packetsLost":4,"packetsDropped":1,"packetsRetransmitted":3,"packetsFilterExtra":0,"bytes":248124,"bytesUnique":248124,"bytesDropped":0,"byteAvailBuf":12286500,"msBuf":4,"mbitRate":1.251,"sendPeriod":9},"recv":{"packets":9,"packetsUnique":9,"packetsLost":0,"packetsDropped":0,"packetsRetransmitted":0,"packetsBelated":0,"bytes":99,"bytesUnique":99,"bytesLost":0,"bytesDropped":0,"byteAvailBuf":12286500,"msBuf":0,"mbitRate":1,"msTsbPdDelay":200}}`
const RIST = [
  `1795218720.666684|0.0|[INFO] {"receiver-stats":{"flowinstant":{"flow_id":470618366,"dead":0,"stats":{"quality":100,"received":127,"dropped_late":0,"dropped_full":0,"missing":7,"recovered_total":6,"reordered":0,"retries":0,"lost":1,"avg_buffer_time":301,"duplicates":0,"missing_queue":0,"missing_queue_max":1071,"min_inter_packet_spacing":1148,"cur_inter_packet_spacing":7865,"max_inter_packet_spacing":10484,"bitrate":1211241},"peers":[{"id":2,"dead":0,"stats":{"received_data":127,"received_rtcp":20,"sent_rtcp":20,"rtt":5,"avg_rtt":5,"bitrate":1211416,"avg_bitrate":290046}}]}}}`,
  `1795218719.667713|0.0|[INFO] {"sender-stats":{"peer":{"flow_id":470618366,"id":1,"cname":"vm@127.0.0.1:23201","type":"data","stats":{"quality":96.87,"sent":143,"received":20,"retransmitted":7,"bandwidth":1162544,"retry_bandwidth":0,"bandwidth_skipped":1,"bloat_skipped":2,"retransmit_skipped":3,"rtt":3,"avg_rtt":3,"retry_buffer_size":1,"cooldown_time":0}}}}`,
  '1795218719.667713|0.0|[INFO] Peer with id #2 associated with flow',
  '1795218719.667713|0.0|[WARN] Listening peer 2 timed out after 2000 ms',
]
const LOG = [
  '--- Started 2026-11-20T23:51:35Z (pid 71)',
  '12:44:03.520994/SRT:RcvQ:w1.N:SRT.cn: PASSING request from: 203.0.113.5:4512 to agent:460509390',
  '12:44:03.522410/SRT:RcvQ:w1.N:SRT.cn: HSREQ/rcv: cmd=1(HSREQ) len=12 vers=0x10501 opts=0xbf delay=500',
  '12:44:03.511886/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1010 - Incorrect passphrase',
  'Accepted SRT source connection',
  "Media path: 'srt://:6000?mode=listener&passphrase=a-long-passphrase' --> 'udp://239.255.0.1:1'",
  "[lavfi @ 0x55d0] [error] No such filter: 'nosuch'",
  '2026-11-20 12:00:00,123 INFO gave up: enc-0 entered FATAL state, too many start retries too quickly',
].join('\n')
const PROGRESS =
  'frame=250\nfps=25.00\nstream_0_0_q=-1.0\nbitrate=1850.1kbits/s\ntotal_size=2312500\nout_time_us=10000000\nout_time=00:00:10.000000\ndup_frames=0\ndrop_frames=1\nspeed=1.01x\nprogress=continue'
const XML =
  "<?xml version='1.0'?>\n<methodResponse>\n<params>\n<param>\n<value><array><data>\n<value><struct>\n<member>\n<name>name</name>\n<value><string>enc-0</string></value>\n</member>\n<member>\n<name>pid</name>\n<value><int>7</int></value>\n</member>\n<member>\n<name>spawnerr</name>\n<value><string>a &lt;b&gt; &amp; c</string></value>\n</member>\n</struct></value>\n</data></array></value>\n</param>\n</params>\n</methodResponse>\n"
const EVENT =
  'ver:3.0 server:supervisor serial:21 pool:events poolserial:10 eventname:PROCESS_STATE_EXITED len:71 processname:enc-0 groupname:enc-0 from_state:RUNNING expected:0 pid:2766'
const MEDIA_LIST =
  '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:17\n#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:00.000Z\n#EXTINF:2.000000,\nlive/v0-00017.ts?token=abc\n#EXTINF:1.96,a title\nlive/v0-00018.ts\n'
const MASTER_LIST =
  '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1850000,RESOLUTION=1280x720,CODECS="avc1.64001f,mp4a.40.2"\ntracks-v1a1/mono.m3u8\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",URI="tracks-a1/mono.m3u8"\n'
const STREAM = `{"name":"live","title":"Live","inputs":[{"url":"m4srt://192.0.2.9:9000?passphrase=a-long-passphrase&mode=caller","stats":{"active":true,"error":"Connection to http://u:p@h/a?token=abc failed: password 'x'"}}],"pushes":[{"url":"rtmp://cdn.example/live?key=abc","stats":{"status":"running","bitrate":4790.4,"retries":2}}],"stats":{"alive":true,"status":"running","media_info":{"tracks":[{"content":"video","codec":"h264","width":1280,"height":720,"fps":25.0},{"content":"audio","codec":"aac","channels":2}]}}}`

const CSV = [
  '\uFEFFsep=;',
  'Title;Group;Server;Type;Port;Passphrase',
  `"North; ""A""";North;Gateway 1;SRT;6000;'=1+1`,
  '"two\nlines";South;Gateway 2;RIST;6002;',
].join('\r\n')
/** Begin, a frame of 320 by 180 pixels, and some of its data. */
const JPEG = Buffer.from(
  'ffd8ffe000104a464946ffc000110800b401400301220002ffda0c03ff003fff00a2',
  'hex',
)

function peers(read: PeerReader): (all: string) => void {
  return (all) => {
    all.split('\n').reduce(read, NO_PEER_YET)
  }
}

/** As many as a call may ask for. */
const LINES_SHOWN = 1000

function shownLogs(all: string): void {
  const lines = all.split('\n').slice(-LINES_SHOWN)
  for (const line of lines) {
    datedLine(redact(line, ['a-long-passphrase', 'a-long']), 1_795_218_720_000)
  }
  causeFrom(lines)
  causeOfDeath(lines, 'exit status 1')
  endFrom(lines, 'enc-0')
}

function statistics(all: string): void {
  const link = { direction: 'receive', isSimple: false, addresses: ['a:1', 'b:2'] } as const
  let counted = { count: NO_RIST_COUNT, reading: null } as Parameters<typeof readRistLine>[0]
  for (const line of all.split('\n')) {
    counted = readRistLine(counted, line, link)
    readRistLine(counted, line, { ...link, direction: 'send' })
    readSrtLine(line, 'send')
    readSrtLine(line, 'receive')
  }
}

function progress(all: string): void {
  let read = NO_PROGRESS
  for (const [at, line] of all.split('\n').entries()) {
    read = readProgressLine(read, line, { nowMs: at * 1000, nominalKbps: 1850 })
  }
}

function mediaServer(all: string): void {
  const value = parseJson(all)
  streamOf(value)
  pushesOf(value)
  inputPlacesOf(value)
  errorOf(value)
  publicText(all)
  publicUrl(all)
}

function playlists(all: string): void {
  ownPlaylist(all)
  readPackagerList(all)
  readMediaPlaylist(all)
}

/** What is no XML at all is refused by the parser, or by us. */
function isNoXml(error: unknown): boolean {
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError)
}

function spreadsheet(bytes: Uint8Array): void {
  readCsv(decodeText(new Uint8Array(bytes).buffer) ?? textOf(bytes))
}

const packets = new TestPackets('0123456789abcdef0123456789abcdef')
const PACKETS = [
  packets.write({ kind: 'probe', phase: 'out', sequence: 7, sentAtMs: 1.5 }),
  packets.write({ kind: 'data', phase: 'back', sequence: 8, sentAtMs: 2.5 }),
]

const DATAGRAM_BYTES = 7 * 188

function transport(bytes: Uint8Array): void {
  const parser = new TransportParser(0)
  let nowMs = 0
  for (let at = 0; at < bytes.length; at += DATAGRAM_BYTES) {
    nowMs += 5
    parser.push(Buffer.from(bytes.subarray(at, at + DATAGRAM_BYTES)), nowMs)
  }
  transportReport([parser.take(nowMs)], { mode: 'sampled', everyMs: 30_000 })
}

/** `stream`: a transport stream as it is sent. */
export function foreignTexts(stream: Uint8Array): ForeignText[] {
  return [
    text('log of SRT', [LOG], peers(readSrtPeer)),
    text('log of RIST', [RIST.join('\n'), LOG], peers(readRistPeer)),
    text('log of ffmpeg', [LOG], peers(readFfmpegPeer)),
    text('logs that are shown', [LOG, `${RIST.join('\n')}\n${LOG}`], shownLogs),
    text('statistics of SRT and RIST', [SRT, ...RIST, `${SRT}\n${RIST.join('\n')}`], statistics),
    text('progress of ffmpeg', [PROGRESS], progress),
    text('answers of supervisord', [XML], readReply, isNoXml),
    text('events of supervisord', [EVENT], parseEvent),
    text('playlists', [MEDIA_LIST, MASTER_LIST], playlists),
    text(
      'answers of media servers',
      [STREAM, '{"errors":[{"title":"no","code":404}]}'],
      mediaServer,
    ),
    binary('transport streams', [stream], transport),
    binary('packets of a link test', PACKETS, (bytes) => void packets.read(Buffer.from(bytes))),
    binary('pictures of encoders', [JPEG], (bytes) => void isLargerThan(Buffer.from(bytes), 1024)),
    binary('begin of TLS', [clientHello(), clientHello('host-7.trunkline')], (bytes) => {
      readClientHello(Buffer.from(bytes))
    }),
    binary('spreadsheets', [bytesOf(CSV), Buffer.from(CSV, 'utf16le')], spreadsheet),
  ]
}
