/** The fields of the configuration form, in the order of its tabs. Names are the wire's own, dotted. */

export const TABS = ['video', 'audio', 'mux', 'output', 'feeder'] as const
export type Tab = (typeof TABS)[number]

export const TAB_LABELS: Readonly<Record<Tab, string>> = {
  video: 'Video Settings',
  audio: 'Audio Settings',
  mux: 'Mux Settings',
  output: 'Output Settings',
  feeder: 'Feeder',
}

export const FIELD_NAMES = [
  'title',
  'card-idx',
  'video-format',
  'video-stream.format',
  'video-stream.profile',
  'video-stream.level',
  'video-stream.width',
  'video-stream.aspect-ratio',
  'video-stream.intra-refresh',
  'video-stream.bitrate',
  'video-stream.vbv-maxrate',
  'video-stream.vbv-bufsize',
  'video-stream.keyint',
  'video-stream.threads',
  'video-stream.max-refs',
  'video-stream.pid',
  'audio-stream.format',
  'audio-stream.bitrate',
  'audio-stream.lang',
  'audio-stream.pid',
  'audio-stream.mp2-mode',
  'audio-stream.audio-type',
  'audio-stream.aac-profile',
  'audio-stream.aac-encap',
  'muxer.ts-type',
  'muxer.ts-id',
  'muxer.program-num',
  'muxer.pmt-pid',
  'muxer.pcr-pid',
  'muxer.pcr-period',
  'muxer.ts-muxrate',
  'muxer.cbr',
] as const
export type FieldName = (typeof FIELD_NAMES)[number]

export const FIELD_LABELS: Readonly<Record<FieldName, string>> = {
  title: 'Title',
  'card-idx': 'Card index',
  'video-format': 'Video format',
  'video-stream.format': 'Format',
  'video-stream.profile': 'Profile',
  'video-stream.level': 'Level',
  'video-stream.width': 'Width',
  'video-stream.aspect-ratio': 'Aspect ratio',
  'video-stream.intra-refresh': 'Intra refresh',
  'video-stream.bitrate': 'Bitrate',
  'video-stream.vbv-maxrate': 'VBV max rate',
  'video-stream.vbv-bufsize': 'VBV buffer size',
  'video-stream.keyint': 'Keyint',
  'video-stream.threads': 'Threads',
  'video-stream.max-refs': 'Max refs',
  'video-stream.pid': 'Video PID',
  'audio-stream.format': 'Format',
  'audio-stream.bitrate': 'Bitrate',
  'audio-stream.lang': 'Lang',
  'audio-stream.pid': 'PID',
  'audio-stream.mp2-mode': 'MP2 mode',
  'audio-stream.audio-type': 'Audio type',
  'audio-stream.aac-profile': 'AAC profile',
  'audio-stream.aac-encap': 'AAC encap',
  'muxer.ts-type': 'TS type',
  'muxer.ts-id': 'TS id',
  'muxer.program-num': 'Program num',
  'muxer.pmt-pid': 'PMT PID',
  'muxer.pcr-pid': 'PCR PID',
  'muxer.pcr-period': 'PCR period',
  'muxer.ts-muxrate': 'TS muxrate',
  'muxer.cbr': 'CBR',
}

/** Fields whose label alone does not say, in a list of changes, what they belong to. */
const AUDIO_LABELS: Partial<Record<FieldName, string>> = {
  'audio-stream.format': 'Audio format',
  'audio-stream.bitrate': 'Audio bitrate',
  'audio-stream.lang': 'Audio lang',
  'audio-stream.pid': 'Audio PID',
}

/** What is switched on or off; 1 and 0 on the wire. */
export const SWITCH_NAMES: readonly FieldName[] = ['video-stream.intra-refresh', 'muxer.cbr']

/** One output as it is edited: its index on the wire is its place. */
export type OutputPart = 'type' | 'host' | 'port' | 'ttl'

/** Null: above the tabs, always in sight. */
export function tabOf(name: string): Tab | null {
  if (name.startsWith('video-stream.')) return 'video'
  if (name.startsWith('audio-stream.')) return 'audio'
  if (name.startsWith('muxer.')) return 'mux'
  if (name.startsWith('output')) return 'output'
  if (name.startsWith('feeder')) return 'feeder'
  return null
}

/** As it is called away from its tab: 'Audio bitrate', 'Output 2'. */
export function fullLabelOf(name: string): string {
  const output = /^output\.(\d+)/.exec(name)
  if (output !== null) return `Output ${Number(output[1]) + 1}`
  if (!isFieldName(name)) return name
  return AUDIO_LABELS[name] ?? FIELD_LABELS[name]
}

export function isFieldName(name: string): name is FieldName {
  return (FIELD_NAMES as readonly string[]).includes(name)
}
