import { VIDEO_FORMATS } from '@trunkline/contract/encoders/video-format.rules'
import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { expect, test } from 'vitest'
import { configSample } from '../../test/samples.ts'
import { tabsOf, wasText } from '../../forms/field.rules.ts'
import {
  beginState,
  type FormAction,
  type FormState,
  reducerOf,
} from '../../forms/form-state.rules.ts'
import { newsLines } from '../../forms/merge.rules.ts'
import type { ConfigValues, FieldName } from './config-field.rules.ts'
import {
  calculate,
  calculatedEdit,
  type Calculation,
  changesOf,
  CONFIG_FORM,
  nameOf,
  templateTexts,
  textLines,
} from './config-form.rules.ts'
import { configTree, NEW_OUTPUT, newValues, valuesOf } from './config-values.rules.ts'

type State = FormState<ConfigValues>
type Action = FormAction<ConfigValues>

const CONTEXT = { host: null }
const START = beginState({ values: newValues('Camera'), version: 1 })
const reduce = reducerOf(CONFIG_FORM.rules)

function after(state: State, ...actions: readonly Action[]): State {
  return actions.reduce(reduce, state)
}

function edit(name: FieldName, text: string): Action {
  return { step: 'edit', change: { [name]: text } }
}

/** By a click, as the panel of the bit budget does it. */
function calculated({ values }: State, which: Calculation): Action {
  return calculatedEdit(which, calculate(values, which) ?? NaN)
}

function outputs(...output: ConfigValues['output']): Action {
  return { step: 'edit', change: { output } }
}

/** Name, as it was, theirs, mine, and whether both changed it. */
function linesOf(state: State) {
  return newsLines(CONFIG_FORM.rules.names, state).map(({ name, isClash, ...sides }) => {
    return [name, sides.was[name], sides.theirs[name], sides.mine[name], isClash]
  })
}

function changedNames(state: State): string[] {
  return changesOf(state, CONTEXT).map(({ name }) => name)
}

test('CFG-12 CFG-13 CFG-14 CFG-15 CONST-10 Q80 a new encoder starts from the template', () => {
  const tree = configTree(newValues('Camera'))
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
  expect(configTree(valuesOf(withPeriod))).toEqual(stored)
})

test('CFG-06 the name follows the card index', () => {
  const { values } = after(START, edit('card-idx', '2'))
  expect(nameOf(values)).toBe('encoder2')
  expect(configTree(values)['name']).toBe('encoder2')
})

test('CFG-16 mp2 takes the fields of aac away and brings its own', () => {
  const aac = after(START, edit('audio-stream.format', 'aac'))
  const tree = configTree(after(aac, edit('audio-stream.format', 'mp2')).values)
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
  const tree = configTree(after(START, edit('audio-stream.format', 'aac')).values)
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
  const fields = after(START, edit('video-format', other), edit('video-format', format)).values
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

test('a preset counts the fields that it changed beside the format, and says why', () => {
  const state = after(START, edit('video-format', '720p50'))
  expect(state.bulk).toMatchObject({ title: '720p50', kind: 'preset', count: 6 })
  expect(changesOf(state, CONTEXT).map(({ label, why }) => [label, why])).toEqual([
    ['Video format', ''],
    ['Level', 'preset'],
    ['Width', 'preset'],
    ['Bitrate', 'preset'],
    ['VBV max rate', 'preset'],
    ['VBV buffer size', 'preset'],
    ['Audio bitrate', 'preset'],
  ])
})

test('a preset is undone, except what was typed after it', () => {
  const state = after(START, edit('video-format', 'pal'), edit('video-stream.keyint', '12'), {
    step: 'undo',
  })
  expect(changesOf(state, CONTEXT).map(({ name, after: now }) => [name, now])).toEqual([
    ['video-stream.keyint', '12'],
  ])
  expect(state.bulk).toBeNull()
})

test('CFG-22 the video bitrate sets vbv-maxrate', () => {
  const state = after(START, edit('video-stream.bitrate', '3000'))
  expect(state.values['video-stream.vbv-maxrate']).toBe('3000')
  expect(wasText(CONFIG_FORM, state, 'video-stream.vbv-maxrate', CONTEXT)).toBe(
    'follows bitrate, was 4000',
  )
  expect(wasText(CONFIG_FORM, state, 'video-stream.bitrate', CONTEXT)).toBe('was 4000')
})

test('CFG-24 Q77 a calculated video bitrate sets vbv-maxrate as well', () => {
  const fields = after(START, calculated(START, 'video')).values
  expect(fields['video-stream.bitrate']).toBe('3668')
  expect(fields['video-stream.vbv-maxrate']).toBe('3668')
})

test('CFG-25 CFG-26 audio bitrate and mux rate are calculated from the other two', () => {
  const smaller = after(
    START,
    edit('video-stream.bitrate', '3668'),
    edit('audio-stream.bitrate', '64'),
  )
  const audio = after(smaller, calculated(smaller, 'audio'))
  expect(audio.values['audio-stream.bitrate']).toBe('256')
  const mux = after(START, calculated(START, 'mux'))
  expect(mux.values['muxer.ts-muxrate']).toBe('4881121')
})

test('Q76 nothing is calculated while one of the other two is not a number', () => {
  const state = after(START, edit('audio-stream.bitrate', ''))
  expect(calculate(state.values, 'video')).toBeNull()
})

test('the PCR PID follows a video PID that it was equal to', () => {
  const together = after(START, edit('video-stream.pid', '600'))
  expect(together.values['muxer.pcr-pid']).toBe('600')
  const apart = after(START, edit('muxer.pcr-pid', '700'), edit('video-stream.pid', '600'))
  expect(apart.values['muxer.pcr-pid']).toBe('700')
})

test('CFG-36 CFG-37 outputs are added, edited and removed', () => {
  const state = after(
    START,
    outputs(NEW_OUTPUT, NEW_OUTPUT),
    outputs(NEW_OUTPUT, { ...NEW_OUTPUT, type: 'rtp', host: '239.10.4.1' }),
  )
  expect(configTree(state.values)['output']).toEqual([
    { type: 'udp', target: 'udp://127.0.0.1:5000?ttl=12' },
    { type: 'rtp', target: 'rtp://239.10.4.1:5000?ttl=12' },
  ])
  expect(changesOf(state, CONTEXT)).toMatchObject([
    { label: 'Output 2', before: '–', after: 'rtp://239.10.4.1:5000?ttl=12' },
  ])
  const single = after(state, outputs(...state.values.output.slice(1)))
  expect(single.values.output).toHaveLength(1)
  expect(tabsOf(CONFIG_FORM, changedNames(single))).toEqual(new Set(['output']))
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
  const state = after(START, {
    step: 'apply',
    change: templateTexts(settings),
    title: 'Demo',
    kind: 'template',
  })
  expect(configTree(state.values)).toMatchObject({
    ...settings,
    title: 'Camera',
    'card-idx': 0,
    output: [{ type: 'udp', target: 'udp://127.0.0.1:5000?ttl=12' }],
  })
  expect(after(state, { step: 'undo' }).values).toEqual(START.values)
})

test('decisions 16 untouched fields follow what somebody else saved', () => {
  const mine = after(START, edit('video-stream.keyint', '12'))
  const theirs = { ...START.base, title: 'Theirs', 'video-stream.level': '4.1' }
  const state = after(mine, { step: 'read', values: theirs, version: 2 })
  expect(state.version).toBe(2)
  expect(linesOf(state)).toEqual([
    ['title', 'Camera', 'Theirs', 'Theirs', false],
    ['video-stream.level', '4.2', '4.1', '4.1', false],
  ])
  expect(changedNames(state)).toEqual(['video-stream.keyint'])
})

const MINE = after(START, edit('video-stream.keyint', '12'), edit('title', 'Mine'))
const CLASHED = after(MINE, {
  step: 'read',
  values: { ...START.base, 'video-stream.keyint': '25' },
  version: 2,
})

test('decisions 16 a field that both changed shows was, theirs and mine', () => {
  expect(linesOf(CLASHED)).toEqual([['video-stream.keyint', '50', '25', '12', true]])
})

test.each([
  ['take-theirs', '25', ['title']],
  ['keep-mine', '12', ['title', 'video-stream.keyint']],
] as const)('decisions 16 %s leaves everything else as it was typed', (step, keyint, changed) => {
  const state = after(CLASHED, { step })
  expect(state.values['video-stream.keyint']).toBe(keyint)
  expect(state.news).toBeNull()
  expect(changedNames(state)).toEqual(changed)
})

test('a new version with the same configuration is taken silently', () => {
  const state = after(MINE, { step: 'read', values: MINE.base, version: 5 })
  expect([state.version, state.news]).toEqual([5, null])
  expect(after(state, { step: 'read', values: newValues('Old'), version: 4 })).toBe(state)
})

test('the text of the configuration marks the lines that changed', () => {
  const state = after(START, edit('video-stream.keyint', '12'), outputs(NEW_OUTPUT, NEW_OUTPUT))
  const lines = textLines(state.base, state.values)
  expect(JSON.parse(lines.map(({ text }) => text).join('\n'))).toEqual(configTree(state.values))
  expect(lines.filter(({ isChanged }) => isChanged).map(({ text }) => text.trim())).toEqual([
    '"keyint": 12,',
    '{',
    '"type": "udp",',
    '"target": "udp://127.0.0.1:5000?ttl=12"',
    '}',
  ])
})
