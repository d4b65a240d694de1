/** The dashboard of a small fleet, opened before a fake network: for the tests of page and card. */
import { waitFor } from '@testing-library/react'
import { linkHistory } from '@trunkline/contract/contributions/history.calls'
import {
  controlEncoder,
  countEncoders,
  listAllEncoders,
  type EncoderCommandResult,
} from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { WORST_LISTED, type ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { isShown, noFamilies, type Show } from '@trunkline/contract/fleet/show.rules'
import { FAMILIES, viewOfEncoder, type Family } from '@trunkline/contract/fleet/state-view.rules'
import type { ReplyOf } from '@trunkline/contract/route'
import type { Role } from '@trunkline/contract/roles'
import { expect } from 'vitest'
import type { FakeApi } from '../../test/fake-api.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { encoderOf } from '../../test/samples.ts'

const NO_HISTORY: ReplyOf<typeof linkHistory> = {
  status: true,
  fromMs: 0,
  toMs: 0,
  stepMs: 1,
  series: [],
}

interface Fleet {
  encoders: readonly Encoder[]
  programs: readonly ProgramStatus[]
  role: Role
  /** All that the API holds; more than `encoders` makes pages. */
  total: number
  prepare: (api: FakeApi) => void
}

export async function openDashboard(parts: Partial<Fleet>) {
  const { encoders = [encoderOf('a')], role = 'admin', prepare } = parts
  const fleet = makeFleet(encoders, parts.programs ?? [])
  const scene = renderConsole({
    path: '/',
    role,
    prepare: (api) => {
      api.on(listAllEncoders).answer(({ body }) => {
        const { result, total } = fleet.page(body as Asked)
        return { status: true, result, total: parts.total ?? total }
      })
      api.on(countEncoders).answer(() => ({ status: true, data: fleet.counts() }))
      api.on(linkHistory).answer(() => NO_HISTORY)
      prepare?.(api)
    },
  })
  const { stream } = scene.api
  await waitFor(() => expect(stream.isConnected()).toBe(true))
  stream.push(snapshotOf({ programs: [...fleet.statuses.values()] }))
  const pushCounts = () =>
    stream.push({
      event: 'counts',
      data: { kind: 'encoder', group: groupOf(role), ...fleet.counts() },
    })
  pushCounts()
  const card = async (title: string) => scene.screen.findByRole('article', { name: title })
  /** As the API tells of them: each state, and then what they count to. */
  const tell = (...programs: readonly ProgramStatus[]) => {
    for (const data of programs) {
      fleet.statuses.set(data.id, data)
      stream.push({ event: 'program', data })
    }
    pushCounts()
  }
  return { ...scene, card, tell }
}

/** The group that the dashboard starts on. */
function groupOf(role: Role): string {
  return role === 'manager' ? 'north' : ''
}

interface Asked {
  page: number
  rows: number
  ids?: readonly string[]
  show?: Show
}

/** What the API holds: the encoders, their states, and lists of them by state. */
function makeFleet(encoders: readonly Encoder[], programs: readonly ProgramStatus[]) {
  const statuses = new Map(programs.map((status) => [status.id, status]))
  const familyOf = ({ _id, isEnabled, config }: Encoder) => {
    const freshness = { nowMs: Date.now(), isLoaded: true, brokenSinceMs: null }
    const status = statuses.get(_id) ?? null
    return viewOfEncoder({ isEnabled, isConfigured: config !== null, status, freshness }).family
  }
  const shownIn = (show: Show) =>
    encoders
      .filter((encoder) => isShown(show, familyOf(encoder)))
      .toSorted((a, b) => (show === 'attention' ? rankOf(familyOf(a)) - rankOf(familyOf(b)) : 0))
  return {
    statuses,
    counts: () => {
      const families = noFamilies()
      for (const encoder of encoders) families[familyOf(encoder)] += 1
      const worst = shownIn('attention').map(({ _id }) => _id)
      return { families, total: encoders.length, worst: worst.slice(0, WORST_LISTED) }
    },
    page: ({ page, rows, ids, show = 'all' }: Asked) => {
      if (ids !== undefined) {
        const result = encoders.filter(({ _id }) => ids.includes(_id))
        return { result, total: result.length }
      }
      const shown = shownIn(show)
      const result = rows === 0 ? shown : shown.slice(page * rows, (page + 1) * rows)
      return { result, total: shown.length }
    },
  }
}

function rankOf(family: Family): number {
  return FAMILIES.indexOf(family)
}

export function bodiesOf(api: FakeApi) {
  return api.askedOf(listAllEncoders).map((item) => item.body)
}

export function commandsOf(api: FakeApi) {
  return api.askedOf(controlEncoder).map((item) => item.body)
}

export const STOPPED: Partial<ProgramStatus> = {
  state: 'stopped',
  wanted: 'stopped',
  startedAtMs: null,
  reading: null,
}

export function answerCommands(result: EncoderCommandResult) {
  return (api: FakeApi) => api.on(controlEncoder).answer(() => result)
}
