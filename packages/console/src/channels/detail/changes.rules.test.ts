import type { AuditEntry } from '@trunkline/contract/audit/audit.schema'
import { expect, test } from 'vitest'
import { lineOf } from '../../test/audit.samples.ts'
import { changeText, whenText } from './changes.rules.ts'

const pushes = [
  { url: 'rtmp://192.0.2.1/a', disabled: false },
  { url: 'rtmp://192.0.2.2/b', disabled: true },
]

test.each<[string, Partial<AuditEntry>]>([
  ['Switched off', { call: 'channels.changeStatus', after: { disabled: true } }],
  ['Switched on', { call: 'channels.changeStatus', after: { disabled: false } }],
  ['Switched push outputs, 1 of 2 on', { call: 'channels.changeStatus', after: { pushes } }],
  ['Switched source to udp://239.1.1.1:5000', selected('udp://239.1.1.1:5000')],
  ['Renamed to Arena', { call: 'channels.rename', after: { title: 'Arena' } }],
  ['Restarted', { call: 'channels.restart' }],
  ['Restart, failed', { call: 'channels.restart', result: 'failed' }],
  ['Switch off, refused', { ...off(), result: 'refused' }],
  ['Switched', { call: 'channels.changeStatus', after: 'as nobody writes it' }],
  ['channels.unheardOf', { call: 'channels.unheardOf' }],
])('a line of the record of a channel: %s', (text, parts) => {
  expect(changeText(lineOf('a', parts))).toBe(text)
})

function selected(input: string): Partial<AuditEntry> {
  return { call: 'channels.selectInput', after: { input } }
}

function off(): Partial<AuditEntry> {
  return { call: 'channels.changeStatus', after: { disabled: true } }
}

test('the time of today, the day of any other', () => {
  const nowMs = Date.parse('2026-11-22T00:30:00Z')
  expect(whenText('2026-11-22T00:10:05.000Z', nowMs)).toBe('00:10')
  expect(whenText('2026-11-21T23:59:00.000Z', nowMs)).toBe('21 Nov')
})
