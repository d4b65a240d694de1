/** Which encoders share a seat of a host, and so its key, as the steps of a plan change that. */
import { encoderHost } from '@trunkline/contract/as-text/site-plan.rules'
import type { Tree } from '@trunkline/contract/as-text/text-object.schema'
import { plainAt } from '@trunkline/contract/as-text/tree.rules'
import { isAdminLevel, type Role } from '@trunkline/contract/roles'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import {
  keyDiffers,
  MAY_NOT_SEND_KEY,
  MAY_NOT_SET_KEY,
} from '../../encoders/host/host-key.rules.ts'
import type { Step } from './apply-plan.ts'
import type { SeatRefusal, Unseen } from './unseen.ts'

interface PlacedEncoder {
  text: Tree
  draft: Tree
}

export class ForeseenSeats {
  readonly #role: Role
  readonly #unseen: Unseen
  readonly #encoders = new Map<string, Set<string>>()
  readonly #seatOf = new Map<string, string>()
  /** Keys that the plan has set by now; others are known to the API alone. */
  readonly #keys = new Map<string, string>()

  constructor(role: Role, unseen: Unseen) {
    this.#role = role
    this.#unseen = unseen
  }

  enter(id: string, { draft }: PlacedEncoder): void {
    const seat = encoderHost(draft)
    this.#encoders.set(seat, (this.#encoders.get(seat) ?? new Set()).add(id))
    this.#seatOf.set(id, seat)
    const typed = typedKey(draft)
    if (typed !== '') this.#keys.set(seat, typed)
  }

  leave(id: string, { draft }: PlacedEncoder): void {
    this.#encoders.get(encoderHost(draft))?.delete(id)
  }

  /** As `keyFor` and `keyAfter` of the API decide it. */
  refusalOf(id: string, { draft }: PlacedEncoder, { does }: Step): SeatRefusal | null {
    const typed = typedKey(draft)
    const isAdmin = isAdminLevel(this.#role)
    if (typed !== '' && !isAdmin) return { field: 'apiKey', sentence: MAY_NOT_SET_KEY }
    const seat = encoderHost(draft)
    const isNew = does === 'add'
    if (!isNew && this.#seatOf.get(id) === seat) return null
    const place = { host: hostKeyOf(plainAt(draft, 'ip')), port: Number(plainAt(draft, 'port')) }
    const others = this.#encoders.get(seat) ?? new Set()
    if (others.size === 0) {
      if (isAdmin) return null
      const refusal = this.#unseen.refusalAt({ ...place, apiKey: '' })
      return refusal ?? (isNew ? null : { field: 'ip', sentence: MAY_NOT_SEND_KEY })
    }
    // Whoever moves an encoder there changes the key of all of them.
    if (!isNew || typed === '') return null
    const key = this.#keys.get(seat)
    if (key === undefined) return this.#unseen.refusalAt({ ...place, apiKey: typed })
    return key === typed ? null : keyDiffers(place.host, place.port)
  }
}

function typedKey(draft: Tree): string {
  return plainAt(draft, 'apiKey')
}
