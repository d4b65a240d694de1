/**
 * Tries programs on another host while they run on their own: make before break. The records are not
 * touched here, so that a copy whose trial ends without a word is taken off like any stray.
 */
import type { Context, Db } from '../context.ts'
import { type AppError, hostAway, hostTimeout } from '../errors.ts'
import { addressText, isSameAddress, type HostAddress } from '../hosts/host-address.ts'
import { HostFault } from '../hosts/host-fault.ts'
import type { HostsEvent } from '../hosts/hosts-event.ts'
import { copyState } from './program-copy.rules.ts'
import * as programCopyStore from './program-copy.store.ts'
import type { ProgramPlace, WantedProgram } from './wanted-program.ts'

/** A process that has ended renews no more, and its copies are taken off after this. */
const SPARED_MS = 20_000
const RENEW_MS = 5000

export interface Trial extends AsyncDisposable {
  /** Throws when one of the copies does not run any more. */
  assertRunning(): void
  /** In the transaction that makes the copies the programs themselves. */
  pass(trx: Db): Promise<void>
}

/**
 * Resolves once every copy runs on the host. Throws HostUnreachable, HostTimeout, or HostFault with
 * the host's words; then, and when the trial ends without having passed, none of them is left there.
 * Begin it with `announce`.
 */
export async function tryOut(
  ctx: Context,
  address: HostAddress,
  copies: readonly WantedProgram[],
): Promise<Trial> {
  let renewed = Promise.resolve()
  const renewing = setInterval(() => {
    renewed = spare(ctx, ctx.db, copies).catch((error: unknown) =>
      ctx.log.error(
        { err: error },
        'programs that are tried on another host could not be retained any longer',
      ),
    )
  }, RENEW_MS)
  const trial: Trial = {
    assertRunning: () => copies.forEach((copy) => void hasStarted(ctx, copy)),
    async pass(trx) {
      clearInterval(renewing)
      await programCopyStore.remove(trx, copies)
    },
    async [Symbol.asyncDispose]() {
      clearInterval(renewing)
      // A renewal that is under way would retain them again after their end.
      await renewed
      await end(ctx, address, copies)
    },
  }
  try {
    // Receivers first: what sends to a far end is not doubled for a copy that cannot run anyway.
    for (const kind of ['input', 'output'] as const) {
      const some = copies.filter((copy) => copy.kind === kind)
      const started = await Promise.allSettled(some.map(async (copy) => start(ctx, copy)))
      const failed = started.find((item) => item.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    }
    return trial
  } catch (error) {
    await trial[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * From here on nobody else may try them: two trials at once would leave three of one program running,
 * and the end of one would take off the other's. In a transaction that holds what they belong to.
 * Answers false when somebody does already.
 */
export async function announce(
  ctx: Context,
  trx: Db,
  copies: readonly WantedProgram[],
): Promise<boolean> {
  if (await programCopyStore.hasAny(trx, copies, new Date(ctx.clock()).toISOString())) return false
  await spare(ctx, trx, copies)
  return true
}

async function spare(ctx: Context, db: Db, copies: readonly WantedProgram[]): Promise<void> {
  await programCopyStore.put(db, copies, new Date(ctx.clock() + SPARED_MS).toISOString())
}

/** Copies that did not become the programs themselves are strays now. */
async function end(
  ctx: Context,
  address: HostAddress,
  copies: readonly WantedProgram[],
): Promise<void> {
  if (copies.length === 0) return
  await programCopyStore.remove(ctx.db, copies)
  await ctx.programs.settle(address)
}

async function start(ctx: Context, copy: WantedProgram): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isAsked = false
  const look = () => {
    try {
      if (isAsked && hasStarted(ctx, copy)) resolve()
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const stop = ctx.hosts.listen((event) => {
    if (isAbout(event, copy)) look()
  })
  const limitMs = ctx.programs.startLimitMs
  const timer = setTimeout(() => reject(tooLate(ctx, copy, limitMs)), limitMs)
  const ask = async () => {
    await ctx.programs.tryOut(copy)
    isAsked = true
    look()
  }
  ask().catch(reject)
  return promise.finally(() => {
    stop()
    clearTimeout(timer)
  })
}

function isAbout(event: HostsEvent, { address, programId }: ProgramPlace): boolean {
  if (event.type === 'programs') return event.programIds.includes(programId)
  return event.type === 'host' && isSameAddress(event.address, address)
}

/** Throws when it will not start. */
function hasStarted(ctx: Context, copy: WantedProgram): boolean {
  const link = ctx.hosts.status(copy.address)
  if (link?.online !== true) {
    const gone = `The host ${addressText(copy.address)} went away.`
    throw hostAway(link?.fault?.sentence ?? gone)
  }
  const now = copyState(ctx.hosts.report(copy), copy.revision)
  if (now.is !== 'ended') return now.is === 'running'
  throw new HostFault('failed', now.cause || `It is ${now.state.toUpperCase()} there.`)
}

function tooLate(ctx: Context, copy: WantedProgram, limitMs: number): AppError {
  const cause = ctx.hosts.report(copy)?.cause ?? ''
  const sentence = `It did not run there within ${limitMs / 1000} s.`
  return hostTimeout(cause === '' ? sentence : `${sentence} ${cause}`)
}
