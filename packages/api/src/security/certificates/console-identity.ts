/** The client certificate of this API process: short-lived, in memory only, renewed in time. */
import { generateKeyPairSync } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Context } from '../../context.ts'
import { CONSOLE_CERTIFICATE_MS, pemOf, siteAuthorityOf, validityFrom } from './site-authority.ts'

interface Held {
  secureContext: SecureContext
  notBeforeMs: number
  notAfterMs: number
}

export class ConsoleIdentity {
  readonly #ctx: Pick<Context, 'db' | 'keys' | 'clock' | 'log'>
  #held: Held | null = null
  #making: Promise<void> | null = null

  constructor(ctx: Pick<Context, 'db' | 'keys' | 'clock' | 'log'>) {
    this.#ctx = ctx
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

  #isFresh(): boolean {
    const [held, nowMs] = [this.#held, this.#ctx.clock()]
    if (held === null) return false
    return nowMs > held.notBeforeMs && nowMs < held.notAfterMs - CONSOLE_CERTIFICATE_MS / 2
  }

  async #make(): Promise<void> {
    const authority = await siteAuthorityOf(this.#ctx)
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const validity = validityFrom(this.#ctx.clock(), CONSOLE_CERTIFICATE_MS)
    const certificate = await authority.issue({
      purpose: 'console',
      subject: 'Trunkline console',
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
      ...validity,
    })
    const secureContext = createSecureContext({
      ca: authority.certificate,
      cert: certificate,
      key: pemOf(privateKey),
      minVersion: 'TLSv1.3',
    })
    this.#held = { secureContext, ...validity }
  }
}
