/** What the palette lists as objects, whatever kind they are. */
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { EncoderTemplate } from '@trunkline/contract/encoders/template.schema'
import { foldCase } from '@trunkline/contract/search/fold.rules'
import { FOUND_KINDS, keyText, type FoundKind } from '@trunkline/contract/search/found-key.rules'
import { bestFirst } from '@trunkline/contract/search/rank.rules'
import type { Found } from '@trunkline/contract/search/search.calls'
import { linkOf, type Link } from '../../contributions/link.rules.ts'
import { groupOf } from '../../encoders/templates/template.rules.ts'
import { targetOf } from '../../encoders/feeders/feeder.rules.ts'

/** What is known of it beside its title; what has a state brings what that is read by. */
export type Content =
  | { kind: 'encoder'; encoder: Encoder }
  | { kind: 'feeder'; encoder: Encoder; feeder: Feeder }
  | { kind: 'input' | 'output'; link: Link }
  | { kind: 'channel'; channel: Channel }
  | { kind: 'server'; server: Found['servers'][number] }
  | { kind: 'template'; template: EncoderTemplate }
  | { kind: 'destination' | 'group' | 'user' }

export interface FoundObject {
  /** 'input:a1'. */
  key: string
  kind: FoundKind
  id: string
  title: string
  /** Where it is: an address, a group, an e-mail. */
  detail: string
  content: Content
}

/** In the order of their kinds. */
export function objectsOf(found: Found): FoundObject[] {
  return [
    ...found.encoders.map((encoder) => {
      const { id, title, ip, port, groupInfo } = encoder
      return made(id, title, `${ip}:${port} · ${groupInfo.title}`, { kind: 'encoder', encoder })
    }),
    ...found.feeders.map(({ encoder, feeder }) => {
      const detail = `${encoder.title} to ${targetOf(feeder)}`
      return made(feeder.name, feeder.input.title, detail, { kind: 'feeder', encoder, feeder })
    }),
    ...found.inputs.map((input) => {
      const link = linkOf(input)
      const detail = `${input.serverInfo.title} · port ${input.config.port}`
      return made(input.id, input.title, detail, { kind: 'input', link })
    }),
    ...found.outputs.map((output) => {
      const link = linkOf(output)
      const place = link.host === '' ? `port ${link.port}` : `${link.host}:${link.port}`
      const detail = `${output.contributionInfo.title} · ${place}`
      return made(output.id, output.title, detail, { kind: 'output', link })
    }),
    ...found.channels.map((channel) => {
      const { id, title, name, serverInfo } = channel
      return made(id, title, `${serverInfo.title} · ${name}`, { kind: 'channel', channel })
    }),
    ...found.servers.map((server) => {
      const { id, title, host, port } = server
      return made(id, title, `${host}:${port}`, { kind: 'server', server })
    }),
    ...found.destinations.map(({ id, title, ip }) => made(id, title, ip, { kind: 'destination' })),
    ...found.templates.map((template) =>
      made(template.id, template.title, groupOf(template), { kind: 'template', template }),
    ),
    ...found.groups.map(({ id, title }) => made(id, title, '', { kind: 'group' })),
    ...found.users.map(({ id, title, email }) => made(id, title, email, { kind: 'user' })),
  ]
}

function made(id: string, title: string, detail: string, content: Content): FoundObject {
  const { kind } = content
  return { key: keyText({ kind, id }), kind, id, title, detail, content }
}

/**
 * The best match first. `isAnswer`: all of them were found for this text; otherwise those that still
 * match what is typed since, so that nothing is listed that was not asked for.
 */
export function objectsFor(
  text: string,
  objects: readonly FoundObject[],
  isAnswer: boolean,
): FoundObject[] {
  const folded = foldCase(text)
  const candidates = objects.map((object) => {
    const { id, title, detail } = object
    // What runs comes before people.
    const order = FOUND_KINDS.indexOf(object.kind)
    return { id, search: foldCase(`${title}\n${detail}`), order, object }
  })
  const matching = isAnswer
    ? candidates
    : candidates.filter(({ id, search }) => id === folded || search.includes(folded))
  return bestFirst(folded, matching).map(({ object }) => object)
}

/** In the order of the keys. */
export function inOrderOf(keys: readonly string[], objects: readonly FoundObject[]): FoundObject[] {
  const known = new Map(objects.map((object) => [object.key, object]))
  return keys.flatMap((key) => known.get(key) ?? [])
}
