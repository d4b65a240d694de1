/** The input and output forms, opened before a fake network. */
import { screen, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import {
  addInput,
  listInputs,
  nextMulticast,
  readInput,
  updateInput,
} from '@trunkline/contract/contributions/input.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import {
  addOutput,
  listOutputs,
  readOutput,
  updateOutput,
} from '@trunkline/contract/contributions/output.calls'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { nextFeederPort } from '@trunkline/contract/encoders/feeder.calls'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Role } from '@trunkline/contract/roles'
import { findServer, listServers } from '@trunkline/contract/servers/server.calls'
import { expect } from 'vitest'
import { type FakeApi, refuse } from '../../test/fake-api.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { inputOf, outputOf } from '../../test/link.samples.ts'
import { serverOf } from '../../test/place.samples.ts'
import { formSteps, renderConsole } from '../../test/render-console.tsx'

export const SERVER = serverOf('gw-west', { title: 'gw-west-02' })
export const OFFERED_GROUP = '239.255.0.9'
export const OFFERED_PORT = 6008

interface Scene {
  role: Role
  path: string
  inputs: readonly Input[]
  outputs: readonly Output[]
  destinations: readonly Destination[]
  programs: readonly ProgramStatus[]
  prepare: (api: FakeApi) => void
}

export const PATHS = {
  newInput: '/dashboard/gw-west/north/contribution/new',
  input: '/dashboard/gw-west/north/contribution/a',
  newOutput: '/dashboard/gw-west/output/a',
  output: '/dashboard/gw-west/output_edit/o',
} as const

export const outputOfA = (parts: Partial<Output> = {}): Output =>
  outputOf('o', {
    contributionId: 'a',
    contributionInfo: {
      _id: 'a',
      title: 'Input a',
      serverId: 'gw-west',
      config: { multicast: '239.77.2.1', port: '6002' },
    },
    ...parts,
  })

export async function openForm(path: string, parts: Partial<Scene> = {}) {
  // What the API holds now; a test changes it as another operator would.
  const held = {
    inputs: [...(parts.inputs ?? [inputOf('a')])],
    outputs: [...(parts.outputs ?? [outputOfA()])],
  }
  const scene = renderConsole({
    path,
    role: parts.role ?? 'admin',
    prepare: (api) => {
      answerPlaces(api, parts.destinations ?? [])
      answerInputs(api, held)
      answerOutputs(api, held)
      api.on(contributionAction).answer(() => ({ status: true, results: 'input RUNNING' }))
      parts.prepare?.(api)
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  scene.api.stream.push(snapshotOf({ programs: [...(parts.programs ?? [])] }))
  return { ...scene, held, ...stepsOf(scene) }
}

function answerPlaces(api: FakeApi, destinations: readonly Destination[]): void {
  api.on(listServers).answer(() => ({ status: true, data: [SERVER], total: 1 }))
  api
    .on(findServer)
    .answer(({ path }) =>
      path.endsWith('/gw-west')
        ? { status: true, data: SERVER, adapterIps: SERVER.adapterIps }
        : refuse(404, 'There is no such server.'),
    )
  api.on(nextMulticast).answer(() => ({
    status: true,
    data: OFFERED_GROUP,
    multicast: OFFERED_GROUP,
  }))
  api.on(nextFeederPort).answer(() => ({ status: true, data: OFFERED_PORT, port: OFFERED_PORT }))
  api.on(listDestinations).answer(() => ({
    status: true,
    destinations: [...destinations],
    length: destinations.length,
    total: destinations.length,
  }))
}

interface Held {
  inputs: Input[]
  outputs: Output[]
}

function answerInputs(api: FakeApi, held: Held): void {
  api.on(listInputs).answer(() => ({
    status: true,
    contributions: held.inputs,
    total: held.inputs.length,
  }))
  api.on(readInput).answer(({ path }) => {
    const found = held.inputs.find(({ id }) => path.endsWith(`/${id}`))
    return found === undefined
      ? refuse(404, 'There is no such input.')
      : { status: true, data: found, contribution: found }
  })
  const saved = () => held.inputs[0] ?? inputOf('a')
  api.on(addInput).answer(() => ({ status: true, data: saved(), id: saved().id }))
  api.on(updateInput).answer(() => ({ status: true, data: saved(), warnings: [] }))
}

function answerOutputs(api: FakeApi, held: Held): void {
  api.on(listOutputs).answer(() => ({
    status: true,
    outputs: held.outputs,
    total: held.outputs.length,
  }))
  const saved = () => held.outputs[0] ?? outputOfA()
  api.on(readOutput).answer(() => ({ status: true, data: saved(), output: saved() }))
  api.on(addOutput).answer(() => ({ status: true, data: saved(), id: saved().id }))
  api.on(updateOutput).answer(() => ({ status: true, data: saved(), warnings: [] }))
}

type Opened = ReturnType<typeof renderConsole>

const SAVES = [addInput, updateInput, addOutput, updateOutput]

function stepsOf({ api, user }: Opened) {
  const field = async (label: string) =>
    // A tab and its panel may have the name of a field.
    screen.findByLabelText(label, { selector: 'input, select, textarea' })
  const pick = async (group: string, choice: string) => {
    const segments = await screen.findByRole('group', { name: group })
    await user.click(within(segments).getByRole('button', { name: choice }))
  }
  return {
    ...formSteps(user, field),
    pick,
    valueOf: async (label: string) => ((await field(label)) as HTMLInputElement).value,
    /** The bodies that were sent, oldest first. */
    saves: () => SAVES.flatMap((route) => api.askedOf(route)).map((item) => item.body),
  }
}
