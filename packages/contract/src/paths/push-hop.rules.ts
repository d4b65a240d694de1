/** The push outputs of a channel as hops behind it. */
import type { StreamDetail } from '../channels/stream.schema.ts'
import { factsOfHop, stateOfHop, type HopEvidence } from './hop-state.rules.ts'
import type { ShownHop } from './path.schema.ts'

/** Of those whose media server says how they do; others are only counted at the channel. */
export function pushHopsOf(
  channel: ShownHop,
  stream: StreamDetail,
  evidence: HopEvidence,
): ShownHop[] {
  return stream.pushes.flatMap(({ url, disabled = false, stats }, at): ShownHop[] => {
    if (!disabled && stats?.status === undefined) return []
    const hop = {
      ...channel,
      key: `push ${at} of ${channel.id}`,
      side: 'behind',
      kind: 'push',
      id: String(at),
      title: url,
      isEnabled: !disabled,
      ownerId: channel.id,
    } as const
    return [{ ...hop, state: stateOfHop(hop, evidence), facts: factsOfHop(hop, evidence) }]
  })
}
