/** Webhooks to a real HTTP receiver, verified by the library of Standard Webhooks. */
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { type AlarmNote, messageOf, testMessage } from '../message.rules.ts'
import { openHttpReceiver, openSmtpServer } from '../receivers.fixture.ts'
import { sendWebhook } from './webhook.client.ts'

const RULE = { title: 'Night shift', language: 'en' } as const
const SENT = { id: 'delivery1', message: testMessage(RULE, 0) }
const HOW = { config: { allowLocalHosts: true }, signal: new AbortController().signal }
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`

test('a receiver verifies the signature by the shared secret, and by no other', async () => {
  const { url, received } = await openHttpReceiver()
  const answer = await sendWebhook({ kind: 'webhook', url, secret: SECRET }, SENT, HOW)
  expect(answer).toBe('HTTP 204')
  const [{ body, headers } = { body: '', headers: {} }] = received
  expect(headers).toMatchObject({ 'webhook-id': 'msg_delivery1' })
  expect(new Webhook(SECRET).verify(body, headers)).toMatchObject({
    type: 'alarms.test',
    data: { rule: 'Night shift', language: 'en' },
  })
  expect(() => new Webhook(OTHER_SECRET).verify(body, headers)).toThrow(WebhookVerificationError)
  expect(() => new Webhook(SECRET).verify(`${body} `, headers)).toThrow(WebhookVerificationError)
})

test('design 9 in French the sentences are French, names of fields and values stay', async () => {
  const { url, received } = await openHttpReceiver()
  const note: AlarmNote = {
    alarmId: 'alarm1',
    objectKind: 'encoder',
    objectId: 'encoder1',
    title: 'Not running',
    rule: 'program-down',
    severity: 'critical',
    sentence: 'Not running although it should be. Start it, or read its log.',
    raisedAt: '2026-11-27T03:00:00.000Z',
    clearedAt: null,
    behind: 0,
  }
  const rule = { title: 'Nuit', language: 'fr' } as const
  const message = messageOf(rule, 0, { raised: [note], reminders: [], cleared: [] })
  await sendWebhook({ kind: 'webhook', url, secret: SECRET }, { id: 'd1', message }, HOW)
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    type: 'alarms.changed',
    timestamp: '1970-01-01T00:00:00.000Z',
    data: {
      rule: 'Nuit',
      language: 'fr',
      subject: "[Trunkline] CRITIQUE Not running : À l'arrêt",
      raised: [
        {
          ...note,
          sentence: "Pas en marche alors qu'il le faudrait. Démarrez, ou lisez le journal.",
        },
      ],
      reminders: [],
      cleared: [],
      omitted: { raised: 0, reminders: 0, cleared: 0 },
    },
  })
})

test.each([
  [302, 'Redirects are not followed. Enter the final address.'],
  [401, 'Check that it has the same secret.'],
  [404, 'Check the address.'],
  [500, 'HTTP 500: As the receiver says. Look into its log.'],
])('status %i is a failure that says what to do', async (status, sentence) => {
  const { url, received, statuses } = await openHttpReceiver()
  statuses.push(status)
  const sending = sendWebhook({ kind: 'webhook', url, secret: SECRET }, SENT, HOW)
  await expect(sending).rejects.toThrow(sentence)
  expect(received, 'a redirect is not followed').toHaveLength(1)
})

test('a receiver that is not there, or in a private network, is refused in words', async () => {
  const target = { kind: 'webhook' as const, url: 'http://127.0.0.1:1/', secret: SECRET }
  await expect(sendWebhook(target, SENT, HOW)).rejects.toThrow('127.0.0.1:1 refuses the connection')
  const guarded = { ...HOW, config: { allowLocalHosts: false } }
  for (const url of [
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://10.0.0.1/',
    'http://localhost/',
  ]) {
    await expect(sendWebhook({ ...target, url }, SENT, guarded), url).rejects.toThrow(
      'TRUNKLINE_ALLOW_LOCAL_HOSTS=1',
    )
  }
})

test('an address with http where the server has https, or the other way round, is named', async () => {
  const { port } = await openSmtpServer({ secure: true })
  const target = { kind: 'webhook' as const, secret: SECRET }
  const plain = sendWebhook({ ...target, url: `http://127.0.0.1:${port}/` }, SENT, HOW)
  await expect(plain).rejects.toThrow('whether the address begins with http or https')
  const receiver = await openHttpReceiver()
  const url = receiver.url.replace('http:', 'https:')
  await expect(sendWebhook({ ...target, url }, SENT, HOW)).rejects.toThrow('does not use TLS')
})
