import { expect, test } from 'vitest'
import type { LinkKind } from '../link.rules.ts'
import { faultNameOf, faultsOf, refusalOf } from './link-check.rules.ts'
import type { FieldName, LinkValues } from './link-field.rules.ts'
import { draftOf, newInputValues, newOutputValues } from './link-values.rules.ts'

type Texts = Partial<Record<FieldName, string>>

function values(kind: LinkKind, texts: Texts, parts: Partial<LinkValues> = {}): LinkValues {
  const begun = kind === 'input' ? newInputValues('s', 'g') : newOutputValues('i')
  const well: Texts = { title: 'A link', 'config.port': '6010', 'config.multicast': '239.255.0.9' }
  return { ...begun, ...parts, ...well, ...texts }
}

function faults(kind: LinkKind, texts: Texts, parts: Partial<LinkValues> = {}, hasKey = false) {
  const given = values(kind, texts, parts)
  return faultsOf(given, given, hasKey)
}

const PUSH = { 'config.mode': 'Push', 'config.host': '203.0.113.80' } as const
const RIST = { inputType: 'RIST' } as const
const KEY = { 'encryption.selection': 'yes' } as const

test('a valid form has no errors', () => {
  expect(faults('input', {})).toEqual({})
  expect(faults('output', PUSH)).toEqual({})
  expect(faults('input', { inputType: 'Local' })).toEqual({})
})

test.each<[string, LinkKind, Texts, string, RegExp]>([
  ['Q181', 'input', { title: ' ' }, 'title', /^This field is required$/],
  ['IN-FORM-25', 'input', { 'config.port': '' }, 'config.port', /^This field is required$/],
  ['IN-FORM-25', 'input', { 'config.port': '80' }, 'config.port', /^Port must be a port between/],
  ['IN-FORM-23', 'input', { serverId: '' }, 'serverId', /^Server is not selected$/],
  ['DLG-09', 'input', { groupId: '' }, 'groupId', /^Select a group$/],
  ['CON-OUT-12', 'output', { ...PUSH, contributionId: '' }, 'contributionId', /^Select input$/],
  ['Q161', 'input', { 'config.mode': 'Push' }, 'config.host', /needs a host/],
  ['Q163', 'output', { 'config.mode': 'Push' }, 'config.host', /needs a host/],
  ['Q163', 'output', { ...PUSH, 'config.host': 'any' }, 'config.host', /needs a host/],
  ['issue 9', 'output', { ...PUSH, 'config.host': 'a b' }, 'config.host', /must be a host name/],
  ['issue 9', 'output', { ...PUSH, 'config.host': '239.1.1.1' }, 'config.host', /multicast group/],
  ['Q179', 'input', { inputType: 'Local', 'config.multicast': '' }, 'config.multicast', /must be/],
  [
    'M10',
    'input',
    { ...RIST, 'config.profile': '1', 'config.port': '6011' },
    'config.port',
    /even/,
  ],
  ['Q167', 'input', KEY, 'encryption.passphrase', /^This field is required$/],
  [
    'Q167',
    'input',
    { ...KEY, 'encryption.passphrase': 'short' },
    'encryption.passphrase',
    /10 to 79/,
  ],
  ['latency', 'input', { 'config.latency': '5' }, 'config.latency', /20 to 30000 ms/],
])('%s a fault of an %s: %j', (_, kind, texts, field, sentence) => {
  const found = faults(kind, texts)
  expect(Object.keys(found)).toEqual([field])
  expect(found[field]).toMatch(sentence)
})

test('Q167 a stored passphrase, or the destination’s own, is enough', () => {
  expect(faults('input', KEY, { hasKey: true })).toEqual({})
  const chosen = { ...PUSH, ...KEY, destinationId: 'd' }
  expect(faults('output', chosen, {}, true)).toEqual({})
  expect(Object.keys(faults('output', chosen))).toEqual(['encryption.passphrase'])
})

test('a second path needs an address of its own', () => {
  const on = { ...RIST, ...PUSH, 'config.secondPath': '1' } as const
  expect(Object.keys(faults('output', on))).toEqual([
    'config.secondPath.host',
    'config.secondPath.port',
  ])
  const same = { 'config.secondPath.host': '203.0.113.80', 'config.secondPath.port': '6010' }
  expect(faults('output', { ...on, ...same })['config.secondPath.host']).toMatch(/must differ/)
  expect(faults('output', { ...on, ...same, 'config.secondPath.port': '6020' })).toEqual({})
})

test.each<[LinkKind, string]>([
  ['input', 'Advanced params are not configured correctly'],
  ['output', 'Advanced params are not init'],
])('IN-FORM-21 OUT-FORM-12 ERR-44 half a parameter of an %s', (kind, sentence) => {
  for (const line of [
    { key: '', value: '25' },
    { key: 'oheadbw', value: ' ' },
  ]) {
    const given = values(kind, kind === 'output' ? PUSH : {}, { advanced: [line] })
    const found = faultsOf(given, given, false)
    expect(Object.values(found)).toEqual(['This field is required'])
    expect(refusalOf(given, found)).toBe(sentence)
  }
})

test('Q175 unknown and dangerous parameters are refused, limits are said', () => {
  const of = (key: string, value: string) => faults('input', {}, { advanced: [{ key, value }] })
  expect(of('passphrase', 'x')['advanced.0.key']).toBe('This parameter cannot be set here.')
  expect(of('oheadbw', '500')['advanced.0.value']).toMatch(/5 to 100 %/)
  expect(of('streamid', 'a&mode=listener')['advanced.0.value']).toMatch(/must be/)
  expect(of(' OHeadBW ', ' 25 ')).toEqual({})
})

test('IN-FORM-22 IN-FORM-24 OUT-FORM-13 OUT-FORM-21 keys are trimmed, the port of an SRT link is text', () => {
  const advanced = [{ key: ' oheadbw ', value: ' 25 ' }]
  const srt = values('input', {}, { advanced })
  expect(draftOf(srt, srt)).toMatchObject({
    config: { port: '6010' },
    advanced: [{ key: 'oheadbw', value: '25' }],
  })
  const rist = values('input', RIST)
  expect(draftOf(rist, rist)).toMatchObject({ config: { port: 6010 } })
})

test('the fields that the API names have their place in the form', () => {
  const given = values('input', {}, { advanced: [{ key: 'mss', value: '1' }] })
  expect(faultNameOf('config.port', given)).toBe('config.port')
  expect(faultNameOf('config.multicastPort', given)).toBe('config.multicast')
  expect(faultNameOf('advanced.0.value', given)).toBe('advanced.0.value')
  expect(faultNameOf('advanced.4.value', given)).toBeNull()
  expect(faultNameOf('version', given)).toBeNull()
})
