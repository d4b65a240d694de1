/** Sentences of the history of a link. */
export const HISTORY_LABEL = 'History'
export const HISTORY_FAILED = 'The history of this link could not be read.'
export const HISTORY_NONE =
  'Nothing was measured in this span. The history begins with the first reading of a running link.'
export const CHART_FAILED =
  'This chart could not be loaded; the numbers below tell the same. It is tried again when updates are back.'
