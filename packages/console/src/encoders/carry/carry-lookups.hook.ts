/** What the carry form looks up: the chosen server, its free port and inputs, and the chosen destination. */
import { useQuery } from '@tanstack/react-query'
import { findInputOfFeeder } from '@trunkline/contract/contributions/feeder-input.rules'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useState } from 'react'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import { sentenceFor } from '../../lib/api-error.ts'
import { inputsAtPortQuery } from '../../shared/choices/server.queries.ts'
import { feederServerQuery, nextPortQuery } from '../feeders/feeder.queries.ts'
import type { CarryKnown } from './carry-form.rules.ts'
import { NO_PORT } from './carry.messages.ts'

export interface CarryLookups {
  known: CarryKnown
  /** '' while it is not known. */
  serverTitle: string
  /** FEED-21: addresses of the server. */
  addresses: readonly string[]
  /** Why no free port is offered; '' when one is. */
  portFailure: string
  chooseServer: (id: string) => void
  /** The feeder that is used as it is; '' for none. */
  keepFeeder: (name: string) => void
  chooseDestination: (destination: Destination | null) => void
  /** After a refusal: somebody else may have taken the port that was offered. */
  readAgain: () => void
}

export function useCarryLookups(encoder: Encoder, config: EncoderConfig): CarryLookups {
  const [serverId, setServerId] = useState('')
  const [keptName, setKeptName] = useState('')
  const [destination, setDestination] = useState<Destination | null>(null)
  const server = useQuery(feederServerQuery(serverId)).data
  const port = useQuery(nextPortQuery(serverId, true))
  const kept = config.feeder.find(({ name }) => name === keptName)
  const inputs = useQuery(
    inputsAtPortQuery(kept === undefined ? '' : serverId, kept?.output[0]?.port ?? 0),
  )
  const receiver = kept === undefined ? null : findInputOfFeeder(kept, inputs.data ?? [])
  const adapters = server?.adapterIps.map(({ adapterIp }) => adapterIp) ?? []
  const offer = {
    targetIp: adapters[0] ?? (server === undefined ? '' : hostKeyOf(server.host)),
    targetPort: port.data === undefined ? '' : String(port.data),
  }
  return {
    known: { encoder, config, offer, destination, receiver: receiver?.title ?? '' },
    serverTitle: server?.title ?? '',
    addresses: adapters,
    portFailure: port.isError ? sentenceFor(port.error, NO_PORT) : '',
    chooseServer: setServerId,
    chooseDestination: setDestination,
    keepFeeder: setKeptName,
    readAgain: () => {
      if (serverId === '') return
      void port.refetch()
      if (kept !== undefined) void inputs.refetch()
    },
  }
}
