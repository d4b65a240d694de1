/** The field to mend gets the focus as soon as its tab shows it. */
import { useEffect, useRef, type RefObject } from 'react'

/** `wanted`: a new object for every wish, so that the same field can be asked for again. */
export function useFocusOn(
  place: RefObject<HTMLDivElement | null>,
  wanted: { name: string } | null,
): void {
  const done = useRef<{ name: string } | null>(null)
  useEffect(() => {
    if (wanted === null || done.current === wanted) return
    const field = place.current?.querySelector<HTMLElement>(
      `[data-field="${wanted.name}"] :is(input, select, button)`,
    )
    if (!field) return
    done.current = wanted
    field.focus()
  })
}
