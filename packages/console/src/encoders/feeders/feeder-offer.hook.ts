/** What the chosen server offers to a feeder: its addresses, and the next target port. */
import { useQuery } from '@tanstack/react-query'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import { useState } from 'react'
import { feederServerQuery, feederServersQuery, nextPortQuery } from './feeder.queries.ts'
import type { Offer } from './feeder-form.rules.ts'

export interface ServerOffer extends Offer {
  servers: readonly { _id: string; title: string }[]
  isFailed: boolean
  serverTitle: string
  /** FEED-21: its adapters' addresses. */
  addresses: readonly string[]
  choose: (serverId: string) => void
}

/** Of an edited feeder nothing is offered until another server is chosen. */
export function useOffer(feeder: Feeder | null): ServerOffer {
  const [serverId, setServerId] = useState(feeder?.serverId ?? '')
  const servers = useQuery(feederServersQuery())
  const server = useQuery(feederServerQuery(serverId)).data
  const port = useQuery(nextPortQuery(serverId, serverId !== feeder?.serverId)).data
  const addresses = server?.adapterIps.map(({ adapterIp }) => adapterIp) ?? []
  return {
    servers: servers.data ?? [],
    isFailed: servers.isError,
    serverTitle: server?.title ?? '',
    addresses,
    targetIp: addresses[0] ?? '',
    targetPort: port === undefined ? '' : String(port),
    choose: setServerId,
  }
}
