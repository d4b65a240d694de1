/** How link tests are tried by the walk through the role table. */
import {
  cancelLinkTest,
  readLinkTest,
  readLinkTestHost,
  startLinkTest,
} from '@trunkline/contract/link-tests/link-test.calls'
import { recipe, type Place, type Recipe } from './rules.ts'
import type { WalkSite } from './site.ts'
import { cameraAt } from './work.ts'

/** Which end is there; the other one is the acting person's own. */
const VARIANTS = ['from an encoder', 'from a server', 'to a server'] as const
type Variant = (typeof VARIANTS)[number]

function placesOf(variant: Variant): readonly Place[] {
  return variant === 'from an encoder' ? ['own', 'foreign', 'unassigned'] : ['own', 'foreign']
}

function endsAt(walk: WalkSite, variant: Variant, place: Place) {
  const { own, foreign, secondServerId } = walk
  const there = place === 'own' ? secondServerId : foreign.acantsId
  switch (variant) {
    case 'from an encoder': {
      const fromId = cameraAt(walk, place).encoderId
      return { fromKind: 'encoder', fromId, toServerId: own.acantsId } as const
    }
    case 'from a server':
      return { fromKind: 'server', fromId: there, toServerId: own.acantsId } as const
    case 'to a server':
      return { fromKind: 'server', fromId: own.acantsId, toServerId: there } as const
  }
}

const TEST = { testId: '0f'.repeat(16) }

export const LINK_TEST_RECIPES: readonly Recipe[] = VARIANTS.flatMap((variant) => {
  const spec = { variant, places: placesOf(variant) }
  return [
    recipe(readLinkTestHost, {
      ...spec,
      input: (walk, place) => {
        const { fromKind, fromId, toServerId } = endsAt(walk, variant, place)
        if (variant !== 'to a server') return { params: { kind: fromKind, id: fromId } }
        return { params: { kind: 'server' as const, id: toServerId } }
      },
    }),
    recipe(startLinkTest, {
      ...spec,
      input: (walk, place) => ({
        body: { ...endsAt(walk, variant, place), address: '127.0.0.1' },
      }),
    }),
    ...[readLinkTest, cancelLinkTest].map((call) =>
      recipe(call, {
        ...spec,
        input: (walk, place) => ({ params: TEST, query: endsAt(walk, variant, place) }),
      }),
    ),
  ]
})
