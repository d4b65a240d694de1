import { expect, test } from 'vitest'
import { networkOf, siteOf } from './network.rules.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:1:aaaa::1', '2001:db8:0:1::/64'],
  ['2001:0DB8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['2001:db8:0:2::1', '2001:db8:0:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('T6 the guest at %s is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test.each([
  ['192.0.2.1', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:7:1:aaaa::1', '2001:db8:7::/48'],
  ['2001:0DB8::1:2:3:4:5', '2001:db8:0::/48'],
  ['', ''],
])('T6 the network around %s is %s', (ip, site) => {
  expect(siteOf(ip)).toBe(site)
})
