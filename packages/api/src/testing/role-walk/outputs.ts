/** How outputs and destinations are tried by the walk: on outputs and destinations made for each try. */
import {
  addDestination,
  cloneDestination,
  listDestinations,
  matchDestinations,
  removeDestination,
  removeDestinations,
  updateDestination,
} from '@trunkline/contract/contributions/destination.calls'
import {
  addOutput,
  changeOutputDestination,
  cloneOutput,
  matchOutputs,
  readOutput,
  removeOutput,
  removeOutputs,
  setOutputsStatus,
  updateOutput,
} from '@trunkline/contract/contributions/output.calls'
import type { Route } from '@trunkline/contract/route'
import { inject, PLANTED_SECRETS, type InjectInput } from '../inject.ts'
import { tokenOf, type WalkSite } from './site.ts'
import { recipe, type Place, type Recipe } from './rules.ts'
import type { TestSite } from '../test-site.ts'

const TENANTS = ['own', 'foreign'] as const
const IP = '192.0.2.40'
const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 128 } as const

let count = 0
/** Titles that nobody has had yet. */
function titleAt(place: Place): string {
  count += 1
  return `${place === 'foreign' ? 'Hidden' : 'Own'} ${count}`
}

function tenantAt(walk: WalkSite, place: Place) {
  return place === 'foreign' ? walk.foreign : walk.own
}

/** By the superadmin, whose sessions one of the calls has ended. */
async function made<T extends Route>(site: TestSite, call: T, input: InjectInput<T>) {
  const token = await tokenOf(site, 'superadmin')
  const { status, answer, text } = await inject(site.app, call, token, input)
  if (status >= 300) throw new Error(`${call.name} answers ${text}`)
  return answer
}

function outputAt(walk: WalkSite, place: Place) {
  const contributionId = tenantAt(walk, place).inputId
  const config = { host: IP, port: 7000 }
  return { title: titleAt(place), inputType: 'SRT' as const, contributionId, config, encryption }
}

async function freshOutput(walk: WalkSite, place: Place): Promise<string> {
  return (await made(walk.site, addOutput, { body: outputAt(walk, place) })).id
}

function destinationAt(walk: WalkSite, place: Place) {
  return { title: titleAt(place), ip: IP, groupId: tenantAt(walk, place).groupId, encryption }
}

async function freshDestination(walk: WalkSite, place: Place): Promise<string> {
  return (await made(walk.site, addDestination, { body: destinationAt(walk, place) })).data.id
}

const OUTPUT_CALLS: readonly Recipe[] = [
  recipe(matchOutputs, {
    places: TENANTS,
    isFilter: true,
    input: (walk, place) => ({ query: { contributionId: tenantAt(walk, place).inputId } }),
  }),
  recipe(readOutput, {
    places: TENANTS,
    input: (walk, place) => ({ params: { id: tenantAt(walk, place).outputId } }),
  }),
  recipe(cloneOutput, {
    places: TENANTS,
    input: async (walk, place) => ({
      params: { id: await freshOutput(walk, place) },
      body: { title: titleAt(place) },
    }),
  }),
  recipe(updateOutput, {
    places: TENANTS,
    input: async (walk, place) => ({
      params: { id: await freshOutput(walk, place) },
      body: outputAt(walk, place),
    }),
  }),
  recipe(updateOutput, {
    variant: 'towards a destination',
    places: TENANTS,
    input: async (walk, place) => ({
      params: { id: await freshOutput(walk, 'own') },
      body: { ...outputAt(walk, 'own'), destinationId: await freshDestination(walk, place) },
    }),
  }),
  recipe(removeOutput, {
    places: TENANTS,
    input: async (walk, place) => ({ params: { id: await freshOutput(walk, place) } }),
  }),
  recipe(setOutputsStatus, {
    places: TENANTS,
    input: async (walk, place) => ({
      body: { names: [await freshOutput(walk, place)], isDisable: true },
    }),
  }),
  recipe(removeOutputs, {
    places: TENANTS,
    input: async (walk, place) => ({ body: { outputNames: [await freshOutput(walk, place)] } }),
  }),
  recipe(changeOutputDestination, {
    variant: 'of outputs',
    places: TENANTS,
    input: async (walk, place) => ({
      body: {
        destinationId: await freshDestination(walk, 'own'),
        outputIds: [await freshOutput(walk, place)],
      },
    }),
  }),
  recipe(changeOutputDestination, {
    variant: 'to a destination',
    places: TENANTS,
    input: async (walk, place) => ({
      body: {
        destinationId: await freshDestination(walk, place),
        outputIds: [await freshOutput(walk, 'own')],
      },
    }),
  }),
]

const DESTINATION_CALLS: readonly Recipe[] = [
  recipe(listDestinations, { places: ['none'], input: () => ({ query: { rowsPerPage: 0 } }) }),
  recipe(matchDestinations, { places: ['none'], input: () => ({ query: {} }) }),
  recipe(cloneDestination, {
    places: TENANTS,
    input: async (walk, place) => ({
      params: { id: await freshDestination(walk, place) },
      body: { title: titleAt(place) },
    }),
  }),
  recipe(addDestination, {
    places: ['none'],
    input: (walk) => ({ body: destinationAt(walk, 'own') }),
  }),
  recipe(updateDestination, {
    places: TENANTS,
    input: async (walk, place) => ({
      params: { id: await freshDestination(walk, place) },
      body: destinationAt(walk, place),
    }),
  }),
  recipe(updateDestination, {
    variant: 'into another group',
    action: 'chooseDestinationGroup',
    places: ['own'],
    input: async (walk) => ({
      params: { id: await freshDestination(walk, 'own') },
      body: { ...destinationAt(walk, 'own'), groupId: walk.secondGroupId },
    }),
  }),
  recipe(removeDestination, {
    places: TENANTS,
    input: async (walk, place) => ({ params: { id: await freshDestination(walk, place) } }),
  }),
  recipe(removeDestinations, {
    places: TENANTS,
    input: async (walk, place) => ({
      body: { destinationIds: [await freshDestination(walk, place)] },
    }),
  }),
]

export const OUTPUT_RECIPES: readonly Recipe[] = [...OUTPUT_CALLS, ...DESTINATION_CALLS]
