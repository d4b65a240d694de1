import { expect, test } from 'vitest'
import { inputOf } from '../../test/link.samples.ts'
import type { FieldName } from './link-field.rules.ts'
import { newsLines } from './link-merge.rules.ts'
import { beginState, type LinkState, type LinkAction, reduce } from './link-state.rules.ts'
import { inputValuesOf, newInputValues, newOutputValues, treeOf } from './link-values.rules.ts'

const newInput = () => beginState(newInputValues('s', 'g'), 0)
const newOutput = () => beginState(newOutputValues('i'), 0)
const known = () => beginState(inputValuesOf(inputOf('a', { inputType: 'SRT' })), 1)

function edit(state: LinkState, name: FieldName, text: string): LinkState {
  return reduce(state, { step: 'edit', name, text })
}

function after(state: LinkState, ...steps: LinkAction[]): LinkState['values']['fields'] {
  return steps.reduce(reduce, state).values.fields
}

test('IN-FORM-05 CONST-13 aCANFeeder begins at port 6000, and leaves it when it is not wanted after all', () => {
  const feeder = edit(newInput(), 'inputType', 'aCANFeeder')
  expect(feeder.values.fields['config.port']).toBe('6000')
  expect(edit(feeder, 'inputType', 'RIST').values.fields['config.port']).toBe('')
  const typed = edit(edit(newInput(), 'config.port', '7000'), 'inputType', 'aCANFeeder')
  expect(typed.values.fields['config.port']).toBe('7000')
  const saved = edit(edit(known(), 'inputType', 'aCANFeeder'), 'inputType', 'SRT')
  expect(saved.values.fields['config.port']).toBe('6002')
})

test('OUT-FORM-08 a free port to listen at is no port of the far end, and is offered again', () => {
  const listening = edit(newOutput(), 'config.mode', 'Listen')
  const offered = reduce(listening, { step: 'offer', name: 'config.port', text: '6008' })
  const pushing = edit(offered, 'config.mode', 'Push')
  expect(pushing.values.fields['config.port']).toBe('')
  expect(pushing.base.fields['config.port']).toBe('')
  expect(edit(pushing, 'config.mode', 'Listen').values.fields['config.port']).toBe('6008')
  const typed = edit(edit(offered, 'config.port', '7000'), 'config.mode', 'Push')
  expect(typed.values.fields['config.port']).toBe('7000')
})

test('IN-FORM-13 Q163 choosing SRT sets the host to Any, and clears the far end', () => {
  const typed = edit(edit(newInput(), 'inputType', 'RIST'), 'config.host', '192.0.2.1')
  expect(edit(typed, 'inputType', 'SRT').values.fields['config.host']).toBe('')
  const far = edit(edit(newOutput(), 'inputType', 'RIST'), 'config.host', '192.0.2.1')
  expect(edit(far, 'inputType', 'SRT').values.fields['config.host']).toBe('')
})

test('IN-FORM-14 choosing RIST clears the advanced parameters; what it shows comes back with another type', () => {
  const list = [{ key: 'mss', value: '1400' }]
  const set = reduce(newInput(), { step: 'advanced', list })
  expect(edit(set, 'inputType', 'RIST').values.advanced).toEqual([])
  const local = edit(set, 'inputType', 'Local')
  expect(treeOf(local.values, local.base)['advanced']).toEqual([])
  expect(edit(local, 'inputType', 'SRT').values.advanced).toEqual(list)
})

test('IN-FORM-18 no encryption resets the size of the key to 128 and clears the passphrase', () => {
  const fields = after(
    newInput(),
    { step: 'edit', name: 'encryption.selection', text: 'yes' },
    { step: 'edit', name: 'encryption.type', text: '256' },
    { step: 'edit', name: 'encryption.passphrase', text: 'a-long-enough-one' },
    { step: 'edit', name: 'encryption.selection', text: 'no' },
  )
  expect(fields).toMatchObject({ 'encryption.type': '128', 'encryption.passphrase': '' })
})

test('Q152 a destination with a key prefills encryption; one without leaves it as it is', () => {
  const destination = { id: 'd', ip: '203.0.113.80', keyBits: 256 } as const
  const chosen = after(newOutput(), { step: 'choose-destination', destination })
  expect(chosen).toMatchObject({
    destinationId: 'd',
    'config.host': '203.0.113.80',
    'encryption.selection': 'yes',
    'encryption.type': '256',
  })
  const clear = after(newOutput(), {
    step: 'choose-destination',
    destination: { ...destination, keyBits: 0 },
  })
  expect(clear['encryption.selection']).toBe('no')
})

test('IN-FORM-11 Q165 an offer fills an empty field only, and is no change of a new link', () => {
  const offer: LinkAction = { step: 'offer', name: 'config.multicast', text: '239.255.0.9' }
  const offered = reduce(newInput(), offer)
  expect(offered.values.fields['config.multicast']).toBe('239.255.0.9')
  expect(offered.base).toEqual(offered.values)
  const typed = edit(newInput(), 'config.multicast', '239.1.1.1')
  expect(after(typed, offer)['config.multicast']).toBe('239.1.1.1')
  expect(after(known(), offer)['config.multicast']).toBe('239.77.2.1')
})

test('Q179 a Local input names its own group: the offered one goes, and comes back', () => {
  const offered = reduce(newInput(), {
    step: 'offer',
    name: 'config.multicast',
    text: '239.255.0.9',
  })
  const local = edit(offered, 'inputType', 'Local')
  expect(local.values.fields['config.multicast']).toBe('')
  expect(edit(local, 'inputType', 'SRT').values.fields['config.multicast']).toBe('239.255.0.9')
})

test('what a type does not show is saved as it was, not as it was typed for another type', () => {
  const rist = edit(edit(known(), 'inputType', 'RIST'), 'config.bandWidth', '99999999999')
  const srt = edit(edit(rist, 'inputType', 'SRT'), 'config.latency', '500')
  expect(treeOf(srt.values, srt.base)['config']).toMatchObject({ bandWidth: 625_000, latency: 500 })
})

test('Q169 RIST Simple is saved without encryption, and Main gets its own back', () => {
  const encrypted = edit(edit(newOutput(), 'inputType', 'RIST'), 'encryption.selection', 'yes')
  const simple = edit(encrypted, 'config.profile', '1')
  expect(treeOf(simple.values, simple.base)['encryption']).toMatchObject({ selection: 'no' })
  const main = edit(simple, 'config.profile', '2')
  expect(treeOf(main.values, main.base)['encryption']).toMatchObject({ selection: 'yes' })
})

test('decisions 16 what was not touched follows, what both changed is a clash until one is chosen', () => {
  const mine = edit(edit(known(), 'config.latency', '500'), 'title', 'Mine')
  const config = { ...inputOf('a').config, latency: 800, ttl: 4 }
  const theirs = inputValuesOf(inputOf('a', { inputType: 'SRT', config }))
  const read = reduce(mine, { step: 'read', values: theirs, version: 2 })
  expect(read.values.fields).toMatchObject({
    title: 'Mine',
    'config.latency': '500',
    'config.ttl': '4',
  })
  expect(newsLines(read)).toEqual([
    { name: 'config.latency', was: '300', theirs: '800', mine: '500', isClash: true },
    { name: 'config.ttl', was: '1', theirs: '4', mine: '4', isClash: false },
  ])
  const taken = reduce(read, { step: 'take-theirs' })
  expect(taken.values.fields).toMatchObject({ title: 'Mine', 'config.latency': '800' })
  expect(reduce(read, { step: 'keep-mine' }).values.fields['config.latency']).toBe('500')
  expect(reduce(read, { step: 'read', values: theirs, version: 2 })).toBe(read)
})

test('another operator’s advanced parameters come in where this one has changed none', () => {
  const theirs = inputValuesOf(
    inputOf('a', { inputType: 'SRT', advanced: [{ key: 'mss', value: '1400' }] }),
  )
  const mine = edit(known(), 'title', 'Mine')
  const read = reduce(mine, { step: 'read', values: theirs, version: 2 })
  expect(read.values.advanced).toMatchObject([{ key: 'mss', value: '1400' }])
  expect(read.values.fields.title).toBe('Mine')
})
