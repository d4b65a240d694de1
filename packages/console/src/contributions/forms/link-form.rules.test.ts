import { expect, test } from 'vitest'
import { specOf } from '../../forms/field.rules.ts'
import {
  beginState,
  type FormAction,
  type FormState,
  reducerOf,
} from '../../forms/form-state.rules.ts'
import { newsLines } from '../../forms/merge.rules.ts'
import { inputOf } from '../../test/link.samples.ts'
import type { FieldName, LinkValues } from './link-field.rules.ts'
import {
  capWarning,
  changesOf,
  destinationTexts,
  LINK_FORM,
  LINK_RULES,
} from './link-form.rules.ts'
import { draftOf, newInputValues, newOutputValues, readOf } from './link-values.rules.ts'

type State = FormState<LinkValues>
type Action = FormAction<LinkValues>

const reduce = reducerOf(LINK_RULES)
const newInput = () => beginState({ values: newInputValues('s', 'g'), version: null })
const newOutput = () => beginState({ values: newOutputValues('i'), version: null })
const known = () => beginState(readOf(inputOf('a', { inputType: 'SRT' })))

function edit(state: State, name: FieldName, text: string): State {
  return reduce(state, { step: 'edit', change: { [name]: text } })
}

function after(state: State, ...actions: Action[]): LinkValues {
  return actions.reduce(reduce, state).values
}

test('IN-FORM-05 CONST-13 aCANFeeder starts with port 6000, and drops it when another type is chosen', () => {
  const feeder = edit(newInput(), 'inputType', 'aCANFeeder')
  expect(feeder.values['config.port']).toBe('6000')
  expect(edit(feeder, 'inputType', 'RIST').values['config.port']).toBe('')
  const typed = edit(edit(newInput(), 'config.port', '7000'), 'inputType', 'aCANFeeder')
  expect(typed.values['config.port']).toBe('7000')
  const saved = edit(edit(known(), 'inputType', 'aCANFeeder'), 'inputType', 'SRT')
  expect(saved.values['config.port']).toBe('6002')
})

test('OUT-FORM-08 an offered listening port is not used as the port of the far end, and is offered again', () => {
  const listening = edit(newOutput(), 'config.mode', 'Listen')
  const offered = reduce(listening, { step: 'offer', change: { 'config.port': '6008' } })
  const pushing = edit(offered, 'config.mode', 'Push')
  expect(pushing.values['config.port']).toBe('')
  expect(pushing.base['config.port']).toBe('')
  expect(edit(pushing, 'config.mode', 'Listen').values['config.port']).toBe('6008')
  const typed = edit(edit(offered, 'config.port', '7000'), 'config.mode', 'Push')
  expect(typed.values['config.port']).toBe('7000')
})

test('IN-FORM-13 Q163 choosing SRT sets the host to Any, and clears the far end', () => {
  const typed = edit(edit(newInput(), 'inputType', 'RIST'), 'config.host', '192.0.2.1')
  expect(edit(typed, 'inputType', 'SRT').values['config.host']).toBe('')
  const far = edit(edit(newOutput(), 'inputType', 'RIST'), 'config.host', '192.0.2.1')
  expect(edit(far, 'inputType', 'SRT').values['config.host']).toBe('')
})

test('IN-FORM-14 choosing RIST clears the advanced parameters; what it shows comes back with another type', () => {
  const list = [{ key: 'mss', value: '1400' }]
  const set = reduce(newInput(), { step: 'edit', change: { advanced: list } })
  expect(edit(set, 'inputType', 'RIST').values.advanced).toEqual([])
  const local = edit(set, 'inputType', 'Local')
  expect(draftOf(local.values, local.base)['advanced']).toEqual([])
  expect(edit(local, 'inputType', 'SRT').values.advanced).toEqual(list)
})

test('IN-FORM-18 no encryption resets the size of the key to 128 and clears the passphrase', () => {
  const fields = after(
    newInput(),
    { step: 'edit', change: { 'encryption.selection': 'yes' } },
    { step: 'edit', change: { 'encryption.type': '256' } },
    { step: 'edit', change: { 'encryption.passphrase': 'a-long-enough-one' } },
    { step: 'edit', change: { 'encryption.selection': 'no' } },
  )
  expect(fields).toMatchObject({ 'encryption.type': '128', 'encryption.passphrase': '' })
})

test('Q152 a destination with a key prefills encryption; one without leaves it as it is', () => {
  const destination = { id: 'd', ip: '203.0.113.80', keyBits: 256 } as const
  const chosen = after(newOutput(), { step: 'edit', change: destinationTexts(destination) })
  expect(chosen).toMatchObject({
    destinationId: 'd',
    'config.host': '203.0.113.80',
    'encryption.selection': 'yes',
    'encryption.type': '256',
  })
  const clear = after(newOutput(), {
    step: 'edit',
    change: destinationTexts({ ...destination, keyBits: 0 }),
  })
  expect(clear['encryption.selection']).toBe('no')
})

test('IN-FORM-11 Q165 an offer fills an empty field only, and does not count as a change of a new link', () => {
  const offer: Action = { step: 'offer', change: { 'config.multicast': '239.255.0.9' } }
  const offered = reduce(newInput(), offer)
  expect(offered.values['config.multicast']).toBe('239.255.0.9')
  expect(offered.base).toEqual(offered.values)
  const typed = edit(newInput(), 'config.multicast', '239.1.1.1')
  expect(after(typed, offer)['config.multicast']).toBe('239.1.1.1')
  expect(after(known(), offer)['config.multicast']).toBe('239.77.2.1')
})

test('Q179 a Local input names its own group: the offered one goes, and comes back', () => {
  const offered = reduce(newInput(), {
    step: 'offer',
    change: { 'config.multicast': '239.255.0.9' },
  })
  const local = edit(offered, 'inputType', 'Local')
  expect(local.values['config.multicast']).toBe('')
  expect(edit(local, 'inputType', 'SRT').values['config.multicast']).toBe('239.255.0.9')
})

test('a field that a type does not show is saved as stored, not as typed for another type', () => {
  const rist = edit(edit(known(), 'inputType', 'RIST'), 'config.bandWidth', '99999999999')
  const srt = edit(edit(rist, 'inputType', 'SRT'), 'config.latency', '500')
  expect(draftOf(srt.values, srt.base)['config']).toMatchObject({
    bandWidth: 625_000,
    latency: 500,
  })
})

test('Q169 RIST Simple is saved without encryption, and Main gets its own back', () => {
  const encrypted = edit(edit(newOutput(), 'inputType', 'RIST'), 'encryption.selection', 'yes')
  const simple = edit(encrypted, 'config.profile', '1')
  expect(draftOf(simple.values, simple.base)['encryption']).toMatchObject({ selection: 'no' })
  const main = edit(simple, 'config.profile', '2')
  expect(draftOf(main.values, main.base)['encryption']).toMatchObject({ selection: 'yes' })
})

test('decisions 16 what was not touched follows, what both changed is a clash until one is chosen', () => {
  const mine = edit(edit(known(), 'config.latency', '500'), 'title', 'Mine')
  const config = { ...inputOf('a').config, latency: 800, ttl: 4 }
  const { values: theirs } = readOf(inputOf('a', { inputType: 'SRT', config }))
  const read = reduce(mine, { step: 'read', values: theirs, version: 2 })
  expect(read.values).toMatchObject({
    title: 'Mine',
    'config.latency': '500',
    'config.ttl': '4',
  })
  const lines = newsLines(LINK_RULES.names, read).map(({ name, isClash, ...sides }) => {
    return [name, sides.was[name], sides.theirs[name], sides.mine[name], isClash]
  })
  expect(lines).toEqual([
    ['config.latency', '300', '800', '500', true],
    ['config.ttl', '1', '4', '4', false],
  ])
  const taken = reduce(read, { step: 'take-theirs' })
  expect(taken.values).toMatchObject({ title: 'Mine', 'config.latency': '800' })
  expect(reduce(read, { step: 'keep-mine' }).values['config.latency']).toBe('500')
  expect(reduce(read, { step: 'read', values: theirs, version: 2 })).toBe(read)
})

test('another operator’s advanced parameters come in where this one has changed none', () => {
  const { values: theirs } = readOf(
    inputOf('a', { inputType: 'SRT', advanced: [{ key: 'mss', value: '1400' }] }),
  )
  const mine = edit(known(), 'title', 'Mine')
  const read = reduce(mine, { step: 'read', values: theirs, version: 2 })
  expect(read.values.advanced).toMatchObject([{ key: 'mss', value: '1400' }])
  expect(read.values.title).toBe('Mine')
})

const WITH_KEY = { 'encryption.selection': 'yes', 'encryption.passphrase': 'longer-than-ten' }

function textsOf(values: LinkValues, change: Partial<LinkValues>): string[] {
  const state = { ...beginState({ values, version: 1 }), values: { ...values, ...change } }
  return changesOf(state, { titleOf: (_, id) => id }).map(
    ({ label, before, after: now }) => `${label}: ${before} → ${now}`,
  )
}

test('what saving changes: a passphrase is as stored only where one is stored', () => {
  const { values: bare } = known()
  expect(textsOf(bare, WITH_KEY)).toContain('Passphrase: none → a new passphrase')
  const stored = { ...bare, hasKey: true }
  expect(textsOf(stored, WITH_KEY)).toContain('Passphrase: as stored → a new passphrase')
})

test('what saving changes: times and rates have their unit, a TTL is a number', () => {
  const { values: base } = known()
  const typed = { 'config.latency': '800', 'config.ttl': '4' }
  expect(textsOf({ ...base, 'config.ttl': '1' }, typed)).toEqual([
    `Latency: ${base['config.latency']} ms → 800 ms`,
    'TTL: 1 → 4',
  ])
})

test('what saving changes: an empty parameter is no difference', () => {
  const { values: base } = known()
  expect(textsOf(base, { advanced: [{ key: '', value: ' ' }] })).toEqual([])
  expect(textsOf(base, { advanced: [{ key: 'mss', value: '1400' }] })).toEqual([
    'Advanced parameters: – → mss=1400',
  ])
})

function hintOf(name: FieldName, parts: Partial<LinkValues>): string {
  const { hint } = specOf(LINK_FORM, name)
  const values = { ...newInputValues('s', 'g'), ...parts }
  const view = { values, context: { titleOf: () => '' }, isFaulty: false }
  return typeof hint === 'function' ? hint(view) : (hint ?? '')
}

test.each<[string, FieldName, string, string]>([
  ['SRT', 'config.maxBandWidth', '5000', '= 5.0 Mbit/s'],
  ['SRT', 'config.maxBandWidth', '0', 'No cap.'],
  ['RIST', 'config.bandWidth', '625000', '= 625 Mbit/s'],
  ['RIST', 'config.bandWidth', '4500', '= 4.5 Mbit/s'],
  ['SRT', 'config.latency', '3000', 'Safe up to RTT 750 ms'],
  ['SRT', 'config.latency', '9', '20 to 30000 ms.'],
])('Q172 %s %s of %s means %s', (inputType, name, typed, meaning) => {
  expect(hintOf(name, { inputType, [name]: typed })).toBe(meaning)
})

test('M10 RIST Simple wants an even port', () => {
  expect(hintOf('config.port', { inputType: 'RIST', 'config.profile': '1' })).toMatch(/even/)
  expect(hintOf('config.port', {})).toBe('')
})

test('M6 a cap below what the stream has now is warned of; RIST has none', () => {
  const warning = (parts: Partial<LinkValues>, carriedKbps: number | null) =>
    capWarning({ ...newInputValues('s', 'g'), ...parts }, carriedKbps)
  expect(warning({}, 8100)).toBe(
    'Max bandwidth caps this link at 5.0 Mbit/s; the stream has 8.1 Mbit/s. Packets above the cap are dropped.',
  )
  expect(warning({}, 4000)).toBe('')
  expect(warning({}, null)).toBe('')
  expect(warning({ 'config.maxBandWidth': '0' }, 8100)).toBe('')
  expect(warning({ inputType: 'RIST' }, 8100)).toBe('')
})
