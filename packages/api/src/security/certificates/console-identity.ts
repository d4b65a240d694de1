/** A certificate of this API process: short-lived, in memory only, renewed in time. */
import { generateKeyPairSync } from 'node:crypto'
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls'
import type { Context } from '../../context.ts'
import {
  CONSOLE_CERTIFICATE_MS,
  dialInAuthorityOf,
  pemOf,
  siteAuthorityOf,
  validityFrom,
} from './site-authority.ts'

/** For the links that the console opens, or for its port that hosts connect to. */
export type ConsoleRole = 'dials' | 'takes'

interface Held {
  secureContext: SecureContext
  options: SecureContextOptions
  notBeforeMs: number
  notAfterMs: number
}

export class ConsoleIdentity {
  readonly #ctx: Pick<Context, 'db' | 'keys' | 'clock' | 'log'>
  readonly #role: ConsoleRole
  #held: Held | null = null
  #making: Promise<void> | null = null

  constructor(ctx: Pick<Context, 'db' | 'keys' | 'clock' | 'log'>, role: ConsoleRole = 'dials') {
    this.#ctx = ctx
    this.#role = role
  }

  /** Resolves once there is a certificate. Throws what the database throws. */
  async ready(): Promise<void> {
    if (this.#isFresh()) return
    this.#making ??= this.#make().finally(() => (this.#making = null))
    return this.#making
  }

  /**
   * What a link is dialled with; null while it is being made, as after the clock was set. A certificate
   * in the second half of its life is still good, and the next one is made meanwhile.
   */
  secureContext(): SecureContext | null {
    if (!this.#isFresh()) {
      this.ready().catch((error: unknown) =>
        this.#ctx.log.error({ err: error }, 'The console has no certificate for its hosts.'),
      )
    }
    const [held, nowMs] = [this.#held, this.#ctx.clock()]
    const isValid = held !== null && nowMs > held.notBeforeMs && nowMs < held.notAfterMs
    return isValid ? held.secureContext : null
  }

  /** What a port is served with; throws while there is no certificate: await `ready` before. */
  get options(): SecureContextOptions {
    if (this.#held === null) throw new Error('The console has no certificate yet.')
    return this.#held.options
  }

  #isFresh(): boolean {
    const [held, nowMs] = [this.#held, this.#ctx.clock()]
    if (held === null) return false
    return nowMs > held.notBeforeMs && nowMs < held.notAfterMs - CONSOLE_CERTIFICATE_MS / 2
  }

  async #make(): Promise<void> {
    const isServer = this.#role === 'takes'
    const authority = await (isServer ? dialInAuthorityOf(this.#ctx) : siteAuthorityOf(this.#ctx))
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const validity = validityFrom(this.#ctx.clock(), CONSOLE_CERTIFICATE_MS)
    const certificate = await authority.issue({
      purpose: isServer ? 'console for agents' : 'console',
      subject: 'Trunkline console',
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
      ...validity,
    })
    const options = {
      ca: authority.certificate,
      cert: certificate,
      key: pemOf(privateKey),
      minVersion: 'TLSv1.3' as const,
    }
    this.#held = { secureContext: createSecureContext(options), options, ...validity }
  }
}
