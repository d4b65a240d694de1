/** How cloning and carrying an encoder, and the templates of encoders, are tried by the walk: on things made for each try. */
import { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import { cloneEncoder } from '@trunkline/contract/encoders/encoder.calls'
import {
  addTemplate,
  listTemplates,
  removeTemplate,
  updateTemplate,
} from '@trunkline/contract/encoders/template.calls'
import { palConfig } from '../encoder.fixture.ts'
import { inject } from '../inject.ts'
import { tokenOf, type WalkSite } from './site.ts'
import { cameraAt } from './work.ts'
import { recipe, type Place, type Recipe } from './rules.ts'

const { title: _1, 'card-idx': _2, output: _3, feeder: _4, ...SETTINGS } = palConfig(0)
/** Above those of the cameras that are there; a walk tries far fewer than there are. */
const FIRST_CARD = 10
const CARDS = 54
let cards = 0

/** Above those of everything else that is tried. */
const FIRST_PORT = 55_000

let count = 0
/** Titles that nobody has had yet. */
function next(): number {
  count += 1
  return count
}

function draftAt({ own, foreign, groupless }: WalkSite, place: Place) {
  const { groupId } = place === 'foreign' ? foreign : place === 'groupless' ? groupless : own
  const title = `${place === 'own' ? 'Own' : 'Hidden'} ${next()}`
  return { title, groupId, settings: SETTINGS }
}

async function freshTemplate(walk: WalkSite, place: Place): Promise<string> {
  const { site } = walk
  const token = await tokenOf(site, 'superadmin')
  const { answer } = await inject(site.app, addTemplate, token, { body: draftAt(walk, place) })
  return answer.id
}

const GROUPS = ['own', 'foreign', 'groupless'] as const

export const COPY_RECIPES: readonly Recipe[] = [
  recipe(cloneEncoder, {
    places: ['own', 'foreign', 'unassigned'],
    input: (walk, place) => ({
      params: { id: cameraAt(walk, place).encoderId },
      body: {
        title: place === 'foreign' ? 'Hidden copy' : 'Copy',
        'card-idx': FIRST_CARD + (cards++ % CARDS),
      },
    }),
  }),
  recipe(carryEncoder, {
    places: ['own', 'foreign', 'unassigned'],
    input: (walk, place) => {
      const { encoderId, acantsId } = cameraAt(walk, place)
      const port = FIRST_PORT + 2 * next()
      const leg = { inputPort: port + 1, host: '127.0.0.1', port }
      return {
        params: { id: encoderId },
        body: {
          title: place === 'foreign' ? 'Hidden carried' : 'Carried',
          serverId: acantsId,
          feeder: { use: 'new' as const, ...leg, encryption: { selection: 'yes' as const } },
          output: {
            inputType: 'SRT' as const,
            config: { mode: 'Push' as const, host: '192.0.2.10', port: 7000 },
          },
        },
      }
    },
  }),
  recipe(addTemplate, {
    places: GROUPS,
    input: (walk, place) => ({ body: draftAt(walk, place) }),
  }),
  recipe(listTemplates, { places: ['none'], input: () => ({}) }),
  recipe(updateTemplate, {
    places: GROUPS,
    input: async (walk, place) => ({
      params: { id: await freshTemplate(walk, place) },
      body: { settings: SETTINGS },
    }),
  }),
  recipe(removeTemplate, {
    places: GROUPS,
    input: async (walk, place) => ({ params: { id: await freshTemplate(walk, place) } }),
  }),
]
