import { expect, test } from 'vitest'
import { makeTestContext } from '../testing/test-context.ts'
import { record, withoutSecrets, type AuditEntry } from './audit.service.ts'

const entry: AuditEntry = {
  actor: null,
  call: 'servers.add',
  object: { kind: 'server', id: 's' },
  result: 'done',
  ip: '192.0.2.1',
}

test('T10 secrets are redacted everywhere; empty values stay empty', () => {
  expect(
    withoutSecrets({
      apiKey: 'k',
      api_key_sealed: 'k',
      password: 'p',
      newPassword: 'p',
      passphrase: '',
      token: 't',
      apiKeySet: true,
      encryption: { selection: 'yes', passphrase: 'secret' },
      list: [{ passphrase: 'secret', title: 'kept' }, null, 5],
      passenger: 'kept',
    }),
  ).toEqual({
    apiKey: '***',
    api_key_sealed: '***',
    password: '***',
    newPassword: '***',
    passphrase: '',
    token: '***',
    apiKeySet: true,
    encryption: { selection: 'yes', passphrase: '***' },
    list: [{ passphrase: '***', title: 'kept' }, null, 5],
    passenger: 'kept',
  })
})

test('T20 an audit line holds actor, call, address and result, on one line', async () => {
  await using test = await makeTestContext()
  await record(test.ctx, {
    ...entry,
    actor: {
      id: 'u',
      email: 'a@b.cc',
      fullName: 'Ann Lee',
      role: 'admin',
      groupIds: [],
      sessionId: '',
      ip: '',
    },
    before: { title: 'a', apiKey: 'secret' },
    after: { title: 'b' },
    result: 'failed',
    reason: `one\r\n2026-11-20 forged line ${'x'.repeat(1000)}`,
  })
  const [line] = await test.ctx.db.selectFrom('audit').selectAll().execute()
  expect(line).toMatchObject({
    actor_id: 'u',
    actor_name: 'Ann Lee',
    token: '',
    role: 'admin',
    ip: '192.0.2.1',
    call: 'servers.add',
    object_kind: 'server',
    object_id: 's',
    result: 'failed',
    before: '{"title":"a","apiKey":"***"}',
    after: '{"title":"b"}',
  })
  expect(line?.reason).toMatch(/^one 2026-11-20 forged line x+$/)
  expect(line?.reason).toHaveLength(500)
})

test('the line and its change are kept together, or neither', async () => {
  await using test = await makeTestContext()
  const work = test.ctx.db.transaction().execute(async (trx) => {
    await record(trx, entry)
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect(await test.ctx.db.selectFrom('audit').selectAll().execute()).toEqual([])
})
