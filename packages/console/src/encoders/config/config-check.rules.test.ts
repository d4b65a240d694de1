import { expect, test } from 'vitest'
import { calculationFault, faultNameOf, faultsOf } from './config-check.rules.ts'
import type { ConfigValues, FieldName, OutputValues } from './config-field.rules.ts'
import { NEW_OUTPUT, newValues } from './config-values.rules.ts'

const WELL = newValues('Camera')

function withField(name: FieldName, text: string): ConfigValues {
  return { ...WELL, [name]: text }
}

function withOutputs(...parts: readonly Partial<OutputValues>[]): ConfigValues {
  return { ...WELL, output: parts.map((part) => ({ ...NEW_OUTPUT, ...part })) }
}

test('CFG-12 the template has no errors', () => {
  expect(faultsOf(WELL, [])).toEqual({})
})

test.each([
  ['CFG-38', 'audio-stream.bitrate', 'abc', 'Bitrate must be 32 to 384 kbit/s.'],
  ['CFG-40', 'audio-stream.bitrate', '', 'Bitrate must be 32 to 384 kbit/s.'],
  ['CFG-40', 'video-stream.threads', '65', 'Threads must be 1 to 64 threads.'],
  ['CFG-40', 'video-stream.pid', '31', 'Video PID must be a PID between 32 and 8186.'],
  ['CFG-40', 'muxer.pcr-period', '101', 'PCR period must be 10 to 100 ms.'],
  ['CFG-40', 'title', ' ', 'Title must not be empty. Type at least one character.'],
  ['CFG-40', 'audio-stream.lang', 'ENG', 'Lang must be three lowercase letters such as eng.'],
] as const)('%s %s %j says: %s', (_, name, text, sentence) => {
  expect(faultsOf(withField(name, text), [])).toEqual({ [name]: sentence })
})

test('Q84 both fields of a PID clash say whose it is', () => {
  expect(faultsOf(withField('audio-stream.pid', '256'), [])).toEqual({
    'audio-stream.pid': '256 is the PMT PID too. Change one of them.',
    'muxer.pmt-pid': '256 is the audio PID too. Change one of them.',
  })
})

test('errors are in the order of the form', () => {
  const clash = withField('audio-stream.pid', '256')
  const faulty = { ...clash, 'muxer.ts-id': '0', title: '', output: [] }
  expect(Object.keys(faultsOf(faulty, []))).toEqual([
    'title',
    'audio-stream.pid',
    'muxer.ts-id',
    'muxer.pmt-pid',
    'output',
  ])
})

test('CFG-27 a width of another format is refused with the widths of this one', () => {
  expect(faultsOf(withField('video-stream.width', '720'), [])).toEqual({
    'video-stream.width': 'Width 720 is not one of 1080i50. Choose 1280 or 1920.',
  })
})

test('a card that another encoder has is refused by its owner’s name', () => {
  const taken = [{ cardIdx: 0, title: 'Camera b' }]
  expect(faultsOf(WELL, taken)).toEqual({
    'card-idx': 'Card 0 belongs to Camera b. Choose another.',
  })
  expect(faultsOf(withField('card-idx', '1'), taken)).toEqual({})
  expect(faultsOf(WELL, [{ cardIdx: 0, title: '' }])['card-idx']).toContain('another group')
})

test.each([
  ['CFG-39', { port: '80' }, 'output.0.port', 'Port must be a port between 1024 and 65535.'],
  ['CFG-11', { host: '{ip}' }, 'output.0.host', 'IP must be an IPv4 address such as 192.0.2.10.'],
  ['Q86', { ttl: '256' }, 'output.0.ttl', 'TTL must be 0 to 255, such as 12.'],
] as const)(
  '%s an invalid part of an output has its error at that part',
  (_, part, name, sentence) => {
    expect(faultsOf(withOutputs(part), [])).toEqual({ [name]: sentence })
  },
)

test('CFG-37 two outputs to the same target, and no output at all', () => {
  expect(faultsOf(withOutputs({}, { type: 'rtp', ttl: '1' }), [])).toEqual({
    'output.1.host': 'Output 1 sends to 127.0.0.1:5000 already. Choose another target.',
  })
  expect(faultsOf(withOutputs(), [])).toEqual({
    output: 'Output Settings must hold at least one output.',
  })
})

test.each([
  ['audio', 0, 'would be below 0'],
  ['audio', 12, 'would be 12: must be 32 to 384 kbit/s.'],
  ['video', 3668, ''],
  ['mux', null, 'needs numbers in the other two'],
] as const)('Q77 %s calculated as %s: %s', (which, result, sentence) => {
  expect(calculationFault(which, result)).toBe(sentence)
})

test.each([
  ['config.video-stream.bitrate', 'video-stream.bitrate'],
  ['config.output.0.target', 'output.0.port'],
  ['config.output.9.target', 'output'],
  ['version', null],
] as const)('the API’s %s is the form’s %s', (field, name) => {
  expect(faultNameOf(field, WELL)).toBe(name)
})
