import { VIDEO_FORMATS } from '@trunkline/contract/encoders/video-format.rules'
import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { expect, test } from 'vitest'
import { configSample } from '../../test/samples.ts'
import { changesOf, tabsOf, textLines, wasText } from './config-change.rules.ts'
import { nameOf } from './config-edit.rules.ts'
import type { FieldName } from './config-field.rules.ts'
import { newsLines } from './config-merge.rules.ts'
import { beginState, reduce, type ConfigState, type ConfigStep } from './config-state.rules.ts'
import { newValues, treeOf, valuesOf, type ConfigValues } from './config-values.rules.ts'

const START = beginState(newValues('Camera'), 1)

function after(state: ConfigState, ...steps: readonly ConfigStep[]): ConfigState {
  return steps.reduce(reduce, state)
}

function edit(name: FieldName, text: string): ConfigStep {
  return { step: 'edit', name, text }
}

function withFields(values: ConfigValues, fields: Partial<ConfigValues['fields']>): ConfigValues {
  return { ...values, fields: { ...values.fields, ...fields } }
}

test('CFG-12 CFG-13 CFG-14 CFG-15 CONST-10 Q80 a new encoder starts from the template', () => {
  const tree = treeOf(newValues('Camera'))
  expect(tree).toEqual({
    name: 'encoder0',
    title: 'Camera',
    'card-idx': 0,
    'video-format': '1080i50',
    'video-stream': {
      format: 'avc',
      bitrate: 4000,
      keyint: 50,
      'vbv-bufsize': 4000,
      'vbv-maxrate': 4000,
      profile: 'high',
      level: '4.2',
      'aspect-ratio': '16:9',
      width: 1920,
      threads: 4,
      pid: 512,
      'max-refs': 4,
      'intra-refresh': 0,
    },
    'audio-stream': {
      format: 'mp2',
      bitrate: 256,
      lang: 'eng',
      pid: 4112,
      'mp2-mode': 'stereo',
      'audio-type': 'undefined',
    },
    muxer: {
      'ts-type': 'dvb',
      'ts-id': 1,
      'pmt-pid': 256,
      'pcr-pid': 512,
      'pcr-period': 20,
      'program-num': 1,
      'ts-muxrate': 4_500_000,
      cbr: 1,
    },
    output: [{ type: 'udp', target: 'udp://127.0.0.1:5000?ttl=12' }],
  })
  expect(EncoderConfig.safeParse(tree).success).toBe(true)
})

test('CFG-07 CFG-11 CFG-23 a stored configuration goes through the form unchanged, without pmt-period', () => {
  const { feeder: _, ...stored } = configSample
  const withPeriod = { ...configSample, muxer: { ...configSample.muxer, 'pmt-period': 100 } }
  expect(treeOf(valuesOf(withPeriod))).toEqual(stored)
})

test('CFG-06 the name follows the card index', () => {
  const { values } = after(START, edit('card-idx', '2'))
  expect(nameOf(values.fields)).toBe('encoder2')
  expect(treeOf(values)['name']).toBe('encoder2')
})

test('CFG-16 mp2 takes the fields of aac away and brings its own', () => {
  const aac = after(START, edit('audio-stream.format', 'aac'))
  const tree = treeOf(after(aac, edit('audio-stream.format', 'mp2')).values)
  expect(tree['audio-stream']).toEqual({
    format: 'mp2',
    bitrate: 256,
    lang: 'eng',
    pid: 4112,
    'mp2-mode': 'stereo',
    'audio-type': 'undefined',
  })
})

test('CFG-17 aac takes the fields of mp2 away and brings its own', () => {
  const tree = treeOf(after(START, edit('audio-stream.format', 'aac')).values)
  expect(tree['audio-stream']).toEqual({
    format: 'aac',
    bitrate: 256,
    lang: 'eng',
    pid: 4112,
    'aac-profile': 'aac-lc',
    'aac-encap': 'adts',
  })
})

const SD = ['720', 'main', '3.2', '1500', '1000', '1500', '128', '1850000']
const HD720 = ['1280', 'high', '4.1', '3500', '3500', '3500', '192', '4500000']
const HD1080 = ['1920', 'high', '4.2', '4000', '4000', '4000', '256', '4500000']
const KEYINTS: Readonly<Record<string, string>> = {
  '29.97': '30',
  '30': '30',
  '50': '50',
  '59.94': '50',
  '60': '50',
}

test.each(VIDEO_FORMATS)('CFG-18 CFG-19 CFG-20 CFG-21 Q79 the preset of %s', (format) => {
  const other = format === 'pal' ? 'ntsc' : 'pal'
  const { fields } = after(START, edit('video-format', other), edit('video-format', format)).values
  const isSd = format === 'pal' || format === 'ntsc'
  expect([
    fields['video-stream.width'],
    fields['video-stream.profile'],
    fields['video-stream.level'],
    fields['video-stream.bitrate'],
    fields['video-stream.vbv-bufsize'],
    fields['video-stream.vbv-maxrate'],
    fields['audio-stream.bitrate'],
    fields['muxer.ts-muxrate'],
  ]).toEqual(isSd ? SD : format.startsWith('720p') ? HD720 : HD1080)
  const rate = /[ip]([\d.]+)$/.exec(format)?.[1] ?? ''
  expect(fields['video-stream.keyint']).toBe(KEYINTS[rate] ?? '24')
})

test('a preset counts what it changed beside the format, and says why each is so', () => {
  const state = after(START, edit('video-format', '720p50'))
  expect(state.bulk).toMatchObject({ title: '720p50', kind: 'preset', count: 6 })
  expect(changesOf(state).map(({ label, why }) => [label, why])).toEqual([
    ['Video format', ''],
    ['Level', 'preset'],
    ['Width', 'preset'],
    ['Bitrate', 'preset'],
    ['VBV max rate', 'preset'],
    ['VBV buffer size', 'preset'],
    ['Audio bitrate', 'preset'],
  ])
})

test('a preset is undone, save what was typed after it', () => {
  const state = after(START, edit('video-format', 'pal'), edit('video-stream.keyint', '12'), {
    step: 'undo',
  })
  expect(changesOf(state).map(({ name, after: now }) => [name, now])).toEqual([
    ['video-stream.keyint', '12'],
  ])
  expect(state.bulk).toBeNull()
})

test('CFG-22 the video bitrate sets vbv-maxrate', () => {
  const state = after(START, edit('video-stream.bitrate', '3000'))
  expect(state.values.fields['video-stream.vbv-maxrate']).toBe('3000')
  expect(wasText(state, 'video-stream.vbv-maxrate')).toBe('follows bitrate, was 4000')
  expect(wasText(state, 'video-stream.bitrate')).toBe('was 4000')
})

test('CFG-24 Q77 a calculated video bitrate sets vbv-maxrate as well', () => {
  const { fields } = after(START, { step: 'calculate', which: 'video' }).values
  expect(fields['video-stream.bitrate']).toBe('3668')
  expect(fields['video-stream.vbv-maxrate']).toBe('3668')
})

test('CFG-25 CFG-26 audio bitrate and mux rate are calculated from the other two', () => {
  const smaller = after(
    START,
    edit('video-stream.bitrate', '3668'),
    edit('audio-stream.bitrate', '64'),
  )
  const audio = after(smaller, { step: 'calculate', which: 'audio' })
  expect(audio.values.fields['audio-stream.bitrate']).toBe('256')
  const mux = after(START, { step: 'calculate', which: 'mux' })
  expect(mux.values.fields['muxer.ts-muxrate']).toBe('4881121')
})

test('Q76 nothing is calculated while one of the two is no number', () => {
  const state = after(START, edit('audio-stream.bitrate', ''))
  expect(after(state, { step: 'calculate', which: 'video' })).toBe(state)
})

test('the PCR PID follows a video PID that it was equal to', () => {
  const together = after(START, edit('video-stream.pid', '600'))
  expect(together.values.fields['muxer.pcr-pid']).toBe('600')
  const apart = after(START, edit('muxer.pcr-pid', '700'), edit('video-stream.pid', '600'))
  expect(apart.values.fields['muxer.pcr-pid']).toBe('700')
})

test('CFG-36 CFG-37 outputs are added, edited and removed', () => {
  const state = after(
    START,
    { step: 'add-output' },
    { step: 'edit-output', index: 1, part: 'type', text: 'rtp' },
    { step: 'edit-output', index: 1, part: 'host', text: '239.10.4.1' },
  )
  expect(treeOf(state.values)['output']).toEqual([
    { type: 'udp', target: 'udp://127.0.0.1:5000?ttl=12' },
    { type: 'rtp', target: 'rtp://239.10.4.1:5000?ttl=12' },
  ])
  expect(changesOf(state)).toMatchObject([
    { label: 'Output 2', before: '–', after: 'rtp://239.10.4.1:5000?ttl=12' },
  ])
  const one = after(state, { step: 'remove-output', index: 0 })
  expect(one.values.outputs).toHaveLength(1)
  expect(tabsOf(changesOf(one).map(({ name }) => name))).toEqual(new Set(['output']))
})

test('a template sets all but what belongs to this encoder alone', () => {
  const {
    name: _,
    title: __,
    'card-idx': ___,
    output: ____,
    feeder: _____,
    ...settings
  } = configSample
  const state = after(START, { step: 'template', settings, title: 'Demo' })
  expect(treeOf(state.values)).toMatchObject({
    ...settings,
    title: 'Camera',
    'card-idx': 0,
    output: [{ type: 'udp', target: 'udp://127.0.0.1:5000?ttl=12' }],
  })
  expect(after(state, { step: 'undo' }).values).toEqual(START.values)
})

test('decisions 16 what somebody else saved follows where nothing was typed', () => {
  const mine = after(START, edit('video-stream.keyint', '12'))
  const theirs = withFields(START.base, { title: 'Theirs', 'video-stream.level': '4.1' })
  const state = after(mine, { step: 'read', values: theirs, version: 2 })
  expect(state.version).toBe(2)
  expect(newsLines(state).map(({ name, mine: now, isClash }) => [name, now, isClash])).toEqual([
    ['title', 'Theirs', false],
    ['video-stream.level', '4.1', false],
  ])
  expect(changesOf(state).map(({ name }) => name)).toEqual(['video-stream.keyint'])
})

const MINE = after(START, edit('video-stream.keyint', '12'), edit('title', 'Mine'))
const CLASHED = after(MINE, {
  step: 'read',
  values: withFields(START.base, { 'video-stream.keyint': '25' }),
  version: 2,
})

test('decisions 16 a field that both changed shows was, theirs and mine', () => {
  expect(newsLines(CLASHED)).toEqual([
    { name: 'video-stream.keyint', was: '50', theirs: '25', mine: '12', isClash: true },
  ])
})

test.each([
  ['take-theirs', '25', ['title']],
  ['keep-mine', '12', ['title', 'video-stream.keyint']],
] as const)('decisions 16 %s leaves everything else as it was typed', (step, keyint, changed) => {
  const state = after(CLASHED, { step })
  expect(state.values.fields['video-stream.keyint']).toBe(keyint)
  expect(state.news).toBeNull()
  expect(changesOf(state).map(({ name }) => name)).toEqual(changed)
})

test('a version without another configuration is taken without a word', () => {
  const state = after(MINE, { step: 'read', values: MINE.base, version: 5 })
  expect([state.version, state.news]).toEqual([5, null])
  expect(after(state, { step: 'read', values: newValues('Old'), version: 4 })).toBe(state)
})

test('the text of the configuration marks the lines that changed', () => {
  const state = after(START, edit('video-stream.keyint', '12'), { step: 'add-output' })
  const lines = textLines(state.base, state.values)
  expect(JSON.parse(lines.map(({ text }) => text).join('\n'))).toEqual(treeOf(state.values))
  expect(lines.filter(({ isChanged }) => isChanged).map(({ text }) => text.trim())).toEqual([
    '"keyint": 12,',
    '{',
    '"type": "udp",',
    '"target": "udp://127.0.0.1:5000?ttl=12"',
    '}',
  ])
})
