/** Which faults of a form are said: those of fields that were left, all after a try to save, and the API's. */
import { useState } from 'react'
import type { Faults } from './link-check.rules.ts'
import type { LinkAction } from './link-state.rules.ts'

export function useTouchedErrors() {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isAllSaid, setAllSaid] = useState(false)
  const [byServer, setByServer] = useState<Faults>({})
  return {
    byServer,
    isSaid: (name: string) => isAllSaid || left.has(name),
    leave: (name: string) => setLeft((now) => (now.has(name) ? now : new Set([...now, name]))),
    showAll: () => setAllSaid(true),
    hearServer: setByServer,
    /** What the API said of a field is about what stood there then. */
    forget: (step: LinkAction) => {
      if (step.step === 'discard') setAllSaid(false)
      setByServer((now) => (step.step === 'edit' ? without(now, step.name) : {}))
    },
  }
}

function without(faults: Faults, gone: string): Faults {
  return Object.fromEntries(Object.entries(faults).filter(([name]) => name !== gone))
}
