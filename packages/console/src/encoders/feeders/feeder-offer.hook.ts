/** What the chosen server offers to a feeder: its addresses, and the next target port. */
import { useQuery } from '@tanstack/react-query'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import { useState } from 'react'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { GATEWAYS } from '../../shared/choices/server.queries.ts'
import { feederServerQuery, nextPortQuery } from './feeder.queries.ts'
import type { Offer } from './feeder-form.rules.ts'

export interface ServerOffer extends Offer {
  /** The first of those that match what is typed. */
  servers: readonly { _id: string; title: string }[]
  /** How many match beside them. */
  more: number
  onType: (text: string) => void
  isFailed: boolean
  serverTitle: string
  /** FEED-21: its adapters' addresses. */
  addresses: readonly string[]
  choose: (serverId: string) => void
}

/** Of an edited feeder nothing is offered until another server is chosen. */
export function useOffer(feeder: Feeder | null): ServerOffer {
  const [serverId, setServerId] = useState(feeder?.serverId ?? '')
  const { rows, more, onType, isError } = useChoices(GATEWAYS, '')
  const server = useQuery(feederServerQuery(serverId)).data
  const port = useQuery(nextPortQuery(serverId, serverId !== feeder?.serverId)).data
  const addresses = server?.adapterIps.map(({ adapterIp }) => adapterIp) ?? []
  return {
    servers: rows,
    more,
    onType,
    isFailed: isError,
    serverTitle: server?.title ?? '',
    addresses,
    targetIp: addresses[0] ?? '',
    targetPort: port === undefined ? '' : String(port),
    choose: setServerId,
  }
}
