import { expect, test } from 'vitest'
import { plainSentence } from './plain-sentence.ts'

test.each([
  ['a sentence stays as it is', 'Port 5040 is taken. Choose another.', null],
  [
    'a sentence that speaks of a value named undefined stays',
    "audio-type 'undefined' is set.",
    null,
  ],
  ['a sentence with the word at stays', 'No answer from 203.0.113.20:6022.', null],
  ['nothing', '', ''],
  [
    'the message of a stack of Node',
    'Error: The disk is full.\n    at save (/srv/api/store.ts:12:5)\n    at async run (node:internal:3:1)',
    'Error: The disk is full.',
  ],
  [
    'a stack in one line',
    'The disk is full. at save (/srv/api/store.ts:12:5) at run',
    'The disk is full.',
  ],
  [
    'a stack before its message',
    '    at save (/srv/a.ts:12:5)\nThe disk is full.',
    'The disk is full.',
  ],
  [
    'a stack of Python',
    'Traceback (most recent call last):\n  File "agent.py", line 3, in run\nThe disk is full.',
    'The disk is full.',
  ],
  [
    'a stack of a browser',
    'save@https://console.test/a.js:1:2\nThe disk is full.',
    'The disk is full.',
  ],
  ['a stack alone', '    at save (/srv/api/store.ts:12:5)', ''],
  ['an object', '[object Object]', ''],
  ['an object within a sentence', 'Failed: [object Object]', ''],
  ['no value', 'undefined', ''],
  ['an error of the program', "TypeError: Cannot read properties of undefined (reading 'id')", ''],
])('ERR-47 %s', (_, text, shown) => {
  expect(plainSentence(text)).toBe(shown ?? text)
})
