/** What an encoder takes of its host: a card, and the targets that it feeds. */
import { type EncoderConfig, parseTarget } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Role } from '@trunkline/contract/roles'
import { type PortClaim, targetKey } from '../../ports/port-claim.rules.ts'

/** Where a card is. */
export interface CardPlace {
  hostKey: string
  port: number
  cardIdx: number
}

/** One card of a host has one encoder (Q68). `who` has the card; `isConfigSent`: the save names a card, rather than moving the encoder to a host. */
export function cardTaken(
  { hostKey, port, cardIdx }: CardPlace,
  who: string,
  isConfigSent: boolean,
): { field: string; sentence: string } {
  const place = `Card ${cardIdx} of host ${hostKey}:${port}`
  return isConfigSent
    ? {
        field: 'config.card-idx',
        sentence: `${place} is used by ${who} already. Choose another card index.`,
      }
    : {
        field: 'ip',
        sentence: `${place} is used by ${who} already. Choose another host or port, or another card index first.`,
      }
}

/** Who has a card, to somebody who does not see that encoder. To an editor the group says nothing: they see those that they are assigned to (Q32). */
export function unseenEncoder(role: Role): string {
  return role === 'editor' ? 'an encoder that is not assigned to you' : "another group's encoder"
}

/** Each target has one sender on the host. */
export function targetClaims(
  hostKey: string,
  outputs: EncoderConfig['output'],
): (PortClaim & { field: string })[] {
  return outputs.flatMap(({ target }, index) => {
    const parsed = parseTarget(target)
    if (parsed === null) return []
    const field = `config.output.${index}.target`
    return [{ hostKey: targetKey(hostKey, parsed.host), port: parsed.port, leg: 'target', field }]
  })
}
