/** How a person's lists are arranged, decided from data alone. */
import type { ArrangedList, ListView } from '@trunkline/contract/users/list-view.schema'

/** As it is while nobody has arranged it. */
export function viewIn(views: readonly ListView[], list: ArrangedList): ListView {
  return views.find((view) => view.list === list) ?? { list, hidden: [], saved: [], version: 0 }
}

export function withView(views: readonly ListView[], changed: ListView): ListView[] {
  return [...views.filter(({ list }) => list !== changed.list), changed]
}
