import { expect, test, vi } from 'vitest'
import { AppError } from '../errors.ts'
import { checkDecoy, hashPassword, isPassword } from './password.ts'

test('argon2id at the recommended cost; the right password, and no other', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await isPassword(hash, 'correct horse')).toBe(true)
  expect(await isPassword(hash, 'correct horsE')).toBe(false)
  expect(await hashPassword('correct horse')).not.toBe(hash)
})

test('a decoy hash never matches', async () => {
  expect(await checkDecoy('anything')).toBe(false)
})

test('T6 a decoy that is refused under load is used when the load is over', async () => {
  vi.resetModules()
  const fresh = await import('./password.ts')
  const rush = Array.from({ length: 210 }, async () => fresh.isPassword('no hash', 'x'))
  const inRush = fresh.checkDecoy('anything')
  await expect(inRush).rejects.toMatchObject({ code: 'unavailable' })
  await Promise.allSettled(rush)
  expect(await fresh.checkDecoy('anything')).toBe(false)
})

test('checks wait in turn, a failed check frees its turn, and a flood is refused', async () => {
  const flood = await Promise.allSettled(
    Array.from({ length: 400 }, async () => isPassword('no hash', 'x')),
  )
  const isTurnedAway = (result: PromiseSettledResult<boolean>) =>
    result.status === 'rejected' &&
    result.reason instanceof AppError &&
    result.reason.code === 'unavailable'
  const turnedAway = flood.filter(isTurnedAway).length
  expect(turnedAway).toBeGreaterThanOrEqual(400 - 200 - 3)
  expect(turnedAway).toBeLessThan(200)
  const hash = await hashPassword('correct horse')
  const checks = Array.from({ length: 12 }, async () => isPassword(hash, 'correct horse'))
  expect(await Promise.all(checks)).toEqual(Array.from({ length: 12 }, () => true))
})
