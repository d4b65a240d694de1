/** What an input or output form knows of its surroundings: servers, groups, inputs, destinations. */
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { groupsQuery } from '../../shared/group.queries.ts'
import { inputsOfServerQuery, serverChoicesQuery } from '../../shared/server.queries.ts'
import type { LinkKind } from '../link.rules.ts'
import { destinationChoicesQuery, serverQuery } from './form.queries.ts'
import type { TitleOf } from './link-change.rules.ts'
import type { FieldName } from './link-field.rules.ts'

interface Titled {
  id: string
  title: string
}

export interface KnownPlaces {
  servers: readonly Titled[]
  /** The one that the link runs on; null while it is not read, or not there. */
  server: Server | null
  groups: readonly Titled[]
  /** Of that server; empty for an input's form. */
  inputs: readonly Titled[]
  destinations: readonly Destination[]
  titleOf: TitleOf
  /** Of the servers that are not read: how many match, and where to say what is typed. */
  serverSearch: Search
}

export interface Search {
  more: number
  onType: (text: string) => void
}

export function useKnownPlaces(kind: LinkKind, serverId: string): KnownPlaces {
  const isOutput = kind === 'output'
  const [typed, setTyped] = useState('')
  const found = useQuery(serverChoicesQuery(useDeferredValue(typed))).data
  const listed = found?.data ?? []
  const server = useQuery(serverQuery(serverId)).data ?? null
  const groups = (useQuery(groupsQuery()).data ?? []).map(({ _id: id, title }) => ({ id, title }))
  const inputs = useQuery(inputsOfServerQuery(isOutput ? serverId : '')).data ?? []
  const destinations = useQuery(destinationChoicesQuery(isOutput)).data ?? []
  // Beyond the first 100 the one of the route is known all the same.
  const isListed = server === null || listed.some(({ _id }) => _id === server._id)
  const servers = isListed ? listed : [server, ...listed]
  const known = { servers, groups, inputs, destinations }
  const serverSearch = { more: (found?.total ?? 0) - listed.length, onType: setTyped }
  return { ...known, server, serverSearch, titleOf: (name, id) => titleIn(known, name, id) }
}

function titleIn(
  known: Pick<KnownPlaces, 'servers' | 'groups' | 'inputs' | 'destinations'>,
  name: FieldName,
  id: string,
): string {
  const lists: Partial<Record<FieldName, readonly Titled[]>> = {
    serverId: known.servers,
    groupId: known.groups,
    contributionId: known.inputs,
    destinationId: known.destinations,
  }
  return lists[name]?.find((one) => one.id === id)?.title ?? id
}
