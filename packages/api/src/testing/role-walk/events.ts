/** How timelines, availability, signal paths and advice on latency are tried by the walk through the role table. */
import { listEvents, readAvailability } from '@trunkline/contract/events/event.calls'
import { transportHistory } from '@trunkline/contract/contributions/transport-history.calls'
import { readLatencyAdvice } from '@trunkline/contract/paths/latency.calls'
import { readSignalPath } from '@trunkline/contract/paths/path.calls'
import type { Action } from '@trunkline/contract/role-table'
import type { SiteKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { recipe, type Place, type Recipe } from './rules.ts'
import type { WalkSite } from './site.ts'
import { cameraAt } from './work.ts'

interface Tried {
  kind: SiteKind
  action: Action
  idOf: (walk: WalkSite, place: Place) => string
}

const CAMERAS = ['own', 'foreign', 'unassigned'] as const
const TENANTS = ['own', 'foreign'] as const

function tenantAt(walk: WalkSite, place: Place) {
  return place === 'own' ? walk.own : walk.foreign
}

const TRIED: readonly Tried[] = [
  { kind: 'encoder', action: 'seeEncoders', idOf: (...at) => cameraAt(...at).encoderId },
  { kind: 'feeder', action: 'readFeeder', idOf: (...at) => cameraAt(...at).feederName },
  { kind: 'input', action: 'seeInputs', idOf: (...at) => tenantAt(...at).inputId },
  { kind: 'output', action: 'seeInputs', idOf: (...at) => tenantAt(...at).outputId },
  { kind: 'channel', action: 'seeChannels', idOf: (...at) => tenantAt(...at).channelId },
  { kind: 'server', action: 'listServers', idOf: (...at) => tenantAt(...at).channelServerId },
]

export const EVENT_RECIPES: readonly Recipe[] = TRIED.flatMap(({ kind, action, idOf }) => {
  const isCamera = kind === 'encoder' || kind === 'feeder'
  const spec = {
    variant: `of ${kind}`,
    action,
    seenBy: action,
    isRightFirst: true,
    places: isCamera ? CAMERAS : TENANTS,
  }
  return [
    recipe(listEvents, {
      ...spec,
      input: (walk, place) => ({ query: { kind, id: idOf(walk, place) } }),
    }),
    recipe(readAvailability, {
      ...spec,
      input: (walk, place) => ({ query: { kind, id: idOf(walk, place) } }),
    }),
    ...(kind === 'server'
      ? []
      : [
          recipe(readSignalPath, {
            ...spec,
            input: (walk, place) => ({ params: { kind, id: idOf(walk, place) } }),
          }),
        ]),
    ...(kind === 'feeder' || kind === 'input' || kind === 'output'
      ? [
          recipe(readLatencyAdvice, {
            ...spec,
            input: (walk, place) => ({ params: { kind, id: idOf(walk, place) } }),
          }),
          recipe(transportHistory, {
            ...spec,
            input: (walk, place) => ({ params: { kind, id: idOf(walk, place) } }),
          }),
        ]
      : []),
  ]
})
