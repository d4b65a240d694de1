/** Which tiles are in trouble, collected from them: for the head of the page, and to be spoken. */
import { useCallback, useEffect, useRef, useState } from 'react'
import * as text from './wall.messages.ts'
import type { TileKey } from './wall.rules.ts'

/** design.md section 7: at most one summary in that time. */
const SPOKEN_EVERY_MS = 5000

export function useTroubles() {
  const [troubles, setTroubles] = useState<ReadonlyMap<TileKey, string>>(new Map())
  const onTrouble = useCallback((key: TileKey, sentence: string | null) => {
    setTroubles((now) => {
      if ((now.get(key) ?? null) === sentence) return now
      const next = new Map(now)
      if (sentence === null) next.delete(key)
      else next.set(key, sentence)
      return next
    })
  }, [])
  const sentence = text.troubleText([...troubles.values()], troubles.size)
  return { count: troubles.size, onTrouble, spoken: useSpoken(sentence) }
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
