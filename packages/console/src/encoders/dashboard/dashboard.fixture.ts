/** The dashboard of a small fleet, opened before a fake network: for the tests of page and card. */
import { waitFor } from '@testing-library/react'
import { linkHistory } from '@trunkline/contract/contributions/history.calls'
import {
  controlEncoder,
  listAllEncoders,
  summarizeEncoders,
  type EncoderCommandResult,
} from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
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
  const total = parts.total ?? encoders.length
  const scene = renderConsole({
    path: '/',
    role,
    prepare: (api) => {
      api.on(listAllEncoders).answer(() => ({ status: true, result: [...encoders], total }))
      api.on(summarizeEncoders).answer(() => ({ status: true, data: summaryOf(encoders) }))
      api.on(linkHistory).answer(() => NO_HISTORY)
      prepare?.(api)
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  scene.api.stream.push(snapshotOf({ programs: [...(parts.programs ?? [])] }))
  const card = async (title: string) => scene.screen.findByRole('article', { name: title })
  return { ...scene, card }
}

export function summaryOf(encoders: readonly Encoder[]): ReplyOf<typeof summarizeEncoders>['data'] {
  return encoders.map(({ _id, isEnabled, config }) => {
    if (!isEnabled) return [_id, 'off']
    return [_id, config === null ? 'bare' : 'on']
  })
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
