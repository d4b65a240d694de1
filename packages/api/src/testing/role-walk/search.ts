/** How the search over all objects is tried by the walk through the role table: what is foreign is not found. */
import { searchObjects } from '@trunkline/contract/search/search.calls'
import { recipe, type Recipe } from './rules.ts'
import { cameraAt } from './work.ts'

export const SEARCH_RECIPES: readonly Recipe[] = [
  recipe(searchObjects, {
    variant: 'by id',
    places: ['own', 'foreign', 'unassigned'],
    isFilter: true,
    input: (walk, place) => ({ query: { q: cameraAt(walk, place).encoderId } }),
  }),
  recipe(searchObjects, {
    variant: 'by keys',
    places: ['own', 'foreign'],
    isFilter: true,
    input: (walk, place) => {
      const { encoderId, feederName, inputId, outputId, channelId } =
        place === 'own' ? walk.own : walk.foreign
      const keys = `encoder:${encoderId},feeder:${feederName},input:${inputId},output:${outputId},channel:${channelId}`
      return { query: { keys } }
    },
  }),
]
