/** A site as it becomes step by step: which step the API would refuse for what is there by then. */
import { outerPorts } from '@trunkline/contract/contributions/link.rules'
import type { Site } from '@trunkline/contract/as-text/site.client'
import { encoderHost, textOf } from '@trunkline/contract/as-text/site-plan.rules'
import {
  keyText,
  type TextKey,
  type TextKind,
  type Tree,
} from '@trunkline/contract/as-text/text-object.schema'
import { isTree, plainAt, textAt } from '@trunkline/contract/as-text/tree.rules'
import type { EncoderConfig, Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { InputDraft } from '@trunkline/contract/contributions/input.schema'
import type { Role } from '@trunkline/contract/roles'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import { feederReads } from '../../encoders/encoder.program.ts'
import { FEEDERS_FIRST } from '../../encoders/encoder-remove.rules.ts'
import { cardTaken, targetClaims } from '../../encoders/host/host-claims.rules.ts'
import { stillInUse } from '../../groups/group-content.rules.ts'
import { outputsFirst } from '../../links/inputs/input-remove.rules.ts'
import {
  type ClaimOwner,
  excludingKeys,
  feederPortTaken,
  ownerName,
  partsOfKey,
  type PortClaim,
  takenSentence,
} from '../../ports/port-claim.rules.ts'
import { addressTaken, stillUsed } from '../../servers/server-use.rules.ts'
import type { Step } from './apply-plan.ts'
import { ForeseenSeats } from './foreseen-seats.ts'
import type { Held, Unseen } from './unseen.ts'

export interface Refusal {
  /** Of the text; '' for the whole object. */
  field: string
  /** As the API says it. */
  sentence: string
  /** Who has what the step wants, as `keyText` calls it; '' where nobody has. */
  holder: string
}

interface Placed {
  kind: TextKind
  key: TextKey
  text: Tree
  /** With all of its defaults: as it is sent, or as the API answered it. */
  draft: Tree
}

/** What only one object may have: a port, a card, the address of a server. */
interface Taking {
  /** Who has one of these already is in the way. */
  excludedBy: readonly Held[]
  holds: string
  /** `holder`: null for an object that the caller does not see. */
  refusal: (who: string, holder: Placed | null) => Omit<Refusal, 'holder'>
}

export type UsedBy = TextKind | 'channel'

export class ForeseenSite {
  readonly #placed = new Map<string, Placed>()
  /** By what is held: by whom. */
  readonly #holders = new Map<string, string>()
  readonly #held = new Map<string, string[]>()
  /** What refers to an object, by kind. */
  readonly #uses = new Map<string, Map<UsedBy, Set<string>>>()
  readonly #seats: ForeseenSeats
  readonly #unseen: Unseen

  /**
   * `channels`: as the API answers them; they are in no text, and keep servers and groups in place.
   * `unseen`: what of the things that the steps take is taken by what the caller does not see.
   */
  constructor({ objects, names }: Site, channels: readonly Tree[], role: Role, unseen: Unseen) {
    this.#seats = new ForeseenSeats(role, unseen)
    this.#unseen = unseen
    for (const list of Object.values(objects)) {
      for (const { kind, key, text, wire } of list) {
        this.#placed.set(keyText(kind, key), { kind, key, text, draft: wire })
      }
    }
    for (const [id, placed] of this.#placed) this.#enter(id, placed)
    for (const channel of channels) {
      const server = names.titleOf('server', plainAt(channel, 'serverId'))
      const groups = listOf(channel['groupIds']).map((id) => names.titleOf('group', id))
      const refs = [ref('server', [server]), ...groups.map((title) => ref('group', [title]))]
      this.#use('channel', `channel\n${plainAt(channel, '_id')}`, refs)
    }
  }

  /** Takes the step, unless it is refused. */
  take(step: Step): Refusal | null {
    const { does, kind, key, planned } = step
    const id = keyText(kind, key)
    if (does === 'remove') {
      const sentence = this.#keptBy(step)
      if (sentence === null) this.#leave(id)
      return sentence === null ? null : { field: '', sentence, holder: '' }
    }
    if (planned === null || planned.draft === null) return null
    const placed = { kind, key, text: textOf(planned), draft: planned.draft }
    const refusal = this.#refusalOf(id, placed, step)
    if (refusal !== null) return refusal
    const before = this.#placed.get(id)
    this.#leave(id)
    this.#placed.set(id, placed)
    this.#enter(id, placed)
    if (before !== undefined && hostOf(before) !== hostOf(placed)) this.#carryAlong(id)
    return null
  }

  /** Which kinds refer to an object. */
  usersOf(kind: TextKind, key: TextKey): UsedBy[] {
    const users = this.#uses.get(keyText(kind, key)) ?? new Map<UsedBy, Set<string>>()
    return [...users].filter(([, ids]) => ids.size > 0).map(([used]) => used)
  }

  #refusalOf(id: string, placed: Placed, step: Step): Refusal | null {
    if (placed.kind === 'encoder') {
      const refusal = this.#seats.refusalOf(id, placed, step)
      if (refusal !== null) return { ...refusal, holder: '' }
    }
    for (const { excludedBy, refusal } of this.#takings(placed, step)) {
      for (const held of excludedBy) {
        const holder = this.#holders.get(held.name)
        const by = holder === undefined ? undefined : this.#placed.get(holder)
        if (holder === id) continue
        if (holder !== undefined && by !== undefined) {
          return { ...refusal(ownerOf(by), by), holder }
        }
        const who = this.#unseen.whoHas(held)
        if (who !== null) return { ...refusal(who, null), holder: '' }
      }
    }
    return null
  }

  #keptBy({ kind, key }: Step): string | null {
    const users = this.#uses.get(keyText(kind, key))
    const of = (used: UsedBy) => users?.get(used)?.size ?? 0
    const title = key.at(-1) ?? ''
    switch (kind) {
      case 'encoder':
        return of('feeder') > 0 ? FEEDERS_FIRST : null
      case 'input':
        return of('output') > 0 ? outputsFirst(of('output')) : null
      case 'server':
        return stillUsed(title, {
          input: of('input'),
          feeder: of('feeder'),
          channel: of('channel'),
        })
      case 'group':
        return stillInUse(title, {
          member: of('user'),
          encoder: of('encoder'),
          server: of('server'),
          channel: of('channel'),
          input: of('input'),
          destination: of('destination'),
        })
      case 'user':
      case 'destination':
      case 'feeder':
      case 'output':
        return null
    }
  }

  #enter(id: string, placed: Placed): void {
    const held = this.#takings(placed, null).map(({ holds }) => holds)
    for (const each of held) if (!this.#holders.has(each)) this.#holders.set(each, id)
    this.#held.set(id, held)
    if (placed.kind === 'encoder') this.#seats.enter(id, placed)
    this.#use(placed.kind, id, this.#refsOf(placed))
  }

  #leave(id: string): void {
    const placed = this.#placed.get(id)
    if (placed === undefined) return
    for (const each of this.#held.get(id) ?? []) {
      if (this.#holders.get(each) === id) this.#holders.delete(each)
    }
    this.#held.delete(id)
    if (placed.kind === 'encoder') this.#seats.leave(id, placed)
    for (const each of this.#refsOf(placed)) this.#uses.get(each)?.get(placed.kind)?.delete(id)
    this.#placed.delete(id)
  }

  /** What lives on a server, or reads from an encoder, has its ports where that is now. */
  #carryAlong(id: string): void {
    for (const [used, ids] of this.#uses.get(id) ?? []) {
      if (used === 'channel') continue
      // Each leaves the set and enters it again.
      for (const each of ids.values().toArray()) {
        const placed = this.#placed.get(each)
        if (placed === undefined) continue
        this.#leave(each)
        this.#placed.set(each, placed)
        this.#enter(each, placed)
        if (used === 'input') this.#carryAlong(each)
      }
    }
  }

  #use(used: UsedBy, id: string, refs: readonly string[]): void {
    for (const each of refs) {
      const users = this.#uses.get(each) ?? new Map<UsedBy, Set<string>>()
      this.#uses.set(each, users.set(used, (users.get(used) ?? new Set()).add(id)))
    }
  }

  /** What it refers to, and so keeps in place. */
  #refsOf({ kind, key, text }: Placed): string[] {
    const group = ref('group', [plainAt(text, 'group')])
    const server = ref('server', [plainAt(text, 'server')])
    const groups = listOf(text['groups']).map((title) => ref('group', [title]))
    switch (kind) {
      case 'user':
        return groups.filter((each) => !this.#isManaged(each, key))
      case 'server':
        return groups
      case 'destination':
      case 'encoder':
        return [group]
      case 'feeder':
        return [ref('encoder', [plainAt(text, 'group'), plainAt(text, 'encoder')]), server]
      case 'input':
        return [group, server]
      case 'output':
        return [ref('input', [plainAt(text, 'group'), plainAt(text, 'input')])]
      case 'group':
        return []
    }
  }

  /** The manager is no member. */
  #isManaged(group: string, [email = '']: TextKey): boolean {
    const placed = this.#placed.get(group)
    return placed !== undefined && plainAt(placed.text, 'manager').toLowerCase() === email
  }

  /** `step`: in which it wants them; null for what is there. */
  #takings(placed: Placed, step: Step | null): Taking[] {
    const { kind, draft, text } = placed
    if (kind === 'server') return [addressTaking(draft)]
    if (kind === 'encoder') return encoderTakings(draft, step)
    if (kind === 'feeder') return this.#feederTakings(placed)
    if (kind !== 'input' && kind !== 'output') return []
    const input = kind === 'input' ? text : this.#input(text)?.text
    const server = this.#placed.get(
      ref('server', [input === undefined ? '' : plainAt(input, 'server')]),
    )
    if (server === undefined) return []
    const hostKey = hostKeyOf(plainAt(server.draft, 'host'))
    const { inputType, config } = draft as unknown as Pick<InputDraft, 'inputType' | 'config'>
    return outerPorts(inputType, config).map((port) =>
      portTaking({ ...port, hostKey }, 'config.port'),
    )
  }

  #input(output: Tree): Placed | undefined {
    return this.#placed.get(ref('input', [plainAt(output, 'group'), plainAt(output, 'input')]))
  }

  #feederTakings({ text, draft }: Placed): Taking[] {
    const own = [plainAt(text, 'group'), plainAt(text, 'encoder')]
    const encoder = this.#placed.get(ref('encoder', own))
    if (encoder === undefined) return []
    const hostKey = hostKeyOf(plainAt(encoder.draft, 'ip'))
    const { port } = feederReads(draft as unknown as Pick<Feeder, 'input'>)
    const taking = portTaking({ hostKey, port, leg: 'local' }, 'input.addr')
    const refusal: Taking['refusal'] = (who, holder) => {
      const isOfSame =
        holder?.kind === 'feeder' && holder.key[0] === own[0] && holder.key[1] === own[1]
      return isOfSame
        ? { field: 'input.addr', sentence: feederPortTaken(port) }
        : taking.refusal(who, holder)
    }
    return [{ ...taking, refusal }]
  }
}

/** '' for what is not a host. */
function hostOf({ kind, draft }: Placed): string {
  if (kind !== 'server' && kind !== 'encoder') return ''
  return hostKeyOf(plainAt(draft, kind === 'server' ? 'host' : 'ip'))
}

function ref(kind: TextKind, key: TextKey): string {
  return keyText(kind, key)
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function addressTaking(draft: Tree): Taking {
  const [host, port] = [plainAt(draft, 'host'), Number(draft['port'])]
  const holds = `address ${hostKeyOf(host)}:${port}`
  const sentence = addressTaken(host, port)
  // Who may add a server sees all of them.
  const excludedBy = [{ name: holds, place: null }]
  return { holds, excludedBy, refusal: () => ({ field: 'port', sentence }) }
}

function encoderTakings(draft: Tree, step: Step | null): Taking[] {
  const { config } = draft
  if (!isTree(config)) return []
  const hostKey = hostKeyOf(plainAt(draft, 'ip'))
  const { output, 'card-idx': cardIdx } = config as unknown as EncoderConfig
  const place = { host: hostKey, port: Number(textAt(draft, 'port')), cardIdx: Number(cardIdx) }
  const holds = `card ${encoderHost(draft)} ${cardIdx}`
  const isConfigSent =
    step === null ||
    step.does === 'add' ||
    step.changes.some(({ field }) => /^config\b/.test(field))
  const card: Taking = {
    holds,
    excludedBy: [{ name: holds, place: { kind: 'card', ...place } }],
    refusal: (who) => cardTaken({ hostKey, ...place }, who, isConfigSent),
  }
  return [
    card,
    ...targetClaims(hostKey, output).map(({ field, ...claim }) => portTaking(claim, field)),
  ]
}

function portTaking(claim: PortClaim, field: string): Taking {
  const held = (hostKey: string): Held => ({
    name: `port ${hostKey} ${claim.port}`,
    place: { kind: 'port', ...partsOfKey(hostKey), port: claim.port },
  })
  return {
    holds: held(claim.hostKey).name,
    excludedBy: excludingKeys(claim).map(held),
    refusal: (who) => ({ field, sentence: takenSentence(claim, who) }),
  }
}

function ownerOf({ kind, key }: Placed): string {
  const title = kind === 'feeder' ? key.at(-2) : key.at(-1)
  return ownerName(kind as ClaimOwner, title ?? '')
}
