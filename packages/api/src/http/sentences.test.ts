import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { Encryption } from '@trunkline/contract/contributions/link.schema'
import { noBody } from '@trunkline/contract/route'
import { ServerDraft } from '@trunkline/contract/servers/server.schema'
import { UserDraft } from '@trunkline/contract/users/user.schema'
import { expect, test } from 'vitest'
import { wording } from '@trunkline/contract/wording'
import { z } from 'zod'
import { invalidInput } from './sentences.ts'

function issuesOf(schema: z.ZodType, value: unknown): [field: string, message: string][] {
  const parsed = schema.safeParse(value, { error: wording })
  if (parsed.success) return []
  return (invalidInput(parsed.error).more.issues ?? []).map((issue) => [issue.field, issue.message])
}

const server = {
  title: 'Gateway',
  host: 'gw.example.org',
  port: 8000,
  serverType: 'acants',
  apiKey: 'a-key-of-ours',
  groupIds: ['g'],
  adapterIps: [{ adapterName: 'eth0', adapterIp: '192.0.2.1' }],
}

test.each<[string, z.ZodType, unknown, [string, string][]]>([
  [
    'missing',
    ServerDraft,
    { ...server, title: undefined },
    [['title', 'title is missing. Add it.']],
  ],
  [
    'wrong type',
    ServerDraft,
    { ...server, title: 5 },
    [['title', 'title must be text, not a number.']],
  ],
  [
    'null',
    ServerDraft,
    { ...server, description: null },
    [['description', 'description must be text, not null.']],
  ],
  [
    'a list for text',
    ServerDraft,
    { ...server, title: ['x'] },
    [['title', 'title must be text, not a list.']],
  ],
  [
    'unknown field',
    ServerDraft,
    { ...server, foo: 1 },
    [['foo', "There is no field 'foo' here. Remove it."]],
  ],
  [
    'unknown field further down',
    ServerDraft,
    { ...server, adapterIps: [{ adapterName: 'a', adapterIp: '192.0.2.1', mtu: 9 }] },
    [['adapterIps.0.mtu', "There is no field 'adapterIps.0.mtu' here. Remove it."]],
  ],
  [
    'port out of range',
    ServerDraft,
    { ...server, port: 0 },
    [['port', 'port must be a port between 1 and 65535.']],
  ],
  [
    'no such choice',
    ServerDraft,
    { ...server, serverType: 'mail' },
    [['serverType', 'serverType must be acants or channel.']],
  ],
  [
    'the specification’s own words',
    ServerDraft,
    { ...server, groupIds: [] },
    [['groupIds', 'Select group']],
  ],
  [
    'too many entries',
    ServerDraft,
    { ...server, groupIds: Array.from({ length: 201 }, () => 'g') },
    [['groupIds', 'groupIds must hold at most 200 entries.']],
  ],
  [
    'body is a list',
    ServerDraft,
    [],
    [['', 'The body must be an object with fields, not a list.']],
  ],
  ['no body', ServerDraft, undefined, [['', 'The body is missing. Add it.']]],
  ['body where none is', noBody, { a: 1 }, [['a', "There is no field 'a' here. Remove it."]]],
  [
    'a body of text where none is',
    noBody,
    'x',
    [['', 'The body must be an object with fields, not text.']],
  ],
  ['two numbers to choose from', Encryption, { type: 5 }, [['type', 'type must be 128 or 256.']]],
  [
    'either empty or right',
    Encryption,
    { passphrase: 'short' },
    [
      [
        'passphrase',
        'passphrase must be 10 to 79 characters from A-Z a-z 0-9 . _ ~ and -. Use Generate A Key.',
      ],
    ],
  ],
  [
    'either empty or right, and neither',
    Encryption,
    { passphrase: 5 },
    [['passphrase', 'passphrase must be text, not a number.']],
  ],
  [
    'kind of audio',
    z.object({ config: EncoderConfig.pick({ 'audio-stream': true }) }),
    { config: { 'audio-stream': { format: 'mp3' } } },
    [['config.audio-stream.format', 'config.audio-stream.format must be mp2 or aac.']],
  ],
  ['a whole number', z.object({ a: z.int() }), { a: 1.5 }, [['a', 'a must be a whole number.']]],
  ['number too big', z.object({ a: z.number().max(3) }), { a: 4 }, [['a', 'a must be at most 3.']]],
  [
    'text too short',
    z.object({ a: z.string().min(3) }),
    { a: '' },
    [['a', 'a must be at least 3 characters long. Lengthen it.']],
  ],
])('a sentence for: %s', (_, schema, value, expected) => {
  expect(issuesOf(schema, value)).toEqual(expected)
})

test('an error is reported once, and an error of a union for the given fields', () => {
  const port = z.number('must be a port.').int('must be a port.').max(9, 'must be a port.')
  expect(issuesOf(z.object({ port }), { port: 1e99 })).toEqual([['port', 'port must be a port.']])
  expect(issuesOf(z.object({ a: z.string().min(1) }), { a: [] })).toEqual([
    ['a', 'a must be text, not a list.'],
  ])
  const either = z.union([
    z.strictObject({ disabled: z.boolean() }),
    z.strictObject({ pushes: z.array(z.strictObject({ url: z.string(), on: z.boolean() })) }),
  ])
  expect(issuesOf(z.object({ data: either }), { data: { pushes: [{}] } })).toEqual([
    ['data.pushes.0.url', 'data.pushes.0.url is missing. Add it.'],
    ['data.pushes.0.on', 'data.pushes.0.on is missing. Add it.'],
  ])
})

test('all errors are reported at once, as separate sentences', () => {
  const parsed = UserDraft.safeParse({ firstName: 5, email: 'x', mode: 'root' }, { error: wording })
  const fault = invalidInput(parsed.error ?? new z.ZodError([]))
  expect(fault.message).toBe(
    'firstName must be text, not a number. lastName is missing. Add it. Please enter a valid email. ' +
      'password is missing. Add it. mode must be superadmin, admin, manager, editor or monitor.',
  )
  expect(fault.field).toBe('firstName')
})

test('of a thousand errors the first are answered, and a long name is shortened', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, at]))
  expect(issuesOf(UserDraft.pick({ firstName: true }).partial(), many)).toHaveLength(20)
  const [[field, message] = ['', '']] = issuesOf(z.strictObject({}), { ['x\n'.repeat(5000)]: 1 })
  expect(field).toHaveLength(41)
  expect(message).not.toContain('\n')
})
