import { expect, test } from 'vitest'
import { DatabaseBusy } from '../faults.ts'
import { ConnectionTurns } from './connection-turns.ts'

/** Only ends what hangs. */
const LONG_MS = 60_000

test('no more than the connections that there are have a turn, in the order of asking', async () => {
  const turns = new ConnectionTurns(2, LONG_MS)
  const begun: number[] = []
  const take = async (who: number) => turns.take().then(() => begun.push(who))
  const all = [1, 2, 3, 4].map(take)
  await Promise.all(all.slice(0, 2))
  await Promise.resolve()
  expect(begun).toEqual([1, 2])
  turns.end()
  await all[2]
  expect(begun).toEqual([1, 2, 3])
  turns.end()
  await all[3]
  expect(begun).toEqual([1, 2, 3, 4])
  for (const _ of all) turns.end()
  await Promise.all([turns.take(), turns.take()])
})

test('who waits too long is refused as busy, and takes no turn afterwards', async () => {
  const turns = new ConnectionTurns(1, 10)
  await turns.take()
  const refused = await turns.take().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(DatabaseBusy)
  turns.end()
  await turns.take()
})

test('when the server cannot be reached nobody waits to find out', async () => {
  const turns = new ConnectionTurns(1, LONG_MS)
  await turns.take()
  const waiting = [1, 2].map(async () => turns.take().catch((error: unknown) => error))
  const away = new Error('away')
  turns.refuseWaiting(away)
  expect(await Promise.all(waiting)).toEqual([away, away])
  turns.end()
  await turns.take()
})
