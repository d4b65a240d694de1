/** Which row of a long list has the focus: it stays drawn, or scrolling would throw the focus away. */
import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { useCallback, useState } from 'react'

export function useHeldRow() {
  const [heldAt, setHeldAt] = useState<number | null>(null)
  return {
    rangeExtractor: useCallback((range: Range) => withRow(range, heldAt), [heldAt]),
    /** Props of the row. */
    holdAt: (index: number) => ({
      onFocus: () => setHeldAt(index),
      onBlur: () => setHeldAt(null),
    }),
  }
}

function withRow(range: Range, heldAt: number | null): number[] {
  const shown = defaultRangeExtractor(range)
  if (heldAt === null || heldAt >= range.count || shown.includes(heldAt)) return shown
  return [...shown, heldAt].toSorted((a, b) => a - b)
}
