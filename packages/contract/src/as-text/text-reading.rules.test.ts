import { expect, test } from 'vitest'
import { csvCells, csvColumns, csvText } from './csv-columns.rules.ts'
import { SiteNames } from './site-names.ts'
import { KIND_TEXTS } from './text-kinds.rules.ts'
import { KEPT, type StoredObject, type Tree } from './text-object.schema.ts'
import { readText } from './text-reading.rules.ts'

const names = new SiteNames()
names.add('group', ['North'], 'g')
names.add('server', ['Gateway'], 's')
names.add('server', ['Twin'], 't1')
names.add('server', ['Twin'], 't2')

const NEW_INPUT: Tree = {
  group: 'North',
  title: 'Feed',
  server: 'Gateway',
  inputType: 'SRT',
  config: { port: 6000 },
}

function read(typed: Tree, stored: StoredObject | null = null, isWhole = true) {
  const kindText = KIND_TEXTS.input
  return readText({ kindText, typed, isWhole, stored, names, hasSecretElsewhere: false })
}

const WIRE: Tree = {
  _id: 'i',
  title: 'Feed',
  inputType: 'SRT',
  serverId: 's',
  groupId: 'g',
  isEnabled: true,
  config: {
    ...(read(NEW_INPUT).draft?.['config'] as Tree),
    port: '6000',
    multicast: '239.1.2.3',
    multicastPort: 20_000,
    bufferMin: 200,
  },
  encryption: { selection: 'yes', type: 256, passphrase: '', passphraseSet: true },
  advanced: [{ key: 'payloadsize', value: '1316' }],
  version: 4,
}
const STORED: StoredObject = {
  kind: 'input',
  id: 'i',
  version: 4,
  key: ['North', 'Feed'],
  text: KIND_TEXTS.input.textOf(WIRE, names),
  wire: WIRE,
  isEnabled: true,
}

test('a new object is what its form would send, with defaults and ids', () => {
  const { draft, faults } = read(NEW_INPUT)
  expect(faults).toEqual([])
  expect(draft).toMatchObject({
    groupId: 'g',
    serverId: 's',
    config: { port: 6000, mode: 'Listen', latency: 3000 },
    advanced: [],
  })
})

test.each([
  [{ server: 'Twin' }, 'server', "There are 2 servers 'Twin'. Give each a title of its own first."],
  [{ server: 'None' }, 'server', "There is no server 'None' that you may see."],
  [{ config: { port: 99_999 } }, 'config.port', 'config.port must be a port between 1 and 65535.'],
  [{ config: { port: 80 } }, 'config.port', 'config.port must be a port between 1024 and 65535.'],
  [{ config: { port: 6000, mode: 'Push' } }, 'config.host', 'A link in mode Push needs a host.'],
  [{ colour: 'red' }, 'colour', "There is no field 'colour' here. Remove it."],
  [
    { encryption: { selection: 'yes', passphrase: KEPT } },
    'encryption.passphrase',
    'there is no such object yet',
  ],
  [
    { encryption: { selection: 'yes' } },
    'encryption.passphrase',
    'must not be empty while encryption is on.',
  ],
] as const)('%j is refused at %s', (part, field, sentence) => {
  const { draft, faults } = read({ ...NEW_INPUT, ...part })
  expect(draft).toBeNull()
  expect(faults).toHaveLength(1)
  expect(faults[0]).toEqual({ field, sentence: expect.stringContaining(sentence) as string })
})

test('a user of a list that is not there is named once, by what is missing', () => {
  const { faults } = readText({
    kindText: KIND_TEXTS.encoder,
    typed: { group: 'North', title: 'Camera', ip: '192.0.2.1', users: ['nobody@example.com'] },
    isWhole: true,
    stored: null,
    names,
    hasSecretElsewhere: true,
  })
  const sentence = "There is no user 'nobody@example.com' that you may see."
  expect(faults).toEqual([{ field: 'users', sentence }])
})

test('what a table leaves out stays as it is, and what a file leaves out is the default', () => {
  const part = { ...NEW_INPUT, config: { port: 6000, latency: 500 } }
  const change = { field: 'config.latency', from: 3000, to: 500, isSecret: false }
  const inTable = read(part, STORED, false)
  expect(inTable.changes).toEqual([change])
  expect(inTable.draft).toMatchObject({ config: { bufferMin: 200, multicast: '239.1.2.3' } })
  const inFile = read({ ...part, encryption: { selection: 'yes', type: 256 } }, STORED, true)
  expect(inFile.changes).toEqual([
    change,
    { field: 'config.bufferMin', from: 200, to: undefined, isSecret: false },
    { field: 'advanced.payloadsize', from: '1316', to: undefined, isSecret: false },
  ])
  // What the API has filled in is not asked for anew.
  expect(inFile.draft).toMatchObject({ config: { multicast: '239.1.2.3', multicastPort: 20_000 } })
})

test('an empty cell of a new row is the default, as a column that is left out', () => {
  const heads = csvColumns('input')
  const given = new Map(
    Object.entries({
      group: 'North',
      title: 'Feed',
      server: 'Gateway',
      inputType: 'SRT',
      'config.port': '6000',
    }),
  )
  const row = csvText(
    heads,
    heads.map((head) => given.get(head) ?? ''),
  )
  const { draft, faults } = read(row, null, false)
  expect(faults).toEqual([])
  expect(draft).toEqual(read(NEW_INPUT).draft)
  expect(read({ ...row, title: '' }, null, false).faults.map(({ field }) => field)).toEqual([
    'title',
  ])
})

test('an encoder keeps users whom the reader does not see', () => {
  const wire = {
    _id: 'e',
    title: 'Camera',
    ip: '192.0.2.1',
    port: 8000,
    apiKeySet: true,
    description: '',
    location: '',
    physicalAddress: '',
    contactNumber: '',
    email: '',
    groupId: 'g',
    users: ['not-seen'],
    config: null,
    version: 2,
  }
  const kindText = KIND_TEXTS.encoder
  const text = kindText.textOf(wire, names)
  const key = kindText.keyOf(text)
  const stored = { kind: 'encoder', id: 'e', version: 2, key, text, wire, isEnabled: true } as const
  const heads = csvColumns('encoder')
  const readRow = (cells: readonly string[]) =>
    readText({
      kindText,
      typed: csvText(heads, cells),
      isWhole: false,
      stored,
      names,
      hasSecretElsewhere: false,
    })
  const cells = csvCells('encoder', text)
  expect(readRow(cells)).toMatchObject({ changes: [], faults: [] })
  const moved = cells.map((cell, at) => (heads[at] === 'location' ? 'Rack 4' : cell))
  expect(readRow(moved)).toMatchObject({
    changes: [{ field: 'location', to: 'Rack 4' }],
    faults: [],
    draft: { users: ['not-seen'] },
  })
})

test('a new secret is a change that is not shown, and a kept one is none', () => {
  const withKey = (passphrase: string) => ({
    encryption: { selection: 'yes', type: 256, passphrase },
  })
  const base = { ...NEW_INPUT, ...withKey('another-passphrase') }
  expect(read(base, STORED, false)).toMatchObject({
    changes: [{ field: 'encryption.passphrase', isSecret: true }],
    draft: { encryption: { passphrase: 'another-passphrase' } },
  })
  expect(read({ ...NEW_INPUT, ...withKey(KEPT) }, STORED, false).changes).toEqual([])
  expect(read({ ...NEW_INPUT, ...withKey('') }, STORED, false).changes).toEqual([])
})

test('an input does not change its server by a text', () => {
  names.add('server', ['Other'], 'o')
  const { faults } = read({ ...NEW_INPUT, server: 'Other' }, STORED, false)
  expect(faults).toEqual([
    { field: 'server', sentence: expect.stringContaining('Change server') as string },
  ])
})

test('a row of a CSV file has the same values as its object', () => {
  const text = csvText(csvColumns('input'), csvCells('input', STORED.text))
  expect(read(text, STORED, false)).toEqual({ draft: null, changes: [], faults: [] })
})

test('an output without a second path has none in its row, and loses it by an empty one', () => {
  const columns = ['title', 'config.port', 'config.secondPath.host', 'config.secondPath.port']
  expect(csvText(columns, ['a', '1', '', ''])).toEqual({
    title: 'a',
    config: { port: '1', secondPath: undefined },
  })
  expect(csvText(columns, ['a', '1', '192.0.2.1', '7000'])).toMatchObject({
    config: { secondPath: { host: '192.0.2.1', port: '7000' } },
  })
})
