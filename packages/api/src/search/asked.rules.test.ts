import { expect, test } from 'vitest'
import { readAsked } from './asked.rules.ts'

test.each([
  ['5000', 5000, null],
  ['0', null, null],
  ['65536', null, null],
  ['192.0.2.1:5000', null, { address: '192.0.2.1', port: 5000 }],
  ['192.0.2.1:70000', null, null],
  ['Camera 1', null, null],
] as const)('%s is read as a port, or as an address with its port', (text, port, place) => {
  expect(readAsked(` ${text} `)).toEqual({ text, port, place })
})
