import { expect, test } from 'vitest'
import { deviceOf } from './device.rules.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox (Linux)'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64) ${WEBKIT} Chrome/141.0 Safari/537.36`, 'Chrome (Windows)'],
  [
    `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/141.0 Safari/537.36 Edg/141.0`,
    'Edge (Windows)',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) ${WEBKIT} Version/18 Safari/605`,
    'Safari (macOS)',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${WEBKIT} Safari/604`,
    'Safari (iPhone)',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} Chrome/141.0 Mobile Safari/537.36`,
    'Chrome (Android)',
  ],
  ['curl/8.5.0', 'curl'],
  ['Mozilla/5.0', 'Mozilla'],
  ['<script>alert(1)</script>', ''],
  ['', ''],
])('%s is %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})
