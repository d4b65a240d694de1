/** The input of ours that receives a feeder or an output, and what only a receiving end can count. */
import { Link } from '@tanstack/react-router'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { numberText } from '../../shared/format.ts'
import { useProgramView } from './program-view.hook.ts'

export function ReceivedBy({ input }: { input: Input }) {
  const { id, title, serverId, groupId, serverInfo } = input
  return (
    <>
      Received by input{' '}
      <Link
        to="/dashboard/$serverId/$groupId/contribution/$id"
        params={{ serverId, groupId, id }}
        preload={false}
      >
        {title}
      </Link>{' '}
      on {serverInfo.title}
      <CountedThere input={input} />
    </>
  )
}

function CountedThere({ input: { id, inputType, isEnabled } }: { input: Input }) {
  const watched = { kind: 'input', id, isEnabled, isConfigured: true, inputType } as const
  const { reading } = useProgramView(watched, null)
  const lost = reading?.droppedPackets ?? null
  if (lost === null) return '.'
  const counted = lost === 1 ? '1 packet' : `${numberText(lost)} packets`
  return `: ${counted} dropped on the way since it started.`
}
