import { expect, test } from 'vitest'
import { CODE_CHARACTERS, codeFrom, readCode } from './enrolment-code.rules.ts'

const values = Uint8Array.from({ length: CODE_CHARACTERS }, (_, index) => index + 224)

test('T11 a code has 20 characters of 5 bits, in groups that can be typed', () => {
  expect(codeFrom(values)).toBe('01234-56789-ABCDE-FGHJK')
})

test.each(['01234-56789-ABCDE-FGHJK', ' 01234 56789 abcde fghjk ', 'ol234-56789-ABCDE-FGHJK'])(
  '%j is read as the code that was made',
  (typed) => {
    expect(readCode(typed)).toBe('0123456789ABCDEFGHJK')
  },
)

test.each(['', '01234-56789-ABCDE-FGHJ', '01234-56789-ABCDE-FGHJU', '01234-56789-ABCDE-FGHJK0'])(
  '%j is no code',
  (typed) => {
    expect(readCode(typed)).toBeNull()
  },
)
