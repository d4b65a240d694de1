/** Where an output calls an input of ours: that input, which counts what was lost on the way. */
import { useQuery } from '@tanstack/react-query'
import { findListener } from '@trunkline/contract/contributions/feeder-input.rules'
import { ReceivedBy } from '../../programs/status/ReceivedBy.tsx'
import { inputsAtPortQuery, serverAtQuery } from '../../shared/choices/server.queries.ts'
import type { Link } from '../link.rules.ts'
import classes from './LinkDetail.module.css'

export function OutputReceiver({ output: { type, host, port } }: { output: Link }) {
  const server = useQuery(serverAtQuery(host)).data?.[0]
  const inputs = useQuery(inputsAtPortQuery(server?._id ?? '', port)).data ?? []
  const input = findListener(inputs, type, port)
  if (input === null) return null
  return (
    <p className={classes.receiver}>
      <ReceivedBy input={input} />
    </p>
  )
}
