/** How the lists that people arrange for themselves are tried by the walk through the role table. */
import { listListViews, saveListView } from '@trunkline/contract/users/list-view.calls'
import { recipe, type Recipe } from './rules.ts'

export const LIST_VIEW_RECIPES: readonly Recipe[] = [
  recipe(listListViews, { places: ['self'], input: () => ({}) }),
  recipe(saveListView, {
    places: ['self'],
    input: () => ({
      params: { name: 'encoders' as const },
      body: { hidden: ['email'], saved: [] },
    }),
  }),
]
