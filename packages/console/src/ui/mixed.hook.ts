/** A tick for some, but not all of what it stands for. */
import { useEffect, useRef } from 'react'

/** Answers the ref of the check box. */
export function useMixed(isMixed: boolean) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // There is no attribute for it.
    if (input.current !== null) input.current.indeterminate = isMixed
  }, [isMixed])
  return input
}
