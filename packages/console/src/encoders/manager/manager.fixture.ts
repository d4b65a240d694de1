/** The manager's table of a small fleet, opened before a fake network: for the tests of page and dialogs. */
import { waitFor, within } from '@testing-library/react'
import { listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { HostStatus, ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Role } from '@trunkline/contract/roles'
import type { User } from '@trunkline/contract/users/user.schema'
import { expect } from 'vitest'
import type { FakeApi } from '../../test/fake-api.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { encoderOf } from '../../test/samples.ts'
import { answerPeople, personOf } from '../../test/user.samples.ts'

interface Fleet {
  path: string
  encoders: readonly Encoder[]
  hosts: readonly HostStatus[]
  programs: readonly ProgramStatus[]
  editors: readonly User[]
  role: Role
  prepare: (api: FakeApi) => void
}

export async function openManager(parts: Partial<Fleet>) {
  const { encoders = [encoderOf('a')], editors = [] } = parts
  const scene = renderConsole({
    path: parts.path ?? '/dashboard/managerEncoder',
    role: parts.role ?? 'admin',
    prepare: (api) => {
      answerList(api, encoders)
      answerPeople(api, editors)
      parts.prepare?.(api)
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  const { programs = [] } = parts
  const hosts = (parts.hosts ?? []).map((host) => ({ ...host, kind: 'encoder' as const }))
  scene.api.stream.push(snapshotOf({ hosts, programs: [...programs] }))
  const { screen, user } = scene
  const row = async (title: string) => screen.findByRole('row', { name: new RegExp(`${title}\\b`) })
  return {
    ...scene,
    row,
    /** Opens the menu of a row; its items are found in what is answered. */
    menuOf: async (title: string) => {
      await row(title)
      await user.click(screen.getByRole('button', { name: `More for ${title}` }))
      return within(await screen.findByRole('menu', { name: `More for ${title}` }))
    },
  }
}

/** As the API pages and searches. */
export function answerList(api: FakeApi, encoders: readonly Encoder[]): void {
  api.on(listEncoders).answer(({ query }) => {
    const size = Number(query.get('rowsPerPage') ?? 12)
    const from = Number(query.get('page') ?? 0) * size
    const text = query.get('searchValue') ?? ''
    const found = encoders.filter(({ title, ip }) => `${title}\n${ip}`.includes(text))
    const shown = size === 0 ? found : found.slice(from, from + size)
    return { status: true, encoders: shown, total: found.length }
  })
}

/** What was asked for the table, oldest first; the look for a host's key asks for all rows. */
export function listsOf(api: FakeApi) {
  return api
    .askedOf(listEncoders)
    .map(({ query }) => Object.fromEntries(query))
    .filter((query) => query['rowsPerPage'] !== '0')
}

export function editorOf(id: string, fullName: string): User {
  return personOf('editor', { _id: id, fullName, email: `${id}@trunkline.example` })
}
