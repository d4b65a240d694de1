/**
 * The fields of the configuration form, in the order of its tabs: what each is called, how it is typed,
 * and what its value means. Names are the wire's own, dotted.
 */
import {
  AAC_ENCAPS,
  ASPECT_RATIOS,
  AUDIO_TYPES,
  LEVELS,
  MP2_MODES,
  TS_TYPES,
} from '@trunkline/contract/encoders/encoder-config.schema'
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import { VIDEO_FORMATS } from '@trunkline/contract/encoders/video-format.rules'
import { type FieldSpec, plainChoices } from '../../forms/field.rules.ts'
import * as hints from './config-hint.rules.ts'
import { PID_FREE } from './config.messages.ts'

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
export type Fields = Readonly<Record<FieldName, string>>

/** One output as it is edited: its index on the wire is its place. */
export type OutputPart = 'type' | 'host' | 'port' | 'ttl'
export type OutputValues = Readonly<Record<OutputPart, string>>

/** What the form holds. A field that the audio format does not have is '' (CFG-16, CFG-17). */
export interface ConfigValues extends Fields {
  readonly output: readonly OutputValues[]
}

/** What the page knows of the encoder's host; null while it was never heard. */
export interface ConfigContext {
  host: EncoderHost | null
}

interface ConfigField extends FieldSpec<ConfigValues, ConfigContext> {
  tab?: Tab
  /** Text on the wire, also where it is digits. */
  isWord?: boolean
  /** Of this audio format alone. */
  audio?: 'mp2' | 'aac'
  /** Where a new configuration begins (CFG-12 to CFG-15, Q80); without it ''. */
  initial?: string
}

type More = Omit<ConfigField, 'label' | 'tab' | 'control'>

function number(tab: Tab, label: string, initial: string, more: More = {}): ConfigField {
  return { tab, label, initial, control: 'number', ...more }
}

function choice(
  tab: Tab,
  label: string,
  initial: string,
  values: readonly (string | number)[],
  more: More = {},
): ConfigField {
  return { tab, label, initial, control: 'choice', choices: plainChoices(values), ...more }
}

const PID: More = { hint: ({ isFaulty }) => (isFaulty ? '' : PID_FREE) }

export const CONFIG_FIELDS: Readonly<Record<FieldName | 'output', ConfigField>> = {
  title: { label: 'Title', isWord: true },
  'card-idx': { label: 'Card index', initial: '0' },
  'video-format': {
    label: 'Video format',
    initial: '1080i50',
    control: 'choice',
    choices: plainChoices(VIDEO_FORMATS),
  },
  // CFG-30.
  'video-stream.format': choice('video', 'Format', 'avc', [], {
    choices: [{ value: 'avc', label: 'H.264 (avc)' }],
  }),
  'video-stream.profile': choice('video', 'Profile', 'high', ['main', 'high']),
  'video-stream.level': choice('video', 'Level', '4.2', LEVELS, { isWord: true }),
  'video-stream.width': choice('video', 'Width', '1920', [], {
    choices: ({ values }) => hints.widthChoicesOf(values),
  }),
  'video-stream.aspect-ratio': choice('video', 'Aspect ratio', '16:9', ASPECT_RATIOS),
  'video-stream.intra-refresh': {
    tab: 'video',
    label: 'Intra refresh',
    initial: '0',
    control: 'switch',
  },
  'video-stream.bitrate': number('video', 'Bitrate', '4000', { unit: 'kbit/s' }),
  'video-stream.vbv-maxrate': number('video', 'VBV max rate', '4000', { unit: 'kbit/s' }),
  'video-stream.vbv-bufsize': number('video', 'VBV buffer size', '4000', {
    unit: 'kbit',
    hint: ({ values }) => hints.bufferHint(values),
  }),
  'video-stream.keyint': number('video', 'Keyint', '50', {
    unit: 'frames',
    hint: ({ values }) => hints.keyintHint(values),
  }),
  'video-stream.threads': number('video', 'Threads', '4', {
    hint: ({ context }) => hints.threadsHint(context.host),
  }),
  'video-stream.max-refs': number('video', 'Max refs', '4'),
  'video-stream.pid': number('video', 'Video PID', '512', PID),
  'audio-stream.format': choice('audio', 'Format', 'mp2', ['mp2', 'aac'], {
    fullLabel: 'Audio format',
  }),
  'audio-stream.bitrate': number('audio', 'Bitrate', '256', {
    fullLabel: 'Audio bitrate',
    unit: 'kbit/s',
  }),
  'audio-stream.lang': {
    tab: 'audio',
    label: 'Lang',
    initial: 'eng',
    fullLabel: 'Audio lang',
    hint: 'ISO 639-2, such as eng',
    isWord: true,
  },
  'audio-stream.pid': number('audio', 'PID', '4112', { fullLabel: 'Audio PID', ...PID }),
  'audio-stream.mp2-mode': choice('audio', 'MP2 mode', 'stereo', MP2_MODES, { audio: 'mp2' }),
  'audio-stream.audio-type': choice('audio', 'Audio type', 'undefined', AUDIO_TYPES, {
    audio: 'mp2',
  }),
  'audio-stream.aac-profile': choice('audio', 'AAC profile', '', [], {
    audio: 'aac',
    choices: ({ context }) => hints.aacProfileChoices(context.host),
  }),
  'audio-stream.aac-encap': choice('audio', 'AAC encap', '', AAC_ENCAPS, { audio: 'aac' }),
  'muxer.ts-type': choice('mux', 'TS type', 'dvb', TS_TYPES),
  'muxer.ts-id': number('mux', 'TS id', '1'),
  'muxer.program-num': number('mux', 'Program num', '1'),
  'muxer.pmt-pid': number('mux', 'PMT PID', '256', PID),
  'muxer.pcr-pid': number('mux', 'PCR PID', '512', { hint: 'sent on the video PID' }),
  'muxer.pcr-period': number('mux', 'PCR period', '20', { unit: 'ms' }),
  'muxer.ts-muxrate': number('mux', 'TS muxrate', '4500000', { unit: 'bps' }),
  'muxer.cbr': { tab: 'mux', label: 'CBR', initial: '1', control: 'switch' },
  output: { tab: 'output', label: 'Output Settings', fullLabel: 'Outputs' },
}

export interface FieldSection {
  title: string
  columns: 3 | 4
  names: readonly FieldName[]
  /** Shown with this audio format alone. */
  audio?: 'mp2' | 'aac'
}

const VIDEO_SECTIONS: readonly FieldSection[] = [
  {
    title: 'Codec and picture',
    columns: 3,
    names: [
      'video-stream.format',
      'video-stream.profile',
      'video-stream.level',
      'video-stream.width',
      'video-stream.aspect-ratio',
      'video-stream.intra-refresh',
    ],
  },
  {
    title: 'Rate control',
    columns: 4,
    names: [
      'video-stream.bitrate',
      'video-stream.vbv-maxrate',
      'video-stream.vbv-bufsize',
      'video-stream.keyint',
    ],
  },
  {
    title: 'Engine and stream',
    columns: 3,
    names: ['video-stream.threads', 'video-stream.max-refs', 'video-stream.pid'],
  },
]

const AUDIO_SECTIONS: readonly FieldSection[] = [
  {
    title: 'Codec and language',
    columns: 4,
    names: ['audio-stream.format', 'audio-stream.bitrate', 'audio-stream.lang', 'audio-stream.pid'],
  },
  { title: 'MP2', columns: 4, names: extrasOf('mp2'), audio: 'mp2' },
  { title: 'AAC', columns: 4, names: extrasOf('aac'), audio: 'aac' },
]

export const CLOCK_TITLE = 'Tables and clock'
const MUX_SECTIONS: readonly FieldSection[] = [
  {
    title: 'Transport stream',
    columns: 3,
    names: ['muxer.ts-type', 'muxer.ts-id', 'muxer.program-num', 'muxer.ts-muxrate', 'muxer.cbr'],
  },
  {
    title: CLOCK_TITLE,
    columns: 3,
    names: ['muxer.pmt-pid', 'muxer.pcr-pid', 'muxer.pcr-period'],
  },
]

export const SECTIONS = {
  video: VIDEO_SECTIONS,
  audio: AUDIO_SECTIONS,
  mux: MUX_SECTIONS,
} as const

/** CFG-16, CFG-17: the fields that only this audio format has. */
export function extrasOf(format: 'mp2' | 'aac'): readonly FieldName[] {
  return FIELD_NAMES.filter((name) => CONFIG_FIELDS[name].audio === format)
}

export function isFieldName(name: string): name is FieldName {
  return (FIELD_NAMES as readonly string[]).includes(name)
}
