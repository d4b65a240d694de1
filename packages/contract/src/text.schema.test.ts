import { expect, test } from 'vitest'
import {
  Description,
  Email,
  HostName,
  isMulticast,
  Passphrase,
  Port,
  RemotePort,
  HostText,
  Title,
} from './text.schema.ts'

function sentence(
  schema: { safeParse(value: unknown): { error?: { issues: { message: string }[] } | undefined } },
  value: unknown,
) {
  return schema.safeParse(value).error?.issues[0]?.message ?? 'accepted'
}

test('titles take quotes and shell characters as ordinary text', () => {
  expect(Title.parse(` it's "x" ; rm -rf $(y) %s #z `)).toBe(`it's "x" ; rm -rf $(y) %s #z`)
})

test('titles refuse line breaks, emptiness and 10,000 characters, each with its fix', () => {
  expect(sentence(Title, 'a\nb')).toMatch(/one line/)
  expect(sentence(Title, 'a\u2028b')).toMatch(/one line/)
  expect(sentence(Title, '   ')).toMatch(/must not be empty/)
  expect(sentence(Title, 'x'.repeat(10_000))).toMatch(/at most 120/)
})

test('T1 names and addresses that look empty, or like another, are refused', () => {
  for (const name of [
    '\u200b',
    'North\u200b',
    '\u202egpj.exe',
    'a\u2066b',
    'So\u00adfia',
    '\ud800',
  ]) {
    expect(sentence(Title, name)).toMatch(/invisible/)
    expect(sentence(Email, `${name}@b.cc`)).toBe('Please enter a valid email')
  }
  expect(sentence(Title, 'a\u009b31m')).toMatch(/one line/)
  expect(sentence(Email, 'a\u0001@b.cc')).toBe('Please enter a valid email')
  for (const name of ['👩‍🔧 Zoë', 'می‌خواهم', '東京']) expect(Title.parse(name)).toBe(name)
})

test('IN-FORM-24 ports are taken as number or digits, refused out of range and of wrong type', () => {
  expect(Port.parse('6000')).toBe(6000)
  expect(Port.parse(65_535)).toBe(65_535)
  for (const bad of [0, 80, 65_536, -1, 6000.5, '6000x', '', true, null, [6000]]) {
    expect(sentence(Port, bad)).toMatch(/port between 1024 and 65535/)
  }
})

test('SRV-08 a port that we connect to may be any, one that our tools listen on starts at 1024', () => {
  for (const port of [1, 80, 443, 1023]) {
    expect(RemotePort.parse(port)).toBe(port)
    expect(sentence(Port, port)).toMatch(/port between 1024 and 65535/)
  }
  for (const bad of [0, 65_536, -1, 80.5, 'http', '', null]) {
    expect(sentence(RemotePort, bad)).toBe('must be a port between 1 and 65535.')
  }
})

test('AUTH-04 email pattern', () => {
  expect(Email.parse(' A@B.co ')).toBe('a@b.co')
  for (const bad of ['abc', 'a@b', '@b.co', 'a b@c.de', 'a@b..c']) {
    expect(sentence(Email, bad)).toBe('Please enter a valid email')
  }
})

test('hosts carry nothing that could end a command line or a URI', () => {
  expect(HostName.parse('gw-west-02.example.org')).toBe('gw-west-02.example.org')
  for (const bad of ['a b', 'a;b', 'a:80', 'http://a', '-a', 'a&mode=listener', '']) {
    expect(HostName.safeParse(bad).success).toBe(false)
  }
})

test('T7 a host that ends in a number must be a full IPv4 address', () => {
  for (const bad of [
    '192.0.2.300',
    '1.2.3',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    'a.0x',
  ]) {
    expect(sentence(HostName, bad)).toMatch(/IPv4 address such as/)
  }
  for (const good of ['192.0.2.30', 'gw7', '7.example', '0x7f.example.org']) {
    expect(HostName.parse(good)).toBe(good)
  }
})

test('decisions 13 passphrases keep to the alphabet both tools take', () => {
  expect(Passphrase.safeParse('abc.DEF_1~-').success).toBe(true)
  for (const bad of ['short', 'x'.repeat(80), 'abcdefghij&mode=listener', 'abcdefghi j']) {
    expect(sentence(Passphrase, bad)).toMatch(/10 to 79 characters/)
  }
})

test('multicast is 224 to 239', () => {
  expect(['223.1.1.1', '224.0.0.1', '239.255.1.1', '240.0.0.1'].map(isMulticast)).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('T1 a description keeps its lines, and loses control characters and direction marks', () => {
  const escape = String.fromCodePoint(0x1b)
  const override = String.fromCodePoint(0x202e)
  const typed = `Gate 4${escape}[31m,\n\tsouth${override} side\u200b 🎥`
  expect(Description.parse(typed)).toBe('Gate 4[31m,\n\tsouth side 🎥')
})

test('T1 a text of a host is one line without control characters', () => {
  const override = String.fromCodePoint(0x202e)
  expect(HostText.parse(`Connection${override} refused\nby peer`)).toBe(
    'Connection refused by peer',
  )
})
