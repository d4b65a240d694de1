/** Which tiles are in trouble, collected from them: for the head of the page, and to be spoken. */
import { FAMILIES, type StateView } from '@trunkline/contract/fleet/state-view.rules'
import { useCallback, useEffect, useRef, useState } from 'react'
import * as text from './wall.messages.ts'
import type { TileKey } from './wall.rules.ts'

/** design.md section 7: at most one summary in that time. */
const SPOKEN_EVERY_MS = 5000

export interface Trouble extends Pick<StateView, 'family' | 'shape'> {
  /** 'Marathon km 30: Offline, no media'. */
  sentence: string
}

export function useTroubles() {
  const [troubles, setTroubles] = useState<ReadonlyMap<TileKey, Trouble>>(new Map())
  const onTrouble = useCallback((key: TileKey, trouble: Trouble | null) => {
    setTroubles((now) => {
      if (trouble === null && !now.has(key)) return now
      const next = new Map(now)
      if (trouble === null) next.delete(key)
      else next.set(key, trouble)
      return next
    })
  }, [])
  const all = [...troubles.values()]
  const [worst = null] = all.toSorted(
    (a, b) => FAMILIES.indexOf(a.family) - FAMILIES.indexOf(b.family),
  )
  const sentences = all.map(({ sentence }) => sentence)
  return { count: all.length, worst, onTrouble, spoken: useSpoken(text.troubleText(sentences)) }
}

/** The newest sentence, but never more than one in five seconds. */
function useSpoken(sentence: string): string {
  const [spoken, setSpoken] = useState('')
  const latest = useRef(sentence)
  useEffect(() => {
    latest.current = sentence
  })
  useEffect(() => {
    const timer = setInterval(() => setSpoken(latest.current), SPOKEN_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return spoken
}
