/** How moving inputs to another server is tried by the walk: on inputs made for each try. */
import { changeServer } from '@trunkline/contract/contributions/contribution.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { inject } from '../inject.ts'
import { tokenOf, type WalkSite } from './site.ts'
import { recipe, type Place, type Recipe } from './rules.ts'

const TENANTS = ['own', 'foreign'] as const

let count = 0
/** Ports that nobody has had yet. */
function nextPort(): number {
  count += 1
  return 50_000 + 2 * count
}

/** By the superadmin, whose sessions one of the calls has ended. */
async function freshInput({ site, own, foreign }: WalkSite, place: Place): Promise<string> {
  const { acantsId: serverId, groupId } = place === 'foreign' ? foreign : own
  const title = place === 'own' ? 'Own' : 'Hidden'
  const { answer } = await inject(site.app, addInput, await tokenOf(site, 'superadmin'), {
    body: { title, inputType: 'SRT', serverId, groupId, config: { port: nextPort() } },
  })
  return answer.id
}

export const MOVE_RECIPES: readonly Recipe[] = [
  recipe(changeServer, {
    variant: 'of inputs',
    places: TENANTS,
    input: async (walk, place) => ({
      body: {
        newServerId: walk.awayServerId,
        contributions: [await freshInput(walk, place)],
        keepOrDelete: '1' as const,
      },
    }),
  }),
  recipe(changeServer, {
    variant: 'to a server',
    places: TENANTS,
    input: async (walk, place) => ({
      body: {
        newServerId: place === 'foreign' ? walk.foreign.acantsId : walk.awayServerId,
        contributions: [await freshInput(walk, 'own')],
        keepOrDelete: '0' as const,
      },
    }),
  }),
]
