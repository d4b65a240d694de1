/** API-61, API-62: destinations are added and saved, and their keys go in and never come out. */
import { updateTitle } from '@trunkline/contract/contributions/contribution.calls'
import {
  addDestination,
  listDestinations,
  updateDestination,
} from '@trunkline/contract/contributions/destination.calls'
import { describe, expect, test } from 'vitest'
import type { Notice } from '../../notices.ts'
import { databaseContent } from '../../testing/database-content.ts'
import { PLANTED_SECRETS, type InjectInput } from '../../testing/inject.ts'
import type { PersonName } from '../../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import type { TestSite } from '../../testing/test-site.ts'
import { addFarEnd } from '../outputs/output.fixture.ts'

const KEY = PLANTED_SECRETS[1]
const encrypted = { selection: 'yes', passphrase: KEY, type: 256 } as const

type Draft = NonNullable<InjectInput<typeof addDestination>['body']>
type Edit = NonNullable<InjectInput<typeof updateDestination>['body']>

async function add(site: TestSite, who: PersonName, body: Draft) {
  return site.call(who, addDestination, { body })
}

async function save(site: TestSite, id: string, body: Edit, who: PersonName = 'northManager') {
  return site.call(who, updateDestination, { params: { id }, body })
}

async function list(
  site: TestSite,
  who: PersonName,
  query: InjectInput<typeof listDestinations>['query'] = {},
) {
  return (await site.call(who, listDestinations, { query: query ?? {} })).answer
}

async function keyOf(site: TestSite, id: string): Promise<string> {
  const { passphrase_sealed: sealed } = await site.ctx.db
    .selectFrom('destinations')
    .select('passphrase_sealed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return sealed === null ? '' : site.ctx.keys.open(sealed)
}

describe.each(BOTH_DATABASES)('destinations on %s', (kind) => {
  test('API-61 API-83 CON-DEST-08 an admin chooses the group; the key is never answered', async () => {
    const site = await openSiteOn(kind)
    const notices: Notice[] = []
    site.ctx.notices.listen((notice) => notices.push(notice))
    const body = { title: 'Stadium', ip: 'far.example', groupId: site.south, encryption: encrypted }
    const { status, answer } = await add(site, 'admin', body)
    expect([status, answer.msg]).toEqual([201, 'Destination added successfully'])
    const { id } = answer.data
    expect(answer.data).toEqual({
      _id: id,
      id,
      title: 'Stadium',
      ip: 'far.example',
      groupId: site.south,
      encryption: { selection: 'yes', passphrase: '', type: 256, passphraseSet: true },
      outputs: 0,
      linkable: 0,
      version: 1,
    })
    const { answer: listed } = await site.call('admin', listDestinations, {})
    expect(listed.destinations, 'the list answers the same fields').toEqual([answer.data])
    expect(await keyOf(site, id)).toBe(KEY)
    expect(notices).toEqual([{ kind: 'destination', id, change: 'added', groupIds: [site.south] }])
    const none = await add(site, 'admin', { title: 'Nowhere', ip: 'far.example' })
    expect([none.status, none.failure.field]).toEqual([400, 'groupId'])
    const unknown = await add(site, 'admin', { ...body, title: 'Nowhere', groupId: 'nowhere' })
    expect(unknown.status).toBe(404)
  })

  test('API-61 CON-DEST-05 a manager’s joins their first group; naming another one is refused', async () => {
    const site = await openSiteOn(kind)
    const draft = { title: 'Stadium', ip: '192.0.2.10' }
    for (const named of [{}, { groupId: site.north }]) {
      const title = `Of ${Object.keys(named).length}`
      const { answer } = await add(site, 'northManager', { ...draft, title, ...named })
      expect(answer.data.groupId).toBe(site.north)
    }
    const before = await databaseContent(site.ctx)
    for (const groupId of [site.south, 'nowhere']) {
      const foreign = await add(site, 'northManager', { ...draft, groupId })
      expect([foreign.status, foreign.failure.code]).toEqual([403, 'forbidden'])
    }
    expect(await databaseContent(site.ctx)).toEqual(before)
    const { status, failure } = await add(site, 'loneManager', { title: 'T', ip: '192.0.2.10' })
    expect([status, failure.error]).toEqual([422, expect.stringContaining('no group')])
  })

  test('Q154 API-61 API-62 API-52 a title belongs to one destination in its group', async () => {
    const site = await openSiteOn(kind)
    const id = await addFarEnd(site, { title: 'Stadium' })
    const other = await addFarEnd(site, { title: 'Studio' })
    await addFarEnd(site, { title: 'Stadium', groupId: site.south })
    const before = await databaseContent(site.ctx)
    const draft = { title: ' Stadium ', ip: '192.0.2.11', groupId: site.north }
    const answers = [
      await add(site, 'admin', draft),
      await save(site, other, draft),
      await site.call('northManager', updateTitle, {
        body: { inputId: other, title: 'Stadium', type: 'destination' },
      }),
    ]
    for (const { status, failure } of answers) {
      expect([status, failure.code, failure.field]).toEqual([409, 'conflict', 'title'])
    }
    expect(await databaseContent(site.ctx)).toEqual(before)
    expect((await save(site, id, { ...draft, ip: '192.0.2.12' })).status).toBe(200)
  })

  test('Q154 of those who add one title at the same moment one is taken', async () => {
    const site = await openSiteOn(kind)
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () =>
        add(site, 'northManager', { title: 'Stadium', ip: '192.0.2.10' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    expect((await list(site, 'northManager')).total).toBe(1)
  })
})

describe.each(BOTH_DATABASES)('saved destinations on %s', (kind) => {
  test('API-62 CON-DEST-09 saved against a version; a key is kept, replaced or cleared', async () => {
    const site = await openSiteOn(kind)
    const id = await addFarEnd(site, { encryption: encrypted })
    const kept = await save(site, id, {
      version: 1,
      title: 'Farther',
      ip: '192.0.2.20',
      encryption: { selection: 'yes', type: 128 },
    })
    expect(kept.answer.data).toMatchObject({
      title: 'Farther',
      ip: '192.0.2.20',
      encryption: { selection: 'yes', type: 128, passphraseSet: true },
      version: 2,
    })
    expect(await keyOf(site, id)).toBe(KEY)
    const before = await databaseContent(site.ctx)
    const old = await save(site, id, { version: 1, title: 'Mine', ip: '192.0.2.20' })
    expect([old.status, old.failure.changed]).toEqual([409, ['title', 'encryption.selection']])
    expect(old.failure.current).toMatchObject({ id, title: 'Farther', version: 2 })
    expect(await databaseContent(site.ctx)).toEqual(before)
    const again = await save(site, id, { ...kept.answer.data, title: 'Echoed' })
    expect(again.status).toBe(200)
    const cleared = await save(site, id, {
      title: 'Farther',
      ip: '192.0.2.20',
      encryption: { selection: 'no', passphrase: KEY, type: 256 },
    })
    expect(cleared.answer.data.encryption).toEqual({
      selection: 'no',
      passphrase: '',
      type: 128,
      passphraseSet: false,
    })
    expect(await keyOf(site, id)).toBe('')
    const none = await save(site, id, {
      title: 'Farther',
      ip: '192.0.2.20',
      encryption: { selection: 'yes' },
    })
    expect([none.status, none.failure.field]).toEqual([400, 'encryption.passphrase'])
  })

  test('API-62 only an admin moves a destination to another group, and both groups are notified', async () => {
    const site = await openSiteOn(kind)
    const id = await addFarEnd(site)
    const body = { title: 'Far end', ip: '192.0.2.10', groupId: site.south }
    const before = await databaseContent(site.ctx)
    expect((await save(site, id, body)).status).toBe(403)
    expect(await databaseContent(site.ctx)).toEqual(before)
    const notices: Notice[] = []
    site.ctx.notices.listen((notice) => notices.push(notice))
    expect((await save(site, id, body, 'admin')).answer.data.groupId).toBe(site.south)
    expect(notices).toEqual([
      { kind: 'destination', id, change: 'changed', groupIds: [site.north, site.south] },
    ])
    expect((await save(site, id, body)).status).toBe(404)
  })
})

test.each([
  ['title', { title: '' }],
  ['title', { title: 'x'.repeat(121) }],
  ['title', { title: 'a\nb' }],
  ['ip', { ip: '' }],
  ['ip', { ip: '0.0.0.0' }],
  ['ip', { ip: '0.1.2.3' }],
  ['ip', { ip: '255.255.255.255' }],
  ['ip', { ip: '192.0.2.300' }],
  ['ip', { ip: '127.1' }],
  ['ip', { ip: '192.0.2.10:7000' }],
  ['ip', { ip: 'srt://far.example' }],
  ['ip', { ip: 'far.example?mode=listener' }],
  ['ip', { ip: 'a b' }],
  ['ip', { ip: '2001:db8::1' }],
  ['encryption.passphrase', { encryption: { selection: 'yes' } }],
  ['encryption.passphrase', { encryption: { selection: 'yes', passphrase: 'short' } }],
  ['encryption.passphrase', { encryption: { selection: 'yes', passphrase: 'a&passphrase=b' } }],
  ['encryption.type', { encryption: { selection: 'yes', passphrase: KEY, type: 192 } }],
  ['version', { version: 0 }],
  ['port', { port: 7000 }],
])('API-61 API-62 a bad %s is refused by its name, and changes nothing: %j', async (field, bad) => {
  const site = await openSiteOn('SQLite')
  const id = await addFarEnd(site)
  const before = await databaseContent(site.ctx)
  const body = { title: 'Far end 2', ip: '192.0.2.11', groupId: site.north, ...bad } as Draft
  const answers = [await add(site, 'admin', body), await save(site, id, body, 'admin')]
  for (const { status, failure } of 'version' in bad ? answers.slice(1) : answers) {
    expect([status, failure.field]).toEqual([400, field])
    expect(failure.error).not.toContain('[object')
  }
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('a group of receivers may be a destination: RIST sends to it', async () => {
  const site = await openSiteOn('SQLite')
  expect((await add(site, 'northManager', { title: 'All', ip: '239.1.1.1' })).status).toBe(201)
})
