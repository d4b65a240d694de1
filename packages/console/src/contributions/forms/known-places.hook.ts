/** What an input or output form knows of its surroundings: servers, groups, inputs, destinations. */
import { useQuery } from '@tanstack/react-query'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { type Choices, useChoices } from '../../shared/choices/choices.hook.ts'
import { useGroupChoices } from '../../shared/choices/group.queries.ts'
import { GATEWAYS } from '../../shared/choices/server.queries.ts'
import { inputsOfServer } from '../contribution.queries.ts'
import { DESTINATIONS } from '../destinations/destination.queries.ts'
import type { LinkKind } from '../link.rules.ts'
import { serverQuery } from './form.queries.ts'
import type { FieldName, LinkValues, TitleOf } from './link-field.rules.ts'

interface Titled {
  id: string
  title: string
}

export interface KnownPlaces {
  servers: Listed<Titled>
  /** The one that the link runs on; null while it is not read, or not there. */
  server: Server | null
  groups: Listed<Titled>
  /** Of that server; empty for an input's form. */
  inputs: Listed<Titled>
  destinations: Listed<Destination>
  /** null while it is not read, or not there. */
  destinationOf: (id: string) => Destination | null
  titleOf: TitleOf
}

/** Rows to choose from: the first of those that match what is typed, and the chosen one. */
export interface Listed<T> {
  rows: readonly T[]
  search: Search
  /** Of all, whatever is typed. */
  total: number
}

/** How many rows match beside those that were read, and where to say what is typed. */
export interface Search {
  more: number
  onType: (text: string) => void
}

/** What is chosen in the form. */
export type ChosenPlaces = Record<
  'serverId' | 'groupId' | 'contributionId' | 'destinationId',
  string
>

export function placesOf(values: LinkValues): ChosenPlaces {
  const { serverId, groupId, contributionId, destinationId } = values
  return { serverId, groupId, contributionId, destinationId }
}

/** `serverId`: of the link, which is chosen in the form of a new input alone. */
export function useKnownPlaces(
  kind: LinkKind,
  serverId: string,
  chosen: ChosenPlaces,
): KnownPlaces {
  const isOutput = kind === 'output'
  const server = useQuery(serverQuery(serverId)).data ?? null
  const servers = useServers(server)
  const groups = useGroupChoices(chosen.groupId)
  const inputs = useChoices(inputsOfServer(serverId), chosen.contributionId, isOutput)
  const destinations = useChoices(DESTINATIONS, chosen.destinationId, isOutput)
  const titles: Partial<Record<FieldName, (id: string) => { title: string } | null>> = {
    serverId: (id) => servers.rows.find((row) => row.id === id) ?? null,
    groupId: groups.known,
    contributionId: inputs.known,
    destinationId: destinations.known,
  }
  return {
    servers,
    server,
    groups: listed(groups, ({ _id: id, title }) => ({ id, title })),
    inputs: listed(inputs, (input) => input),
    destinations: listed(destinations, (destination) => destination),
    destinationOf: destinations.known,
    titleOf: (name, id) => titles[name]?.(id)?.title ?? id,
  }
}

function listed<T, R>({ rows, more, onType, total }: Choices<T>, to: (row: T) => R): Listed<R> {
  return { rows: rows.map(to), search: { more, onType }, total }
}

/** Beyond the first 100 the one of the route is known all the same. */
function useServers(server: Server | null): Listed<Titled> {
  const { rows, more, onType, total } = useChoices(GATEWAYS, '')
  const isListed = server === null || rows.some(({ _id }) => _id === server._id)
  return { rows: isListed ? rows : [server, ...rows], search: { more, onType }, total }
}
