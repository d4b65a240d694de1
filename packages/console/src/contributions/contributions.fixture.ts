/** The Contributions page in a test, in front of lists that are paged as the API pages them. */
import { screen, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { readLatencyAdvice } from '@trunkline/contract/paths/latency.calls'
import { linkHistory } from '@trunkline/contract/contributions/history.calls'
import { transportHistory } from '@trunkline/contract/contributions/transport-history.calls'
import { listInputs, matchInputs } from '@trunkline/contract/contributions/input.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { MatchingLinks } from '@trunkline/contract/contributions/link.schema'
import { listOutputs, matchOutputs } from '@trunkline/contract/contributions/output.calls'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Role } from '@trunkline/contract/roles'
import { listServers } from '@trunkline/contract/servers/server.calls'
import type { Asked, FakeApi } from '../test/fake-api.ts'
import { snapshotOf } from '../test/fake-stream.ts'
import { NO_TRANSPORT_HISTORY } from '../test/transport.samples.ts'
import { NO_ADVICE } from '../test/latency.samples.ts'
import { inputOf } from '../test/link.samples.ts'
import { renderConsole } from '../test/render-console.tsx'

interface Site {
  path: string
  role: Role
  inputs: readonly Input[]
  outputs: readonly Output[]
  destinations: readonly Destination[]
  programs: readonly ProgramStatus[]
  /** No picture of the fleet has come yet. */
  isUnread: boolean
  prepare: (api: FakeApi) => void
}

/** As the API pages: a size of 0 is all. */
export function pageOf<T extends { id: string; title: string }>(
  rows: readonly T[],
  { query }: Asked,
): T[] {
  const wanted = (query.get('searchValue') ?? '').toLowerCase()
  const id = query.get('id') ?? ''
  const matching = rows.filter(
    (row) => row.title.toLowerCase().includes(wanted) && (id === '' || row.id === id),
  )
  const size = Number(query.get('rowsPerPage') ?? 12)
  const from = Number(query.get('page') ?? 0) * size
  return size === 0 ? matching : matching.slice(from, from + size)
}

export async function openContributions(parts: Partial<Site>) {
  const { inputs = [inputOf('a')], outputs = [], destinations = [], programs = [] } = parts
  const scene = renderConsole({
    path: parts.path ?? '/dashboard/contribution',
    role: parts.role ?? 'admin',
    prepare: (api) => {
      answerLists(api, inputs, outputs, destinations)
      parts.prepare?.(api)
    },
  })
  await waitFor(() => expectConnected(scene.api))
  if (parts.isUnread !== true) scene.api.stream.push(snapshotOf({ programs: [...programs] }))
  /** Once its state has been read: before that nobody can command it. */
  const row = async (title: string) => {
    const name = new RegExp(`${title}\\b`)
    const found = await screen.findByRole('row', { name })
    if (parts.isUnread !== true) await waitFor(() => expectRead(found))
    return found
  }
  return { ...scene, row }
}

function answerLists(
  api: FakeApi,
  inputs: readonly Input[],
  outputs: readonly Output[],
  destinations: readonly Destination[],
): void {
  api.on(listInputs).answer((asked) => ({
    status: true,
    contributions: pageOf(inputs, asked),
    total: inputs.length,
  }))
  api.on(listOutputs).answer((asked) => ({
    status: true,
    outputs: pageOf(outputs, asked),
    total: outputs.length,
  }))
  api.on(matchInputs).answer(() => ({ status: true, data: stoppedOf(inputs) }))
  api.on(matchOutputs).answer(() => ({ status: true, data: stoppedOf(outputs) }))
  api.on(listDestinations).answer((asked) => ({
    status: true,
    destinations: pageOf(destinations, asked),
    length: destinations.length,
    total: destinations.length,
  }))
  api.on(listServers).answer(() => ({ status: true, data: [], total: 0 }))
  api.on(transportHistory).answer(() => ({ status: true, data: NO_TRANSPORT_HISTORY }))
  api.on(readLatencyAdvice).answer(() => ({ status: true, data: NO_ADVICE }))
  api.on(linkHistory).answer(() => ({ status: true, fromMs: 0, toMs: 0, stepMs: 1, series: [] }))
}

function stoppedOf(links: readonly (Input | Output)[]): MatchingLinks {
  const group = {
    state: 'stopped' as const,
    ids: links.map(({ id }) => id),
    names: links.map(({ name }) => name),
    outputs: links.map((link) => ('outputIds' in link ? link.outputIds.length : 0)),
  }
  return { total: links.length, states: [group] }
}

function expectRead(row: HTMLElement): void {
  if (row.textContent.includes('Reading')) throw new Error('Its state is not read yet.')
}

function expectConnected(api: FakeApi): void {
  if (!api.stream.isConnected()) throw new Error('The live stream is not open yet.')
}

/** What the table of inputs asked for, oldest first. */
export function queriesOf(api: FakeApi) {
  return api
    .askedOf(listInputs)
    .map((item) => Object.fromEntries(item.query))
    .filter((query) => 'page' in query && 'groupId' in query)
}

export function actionsOf(api: FakeApi) {
  return api.askedOf(contributionAction).map((item) => item.body)
}

/** The bar of what is selected: a part of the console that is loaded when it is first wanted. */
export async function findBar() {
  return within(await screen.findByRole('group', { name: /^Selected/ }))
}
