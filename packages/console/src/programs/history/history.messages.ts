/** Sentences of the history of a link. */
export const HISTORY_LABEL = 'History'
export const HISTORY_FAILED = 'The history of this link could not be read.'
export const HISTORY_NONE =
  'No readings in this period. The history begins with the first reading of a running link.'
export const CHART_FAILED =
  'The chart could not be loaded; the numbers below show the same data. It is loaded again when live updates return.'
