/** How the history of links is tried by the walk through the role table. */
import { linkHistory } from '@trunkline/contract/contributions/history.calls'
import { recipe, type Recipe } from './rules.ts'
import { cameraAt } from './work.ts'

export const HISTORY_RECIPES: readonly Recipe[] = [
  recipe(linkHistory, {
    variant: 'of a feeder',
    places: ['own', 'foreign', 'unassigned'],
    isFilter: true,
    input: (walk, place) => ({
      query: { kind: 'feeder' as const, ids: cameraAt(walk, place).feederName },
    }),
  }),
  recipe(linkHistory, {
    variant: 'of an encoder',
    places: ['own', 'foreign', 'unassigned'],
    isFilter: true,
    input: (walk, place) => ({
      query: { kind: 'encoder' as const, ids: cameraAt(walk, place).encoderId },
    }),
  }),
  recipe(linkHistory, {
    variant: 'of a channel',
    action: 'seeChannels',
    places: ['own', 'foreign'],
    isFilter: true,
    input: (walk, place) => ({
      query: {
        kind: 'channel' as const,
        ids: (place === 'own' ? walk.own : walk.foreign).channelId,
      },
    }),
  }),
  recipe(linkHistory, {
    variant: 'of an input',
    action: 'seeInputs',
    places: ['own', 'foreign'],
    isFilter: true,
    input: (walk, place) => ({
      query: { kind: 'input' as const, ids: (place === 'own' ? walk.own : walk.foreign).inputId },
    }),
  }),
  recipe(linkHistory, {
    variant: 'of an output',
    action: 'seeInputs',
    places: ['own', 'foreign'],
    isFilter: true,
    input: (walk, place) => ({
      query: { kind: 'output' as const, ids: (place === 'own' ? walk.own : walk.foreign).outputId },
    }),
  }),
]
