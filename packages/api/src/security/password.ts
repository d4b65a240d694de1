/** Passwords at rest: argon2id with OWASP's smallest recommended cost, worked off the event loop. */
import { hash, verify } from '@node-rs/argon2'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { AppError } from '../errors.ts'

/** 19 MiB, two passes, one lane: 10 ms and 19 MiB a try (stack.md, quality.md section 3). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * One core is left to the event loop, and of libuv's four threads at least one to files and names:
 * while a shift signs in, everybody else's lists and streams go on. The rest waits in turn.
 */
const AT_ONCE = Math.min(3, Math.max(1, availableParallelism() - 1))

/** Two seconds of work on one core: whoever came later would hear sooner by trying again. */
const WAITING_LIMIT = 200
const RETRY_S = 2

let working = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working < AT_ONCE) working += 1
  else if (waiting.length >= WAITING_LIMIT) throw tooBusy()
  // Whoever ends hands its turn on, so nobody who comes between takes it away.
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) working -= 1
    else next()
  }
}

function tooBusy(): AppError {
  return new AppError(
    'unavailable',
    'Too many people sign in at this moment. Nothing was changed. Try again in a few seconds.',
    { retryAfterS: RETRY_S },
  )
}

export async function hashPassword(password: string): Promise<string> {
  return inTurn(async () => hash(password, COST))
}

export async function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(async () => verify(passwordHash, password))
}

let decoy: Promise<string> | undefined

/**
 * A decoy hash that was refused under load is made again: else unknown e-mails could be recognised
 * by it.
 */
async function makeDecoy(): Promise<string> {
  try {
    return await hashPassword(randomBytes(16).toString('hex'))
  } catch (error) {
    decoy = undefined
    throw error
  }
}

/** The work of a check without an account, so that the time of an answer does not tell which accounts exist. */
export async function checkDecoy(password: string): Promise<false> {
  decoy ??= makeDecoy()
  await isPassword(await decoy, password)
  return false
}
