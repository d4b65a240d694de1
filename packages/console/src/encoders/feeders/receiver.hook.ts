/** The server that a feeder calls, and the input there that receives it: one row of each is read. */
import { useQuery } from '@tanstack/react-query'
import {
  addressOfFeeder,
  findInputOfFeeder,
  serverOfFeeder,
} from '@trunkline/contract/contributions/feeder-input.rules'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { inputsAtPortQuery, serverAtQuery } from '../../shared/choices/server.queries.ts'
import { feederServerQuery } from './feeder.queries.ts'

export interface Receiver {
  /** null while it is not read, or where the feeder calls no server of ours. */
  server: Server | null
  /** null while it is not read, or where no input that this user sees listens there. */
  input: Input | null
  isRead: boolean
  isFailed: boolean
}

export function useReceiver(feeder: Feeder): Receiver {
  const own = useQuery(feederServerQuery(feeder.serverId))
  const called = serverOfFeeder(feeder, own.data === undefined ? [] : [own.data])
  const address = addressOfFeeder(feeder)
  // Its own server before others: these are asked for only where it is not the one that is called.
  const isOther = own.isFetched && called === null && address !== ''
  const other = useQuery({ ...serverAtQuery(address), enabled: isOther })
  const server = called ?? serverOfFeeder(feeder, other.data ?? [])
  const port = feeder.output[0]?.port ?? 0
  const inputs = useQuery(inputsAtPortQuery(server?._id ?? '', port))
  return {
    server,
    input: findInputOfFeeder(feeder, inputs.data ?? []),
    isRead: server === null ? own.isFetched && (!isOther || other.isFetched) : inputs.isFetched,
    isFailed: (isOther && other.isError) || inputs.isError,
  }
}
