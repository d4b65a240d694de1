/** How the ports that feeders send to, and are offered, are tried by the walk through the role table. */
import {
  askNextFeederPort,
  countFeedersTo,
  nextFeederPort,
} from '@trunkline/contract/encoders/feeder.calls'
import { askTaken } from '@trunkline/contract/encoders/host-taken.calls'
import type { WalkSite } from './site.ts'
import { HIDDEN_INPUT_PORT } from './things.ts'
import { recipe, type Place, type Recipe } from './rules.ts'

const TENANTS = ['own', 'foreign'] as const

function serverAt(walk: WalkSite, place: Place): { serverId: string } {
  const { acantsId: serverId } = place === 'foreign' ? walk.foreign : walk.own
  return { serverId }
}

export const FEEDER_PORT_RECIPES: readonly Recipe[] = [
  recipe(countFeedersTo, {
    places: TENANTS,
    isFilter: true,
    input: (walk, place) => ({ query: serverAt(walk, place) }),
  }),
  recipe(nextFeederPort, {
    places: TENANTS,
    input: (walk, place) => ({ query: serverAt(walk, place) }),
  }),
  recipe(askNextFeederPort, {
    places: TENANTS,
    input: (walk, place) => ({ body: serverAt(walk, place) }),
  }),
  recipe(askTaken, {
    places: ['none'],
    input: ({ site, foreign }) => {
      const place = { host: '127.0.0.1', port: site.encoderHost.port }
      return {
        body: {
          ports: [{ host: '127.0.0.1', port: HIDDEN_INPUT_PORT }],
          cards: [{ ...place, cardIdx: foreign.cardIdx }],
          seats: [place],
        },
      }
    },
  }),
]
