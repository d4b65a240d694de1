/** What is in the way of a plan and is nobody whom its caller sees: the API answers it without a name. */
import {
  askTaken,
  type CardPlace,
  type PortPlace,
  type SeatPlace,
  TAKEN_LIMIT,
} from '@trunkline/contract/encoders/host-taken.calls'
import type { MakeCall } from '@trunkline/contract/as-text/site.client'
import { mayDo } from '@trunkline/contract/role-table'
import { isAdminLevel, type Role } from '@trunkline/contract/roles'

/** What one object has and no other may have; `place`: as the API is asked about it. */
export interface Held {
  name: string
  place: ({ kind: 'port' } & PortPlace) | ({ kind: 'card' } & CardPlace) | null
}

export interface SeatRefusal {
  field: string
  sentence: string
}

/** Answers from what it was told by `ask`, and notes what it was asked about. */
export class Unseen {
  readonly #ports = new Map<string, PortPlace>()
  readonly #cards = new Map<string, CardPlace>()
  readonly #seats = new Map<string, SeatPlace>()
  readonly #holders = new Map<string, string>()
  readonly #refusals = new Map<string, SeatRefusal>()

  /** Who has it, in general words; null: nobody, as far as is known. */
  whoHas({ name, place }: Held): string | null {
    if (place?.kind === 'port') {
      const { kind: _, ...port } = place
      this.#ports.set(name, port)
    } else if (place?.kind === 'card') {
      const { kind: _, ...card } = place
      this.#cards.set(name, card)
    }
    return this.#holders.get(name) ?? null
  }

  /** Why no encoder may be added there, or not with this key; null: it may, as far as is known. */
  refusalAt(seat: SeatPlace): SeatRefusal | null {
    const name = `${seat.host} ${seat.port} ${seat.apiKey}`
    this.#seats.set(name, seat)
    return this.#refusals.get(name) ?? null
  }

  /** Asks about all that was noted. Answers whether something is in the way that was not known before. */
  async ask(call: MakeCall, role: Role): Promise<boolean> {
    const known = this.#holders.size + this.#refusals.size
    // An admin sees everything but the keys.
    const isAdmin = isAdminLevel(role)
    const ports = isAdmin ? [] : [...this.#ports]
    const cards = isAdmin ? [] : [...this.#cards]
    const seats = [...this.#seats]
    const longest = Math.max(ports.length, cards.length, seats.length)
    if (!mayDo(role, 'configureEncoder')) return false
    for (let at = 0; at < longest; at += TAKEN_LIMIT) {
      const part = <T>(list: readonly T[]) => list.slice(at, at + TAKEN_LIMIT)
      await this.#askPart(call, part(ports), part(cards), part(seats))
    }
    return this.#holders.size + this.#refusals.size > known
  }

  async #askPart(
    call: MakeCall,
    ports: readonly [string, PortPlace][],
    cards: readonly [string, CardPlace][],
    seats: readonly [string, SeatPlace][],
  ): Promise<void> {
    const body = { ports: placesOf(ports), cards: placesOf(cards), seats: placesOf(seats) }
    const answer = await call(askTaken, { body })
    for (const { index, by } of answer.ports) this.#hold(ports[index], by)
    for (const { index, by } of answer.cards) this.#hold(cards[index], by)
    for (const { index, field, error } of answer.seats) {
      const [name = ''] = seats[index] ?? []
      this.#refusals.set(name, { field, sentence: error })
    }
  }

  #hold(asked: readonly [string, unknown] | undefined, by: string): void {
    if (asked !== undefined) this.#holders.set(asked[0], by)
  }
}

function placesOf<T>(named: readonly (readonly [string, T])[]): T[] {
  return named.map(([, place]) => place)
}
