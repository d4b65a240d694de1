/** The configuration page of one encoder, opened before a fake network. */
import { screen, waitFor } from '@testing-library/react'
import {
  controlEncoder,
  findEncoder,
  listAllEncoders,
  readEncoderHost,
  updateEncoder,
  type EncoderHost,
} from '@trunkline/contract/encoders/encoder.calls'
import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { listTemplates } from '@trunkline/contract/encoders/template.calls'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Role } from '@trunkline/contract/roles'
import { expect } from 'vitest'
import { refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { makeFakeSight } from '../../test/fake-sight.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { formSteps, renderConsole } from '../../test/render-console.tsx'
import { configSample, encoderOf, statusOf } from '../../test/samples.ts'

export const HOST: EncoderHost = {
  online: true,
  heardAtMs: Date.now(),
  sources: [0, 1, 2].map((cardIdx) => ({
    cardIdx,
    kind: 'test-pattern' as const,
    label: `Test pattern ${cardIdx}`,
    unusable: cardIdx === 2 ? 'no signal' : '',
  })),
  taken: [],
  encoders: ['libx264', 'libtwolame', 'aac'],
  cpuCores: 12,
  proposed: { cardIdx: 0, targetPort: 5000, videoPid: 512, audioPid: 4112, pmtPid: 256 },
}

export const STOPPED: Partial<ProgramStatus> = {
  state: 'stopped',
  wanted: 'stopped',
  startedAtMs: null,
  reading: null,
}

/** Of the sample, with other parts. */
export function configWith(parts: Record<string, unknown>): EncoderConfig {
  return EncoderConfig.parse({ ...configSample, ...parts })
}

interface Scene {
  role: Role
  encoder: Encoder
  host: EncoderHost
  status: Partial<ProgramStatus>
  search: string
  prepare: (api: FakeApi) => void
}

export async function openConfig(parts: Partial<Scene> = {}) {
  const { role = 'admin', host = HOST, status = {}, search = '', prepare } = parts
  // What the API holds now; a test changes it as another operator would.
  const held = { encoder: parts.encoder ?? encoderOf('a', { version: 4 }) }
  const id = held.encoder._id
  makeFakeSight()
  const scene = renderConsole({
    path: `/dashboard/edit_encoder/${id}${search}`,
    role,
    prepare: (api) => {
      const found = () => ({ status: true as const, data: held.encoder, encoder: held.encoder })
      api.on(findEncoder).answer(found)
      api.on(readEncoderHost).answer(() => ({ status: true, data: host }))
      api.on(listTemplates).answer(() => ({ status: true, data: [] }))
      api.on(listAllEncoders).answer(() => ({ status: true, result: [held.encoder], total: 1 }))
      api
        .on(updateEncoder)
        .answer(() => ({ status: true, data: held.encoder, warnings: ['Level 4.1 is used.'] }))
      api
        .on(controlEncoder)
        .answer(() => ({ status: true, results: 'encoder0 RUNNING', state: 'running' }))
      prepare?.(api)
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  scene.api.stream.push(snapshotOf({ programs: [statusOf(id, status)] }))
  await screen.findByRole('heading', { name: 'Configure Encoder' })
  return { ...scene, held, ...stepsOf(scene) }
}

type Opened = ReturnType<typeof renderConsole>

function stepsOf({ api, user }: Opened) {
  return {
    ...formSteps(user, async (label) => screen.findByLabelText(label)),
    /** The bodies that were sent, oldest first. */
    saves: () => api.askedOf(updateEncoder).map((item) => item.body),
  }
}

/** The first save meets what somebody else has saved. `savedBy`: '' where the API does not know. */
export function answerConflictOnce(api: FakeApi, theirs: Encoder, savedBy = ''): void {
  const named = savedBy === '' ? {} : { savedBy }
  const error = 'Somebody else has saved this encoder since you opened it.'
  let isFirst = true
  api.on(updateEncoder).answer(() => {
    if (!isFirst) return { status: true, data: theirs, warnings: [] }
    isFirst = false
    const body = {
      status: false,
      error,
      msg: error,
      current: theirs,
      changed: ['config'],
      ...named,
    }
    return refuseOddly(409, body)
  })
}
