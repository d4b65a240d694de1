import type { HostMessage } from '@trunkline/contract/agent/host-link.messages'
import { expect, test } from 'vitest'
import { CallExpired } from '../programs/confirm.ts'
import { Confirmations } from './confirmations.ts'

function open() {
  const sent: HostMessage[] = []
  return { sent, confirmations: new Confirmations((message) => void sent.push(message)) }
}

test('expires the earlier of two calls with the same id, and confirms the later', async () => {
  const { sent, confirmations } = open()
  const asked = Promise.allSettled([confirmations.ask(7), confirmations.ask(7)])
  confirmations.take({ confirmed: 7, remainingMs: 60_000 })
  const [earlier, later] = await asked
  expect(earlier).toEqual({ status: 'rejected', reason: expect.any(CallExpired) as CallExpired })
  expect(later.status).toBe('fulfilled')
  expect(sent).toEqual([
    { type: 'confirm', id: 7 },
    { type: 'confirm', id: 7 },
  ])
})

test('confirms calls with different ids each by its own reply', async () => {
  const { confirmations } = open()
  const asked = Promise.allSettled([confirmations.ask(1), confirmations.ask(2)])
  confirmations.take({ confirmed: 2, remainingMs: 60_000 })
  confirmations.take({ confirmed: 1, remainingMs: 0 })
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})
