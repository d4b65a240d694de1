/**
 * Whether the far end of an ffmpeg that sends to one or fetches from one is there. Pure. ffmpeg says
 * nothing when it is: bytes that are counted do. When it is not, its last error line says why.
 */
import { START_MARK } from '@trunkline/contract/program-state'
import { causeFrom } from './cause.ts'
import { lostPeer, NO_PEER_YET, PEER_IS_HERE, type PeerView } from './peer-state.ts'
import { pidMarkIn } from './start-mark.ts'

/** A line of its standard error. Each try begins with our own mark (Unit.repeat 'always'). */
export function readFfmpegPeer(view: PeerView, line: string): PeerView {
  if (line.startsWith(START_MARK)) {
    const run = pidMarkIn(line)
    if (run !== view.run) return { ...NO_PEER_YET, run, tries: 1 }
    return { ...view, peer: lostPeer(view), tries: view.tries + 1 }
  }
  if (!ERROR.test(line)) return view
  // ffmpeg's own last word only repeats the address: it takes the place of no better one.
  const isVague = view.trouble !== '' && VAGUE.test(line)
  return isVague ? view : { ...view, trouble: troubleOf(line) }
}

/** After a block of its statistics: `kbps` went through since the one before. */
export function afterFfmpegRate(view: PeerView, kbps: number): PeerView {
  return kbps > 0 ? { ...PEER_IS_HERE, run: view.run } : view
}

const VAGUE = /: (Input\/output error|Invalid argument)$|Cannot open connection /
const ERROR = /\[(error|fatal|panic)\]/
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [
    /Connection refused/,
    'Nothing listens at the far end: connection refused. Check host and port.',
  ],
  [
    /Failed to resolve|Name or service not known|name resolution/,
    'The host name of the far end cannot be resolved. Check the host.',
  ],
  [
    /certificate failed verification/,
    'The far end’s certificate is not trusted by this host, or has expired. Renew it, or add its authority to this host.',
  ],
  [
    /certificate's owner does not match/,
    'The far end’s certificate is for another host name. Use the host name of the certificate.',
  ],
  [/timed out/i, 'The far end does not answer in time. Check host, port and firewall.'],
  [
    /No route to host|Network is unreachable/,
    'There is no route to the far end. Check the network.',
  ],
  [/\b404\b/, 'The server does not know this address: 404. Check the path.'],
  [/\b40[13]\b/, 'The server refuses access to this address. Check user, password or token.'],
  [
    /Server returned 5/,
    'The server has an error of its own: it answers with a 5xx. Check the server.',
  ],
  [/Broken pipe|Connection reset/, 'The far end ended the connection.'],
]

function troubleOf(line: string): string {
  const known = SENTENCES.find(([pattern]) => pattern.test(line))
  return known ? known[1] : causeFrom([line.replace(/^(\[[^\]]*\] ?)*/, '')])
}
