import { expect, test } from 'vitest'
import { ownScript, plainText } from './trusted-types.ts'

const PAGE = new URL('https://console.example/dashboard')

test('T13 text with a tag is not markup, style text is', () => {
  expect(() => plainText('<img src=x onerror=alert(1)>')).toThrow(/not allowed/)
  const style = ':root { --gap: 4px } @media (width >= 640px) { a > b { color: red } }'
  expect(plainText(style)).toBe(style)
})

test.each([
  '/assets/live.worker-1a2b.js',
  'https://console.example/assets/x.js',
  'blob:https://console.example/6c1e',
])('T13 %s is a script of this page', (address) => {
  expect(ownScript(address, PAGE)).toBe(address)
})

test.each([
  'https://elsewhere.example/x.js',
  'http://console.example/x.js',
  '//elsewhere.example/x.js',
  'data:text/javascript,alert(1)',
  'javascript:alert(1)',
  'blob:https://elsewhere.example/6c1e',
  'blob:null/6c1e',
])('T13 %s is none', (address) => {
  expect(() => ownScript(address, PAGE)).toThrow(/not allowed/)
})
