/**
 * The sources of this host as they were last looked at. A camera may be plugged in later, a file
 * put there: a look costs a few system calls, so there is one before each report.
 */
import type { SourceConfig } from '@trunkline/contract/agent/agent-config.schema'
import type { HostSource } from '@trunkline/contract/agent/capability.schema'
import { sourceFault, type SourceNeeds } from './source-check.ts'

/** A source on a network disk that hangs must not hold up the report of the host. */
const LOOK_LIMIT_MS = 2000

export class SourceLook {
  readonly #sources: readonly SourceConfig[]
  readonly #needs: SourceNeeds
  /** By card index. */
  readonly #faults = new Map<number, string>()
  /** Looks that have not ended, by card index. */
  readonly #looks = new Map<number, Promise<void>>()

  constructor(sources: readonly SourceConfig[], needs: SourceNeeds) {
    this.#sources = sources
    this.#needs = needs
  }

  /** Resolves when all have been looked at, or after 2 s; what hangs keeps its last finding. */
  async look(): Promise<void> {
    await Promise.all(this.#sources.map(async (source) => this.#lookAt(source)))
  }

  /** Why nothing can be encoded from this card now, a sentence; '' when it can, or is none of ours. */
  async faultOf(cardIdx: number): Promise<string> {
    const source = this.#sources.find((candidate) => candidate.cardIdx === cardIdx)
    if (source) await this.#lookAt(source)
    return this.#faults.get(cardIdx) ?? ''
  }

  /** As last looked at. */
  list(): HostSource[] {
    return this.#sources.map(({ cardIdx, kind, device }) => ({
      cardIdx,
      kind,
      label: kind === 'test-pattern' ? `Test pattern ${cardIdx}` : `${kind} ${device}`.trim(),
      unusable: this.#faults.get(cardIdx) ?? '',
    }))
  }

  async #lookAt(source: SourceConfig): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, LOOK_LIMIT_MS)
    await Promise.race([this.#lookOnce(source), late])
    clearTimeout(timer)
  }

  /** Each look that hangs holds one of Node's few file threads: all who ask share one. */
  async #lookOnce(source: SourceConfig): Promise<void> {
    const { cardIdx } = source
    const begun = this.#looks.get(cardIdx)
    if (begun) return begun
    const look = sourceFault(source, this.#needs)
      .then((fault) => void this.#faults.set(cardIdx, fault))
      .finally(() => this.#looks.delete(cardIdx))
    this.#looks.set(cardIdx, look)
    return look
  }
}
