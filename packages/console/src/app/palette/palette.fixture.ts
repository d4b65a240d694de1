import { waitFor, within } from '@testing-library/react'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Role } from '@trunkline/contract/roles'
import { searchObjects, type Found } from '@trunkline/contract/search/search.calls'
import type { Asked, FakeApi } from '../../test/fake-api.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { inputOf, linkStatusOf } from '../../test/link.samples.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { encoderOf, statusOf } from '../../test/samples.ts'

export const NOTHING: Found = {
  encoders: [],
  feeders: [],
  inputs: [],
  outputs: [],
  channels: [],
  destinations: [],
  servers: [],
  templates: [],
  groups: [],
  users: [],
}
export const MARATHON = inputOf('a', { title: 'Marathon km 30' })
export const CAMERA = encoderOf('c', { title: 'Marathon camera' })

interface Site {
  role: Role
  programs: readonly ProgramStatus[]
  found: (asked: Asked) => Partial<Found>
  prepare: (api: FakeApi) => void
  /** With its key, before it is there. */
  typed: string
}

/** The palette opened by its key on the page of groups. */
export async function openPalette(parts: Partial<Site> = {}) {
  const {
    role = 'admin',
    typed = '',
    programs = [linkStatusOf('input', 'a'), statusOf('c')],
  } = parts
  const found = parts.found ?? (() => ({ inputs: [MARATHON], encoders: [CAMERA] }))
  const scene = renderConsole({
    path: '/dashboard/userManager',
    role,
    prepare: (api) => {
      api
        .on(searchObjects)
        .answer((asked) => ({ status: true, data: { ...NOTHING, ...found(asked) }, more: 0 }))
      parts.prepare?.(api)
    },
  })
  const { screen, user, api } = scene
  await waitFor(() => {
    if (!api.stream.isConnected()) throw new Error('The live stream is not open yet.')
  })
  api.stream.push(snapshotOf({ programs: [...programs] }))
  await user.keyboard(`{Control>}k{/Control}${typed}`)
  const dialog = await screen.findByRole('dialog', { name: 'Jump to' })
  const field = within(dialog).getByRole('combobox', { name: /Find an object/ })
  await waitFor(() => {
    if (document.activeElement !== field) throw new Error('The field has no focus yet.')
  })
  const option = async (name: RegExp | string) => within(dialog).findByRole('option', { name })
  /** The text of the line that Enter chooses. */
  const marked = () =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent
  const groups = () =>
    within(dialog)
      .getAllByRole('group')
      .map((group) => group.getAttribute('aria-labelledby'))
      .map((id) => document.getElementById(id ?? '')?.textContent)
  return { ...scene, dialog, field, option, marked, groups }
}
