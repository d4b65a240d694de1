/** Which programs their hosts refuse, each with the settings that were refused and why. */
import { addressText, type HostAddress } from '../hosts/host-address.ts'
import type { Refusal } from '../hosts/sharing/process.messages.ts'
import type { KnownProgram } from './wanted-program.ts'

export class Refusals {
  readonly #of = new Map<string, Refusal>()
  readonly #at = new Map<string, Set<string>>()

  /** Why the host does not take this program's present settings; '' when it does. */
  sentenceOf({ programId, revision }: Pick<KnownProgram, 'programId' | 'revision'>): string {
    const refusal = this.#of.get(programId)
    return refusal?.revision === revision ? refusal.sentence : ''
  }

  /** Of programs that this host refuses. */
  at(address: HostAddress): Map<string, Refusal> {
    const found = new Map<string, Refusal>()
    for (const programId of this.#at.get(addressText(address)) ?? []) {
      const refusal = this.#of.get(programId)
      if (refusal !== undefined) found.set(programId, refusal)
    }
    return found
  }

  set(programId: string, refusal: Refusal): void {
    this.forget(programId)
    this.#of.set(programId, refusal)
    const refused = this.#at.get(refusal.at)
    if (refused === undefined) this.#at.set(refusal.at, new Set([programId]))
    else refused.add(programId)
  }

  /** Answers whether there was one. */
  forget(programId: string): boolean {
    const refusal = this.#of.get(programId)
    if (refusal === undefined) return false
    this.#of.delete(programId)
    const refused = this.#at.get(refusal.at)
    refused?.delete(programId)
    if (refused?.size === 0) this.#at.delete(refusal.at)
    return true
  }
}
