/** Which hosts are enrolled or revoked, as last read from the database; by address. */
import type { SecureContext } from 'node:tls'
import { serverNameOf } from '@trunkline/contract/agent/host-link.messages'
import { TaskQueue } from '@trunkline/contract/task-queue'
import { addressText, type HostAddress } from '../host-address.ts'
import type { HostAccess, HostIdentity } from './host-access.ts'

export interface EnrolledHost extends HostIdentity {
  address: HostAddress
}

/** The certificate of this process. */
export interface ConsoleProof {
  /** Resolves once there is one. */
  ready(): Promise<void>
  secureContext(): SecureContext | null
}

const NO_PROOF: ConsoleProof = {
  ready: async () => Promise.resolve(),
  secureContext: () => null,
}

export class HostIdentities {
  readonly #known = new Map<string, EnrolledHost>()
  /** Of hosts that connect by themselves, by the hash of a pinned key. */
  readonly #byKey = new Map<string, HostAddress>()
  /** The server names that they ask for. */
  readonly #names = new Set<string>()
  /** How many of them were linked last from each network. */
  readonly #networks = new Map<string, number>()
  readonly #onChange: (address: HostAddress) => void
  readonly #readings = new TaskQueue()
  #proof: ConsoleProof = NO_PROOF

  /** Calls with each address whose access may be another now. */
  constructor(onChange: (address: HostAddress) => void) {
    this.#onChange = onChange
  }

  /** By what this process proves who it is. */
  proveBy(proof: ConsoleProof): void {
    this.#proof = proof
  }

  /** Reads and puts what was read, a reading after the other: an older one must not come last. */
  async inTurn(read: () => Promise<void>): Promise<void> {
    return this.#readings.add(async () => {
      await this.#proof.ready()
      await read()
    })
  }

  find(address: HostAddress): EnrolledHost | undefined {
    return this.#known.get(addressText(address))
  }

  /** The host that connects by itself and may show this key; null: none may. */
  findByKey(keyHash: string): HostAddress | null {
    return this.#byKey.get(keyHash) ?? null
  }

  /** Whether a host that connects by itself, and may, asks for this server name. It proves nothing. */
  isNameOfHost(serverName: string): boolean {
    return this.#names.has(serverName)
  }

  /** Whether a host that connects by itself, and may, was linked last from this network. */
  isNetworkOfHost(network: string): boolean {
    return this.#networks.has(network)
  }

  /** null: the host at this address has none. */
  put(address: HostAddress, identity: HostIdentity | null): void {
    const before = this.find(address)
    for (const { keyHash } of before?.pins ?? []) {
      this.#byKey.delete(keyHash)
      this.#names.delete(serverNameOf(keyHash))
    }
    this.#countNetwork(before, -1)
    this.#countNetwork(identity, 1)
    if (identity === null) this.#known.delete(addressText(address))
    else this.#known.set(addressText(address), { address, ...identity })
    if (identity?.openedBy === 'host') {
      for (const { keyHash } of identity.pins) {
        this.#byKey.set(keyHash, address)
        this.#names.add(serverNameOf(keyHash))
      }
    }
    this.#onChange(address)
  }

  /** Takes the place of all that was known. */
  putAll(hosts: readonly EnrolledHost[]): void {
    const gone = new Map(this.#known)
    for (const host of hosts) gone.delete(addressText(host.address))
    for (const { address } of gone.values()) this.put(address, null)
    for (const host of hosts) this.put(host.address, host)
  }

  /** From where this host was linked last: its access is the same as before. */
  setNetwork(address: HostAddress, network: string): void {
    const before = this.find(address)
    if (before === undefined) return
    const now = { ...before, connectsFrom: network }
    this.#countNetwork(before, -1)
    this.#countNetwork(now, 1)
    this.#known.set(addressText(address), now)
  }

  #countNetwork(identity: HostIdentity | null | undefined, by: 1 | -1): void {
    const network = identity?.connectsFrom ?? null
    if (network === null || identity?.openedBy !== 'host' || identity.pins.length === 0) return
    const count = (this.#networks.get(network) ?? 0) + by
    if (count === 0) this.#networks.delete(network)
    else this.#networks.set(network, count)
  }

  /** `key`: of the record. */
  accessOf(address: HostAddress, key: string): HostAccess {
    const identity = this.find(address)
    if (identity === undefined) return { by: 'key', key }
    if (identity.security === 'revoked') return { by: 'nothing' }
    if (identity.openedBy === 'host') return { by: 'host', pins: identity.pins }
    return {
      by: 'certificate',
      pins: identity.pins,
      keyMeanwhile: identity.security === 'waiting' ? key : null,
      secureContext: () => this.#proof.secureContext(),
    }
  }
}
