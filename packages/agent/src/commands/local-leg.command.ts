/** The leg on the host itself, spelled for each tool. Multicast there runs on the loopback interface. */
import type { LocalLeg } from '@trunkline/contract/agent/program.messages'
import { isMulticast } from '@trunkline/contract/text.schema'
import type { HostFacts } from './host-facts.ts'

export const LOOPBACK_IP = '127.0.0.1'
const LOOPBACK_DEVICE = 'lo'
/** A quarter of a second at 60 Mbit/s; the kernel's own default holds 26 ms of that. */
export const RECEIVE_BUFFER_BYTES = 2_000_000
/** 1316 bytes, one datagram of seven packets. */
export const DATAGRAM_BYTES = 1316

/**
 * Where the leg really runs. Without multicast on loopback both ends meet on 127.0.0.1 and the
 * leg's port, which is unique on the host; there the port has one reader (decisions.md 2).
 */
export function meetingPoint(leg: LocalLeg, facts: Pick<HostFacts, 'localBusWorks'>): LocalLeg {
  if (!isMulticast(leg.ip) || facts.localBusWorks) return leg
  return { ...leg, ip: LOOPBACK_IP }
}

/** For srt-live-transmit as the end that reads the leg. */
export function srtReadUrl({ ip, port }: LocalLeg): string {
  const buffer = `rcvbuf=${RECEIVE_BUFFER_BYTES}`
  const query = isMulticast(ip) ? `adapter=${LOOPBACK_IP}&${buffer}` : buffer
  return `udp://${ip}:${port}?${query}`
}

/** For srt-live-transmit as the end that feeds the leg. */
export function srtWriteUrl({ ip, port, ttl }: LocalLeg): string {
  return `udp://${ip}:${port}${isMulticast(ip) ? `?adapter=${LOOPBACK_IP}&ttl=${ttl}` : ''}`
}

/** For ristsender and ristreceiver, either way: they know the adapter by its device name only. */
export function ristUrl({ ip, port }: LocalLeg): string {
  return `udp://${ip}:${port}${isMulticast(ip) ? `?miface=${LOOPBACK_DEVICE}` : ''}`
}

/** For ffmpeg as the end that reads. A full buffer drops data, it does not end the program. */
export function ffmpegReadUrl({ ip, port }: LocalLeg): string {
  const adapter = isMulticast(ip) ? `localaddr=${LOOPBACK_IP}&` : ''
  return `udp://${ip}:${port}?${adapter}fifo_size=50000&overrun_nonfatal=1`
}

/** For ffmpeg as the end that feeds the leg. */
export function ffmpegWriteUrl({ ip, port, ttl }: LocalLeg): string {
  const adapter = isMulticast(ip) ? `localaddr=${LOOPBACK_IP}&ttl=${ttl}&` : ''
  return `udp://${ip}:${port}?${adapter}pkt_size=${DATAGRAM_BYTES}`
}

/** What ffmpeg adds to an output's address so that a group of the local bus stays on loopback. */
export function ffmpegAdapter({ ip }: LocalLeg): string {
  return isMulticast(ip) ? `&localaddr=${LOOPBACK_IP}` : ''
}
