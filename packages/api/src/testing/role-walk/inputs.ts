/** How reading, saving, renaming and removing inputs is tried by the walk: on inputs made for each try. */
import { updateTitle } from '@trunkline/contract/contributions/contribution.calls'
import {
  addInput,
  askNextMulticast,
  cloneInput,
  matchInputs,
  nextMulticast,
  readInput,
  removeInput,
  removeInputs,
  setInputsStatus,
  updateInput,
} from '@trunkline/contract/contributions/input.calls'
import { inject } from '../inject.ts'
import { tokenOf, type WalkSite } from './site.ts'
import { recipe, type Place, type Recipe } from './rules.ts'

const TENANTS = ['own', 'foreign'] as const
const NONE = ['none'] as const

let count = 0

/** No two of a group may have one title. */
function freshTitle(place: Place): string {
  count += 1
  return `${place === 'own' ? 'Own' : 'Hidden'} ${count}`
}
/** Ports that nobody has had yet. */
function nextPort(): number {
  count += 1
  return 40_000 + 2 * count
}

function tenantAt(walk: WalkSite, place: Place) {
  return place === 'foreign' ? walk.foreign : walk.own
}

function draftAt(walk: WalkSite, place: Place) {
  const { acantsId: serverId, groupId } = tenantAt(walk, place)
  const title = place === 'own' ? 'Own' : 'Hidden'
  return { title, inputType: 'SRT' as const, serverId, groupId, config: { port: nextPort() } }
}

/** By the superadmin, whose sessions one of the calls has ended. */
async function freshInput(walk: WalkSite, place: Place): Promise<string> {
  const token = await tokenOf(walk.site, 'superadmin')
  const body = draftAt(walk, place)
  const { status, answer, text } = await inject(walk.site.app, addInput, token, { body })
  if (status !== 201) throw new Error(`${addInput.name} answers ${text}`)
  return answer.id
}

function serverAt(walk: WalkSite, place: Place): { serverId: string } {
  return { serverId: tenantAt(walk, place).acantsId }
}

export const INPUT_RECIPES: readonly Recipe[] = [
  recipe(matchInputs, {
    places: TENANTS,
    isFilter: true,
    input: (walk, place) => ({ query: { groupId: tenantAt(walk, place).groupId } }),
  }),
  recipe(readInput, {
    places: TENANTS,
    input: (walk, place) => ({ params: { id: tenantAt(walk, place).inputId } }),
  }),
  recipe(cloneInput, {
    places: TENANTS,
    input: async (walk, place) => ({
      params: { id: await freshInput(walk, place) },
      body: { title: place === 'own' ? 'Own' : 'Hidden', port: nextPort() },
    }),
  }),
  recipe(updateInput, {
    places: TENANTS,
    input: async (walk, place) => ({
      params: { id: await freshInput(walk, place) },
      body: draftAt(walk, place),
    }),
  }),
  recipe(updateInput, {
    variant: 'into a group',
    places: TENANTS,
    input: async (walk, place) => ({
      params: { id: await freshInput(walk, 'own') },
      body: { ...draftAt(walk, 'own'), groupId: tenantAt(walk, place).groupId },
    }),
  }),
  recipe(removeInput, {
    places: TENANTS,
    input: async (walk, place) => ({ params: { id: await freshInput(walk, place) } }),
  }),
  recipe(setInputsStatus, {
    places: TENANTS,
    input: async (walk, place) => ({
      body: { names: [await freshInput(walk, place)], isDisable: true },
    }),
  }),
  recipe(removeInputs, {
    places: TENANTS,
    input: async (walk, place) => ({ body: { contriNames: [await freshInput(walk, place)] } }),
  }),
  recipe(updateTitle, {
    variant: 'of an input',
    places: TENANTS,
    input: (walk, place) => ({
      body: {
        inputId: tenantAt(walk, place).inputId,
        title: freshTitle(place),
        type: 'input' as const,
      },
    }),
  }),
  recipe(updateTitle, {
    variant: 'of an output',
    places: TENANTS,
    input: (walk, place) => ({
      body: {
        inputId: tenantAt(walk, place).outputId,
        title: freshTitle(place),
        type: 'output' as const,
      },
    }),
  }),
  recipe(nextMulticast, {
    places: TENANTS,
    input: (walk, place) => ({ query: serverAt(walk, place) }),
  }),
  recipe(askNextMulticast, {
    places: TENANTS,
    input: (walk, place) => ({ body: serverAt(walk, place) }),
  }),
  recipe(nextMulticast, { variant: 'on any server', places: NONE, input: () => ({ query: {} }) }),
]
