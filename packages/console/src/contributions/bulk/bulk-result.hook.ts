/** Shows the outcome of a bulk action: one toast where that is enough, else a list of what failed. */
import { useState } from 'react'
import { plainSentence } from '../../lib/plain-sentence.ts'
import { showToast } from '../../lib/toast.ts'
import { type BulkOutcome, outputsThatHold, type TitledFailure, withTitles } from './bulk.rules.ts'
import type { BulkResult } from './BulkResultDialog.tsx'
import { showHasOutputs } from '../contribution.actions.ts'
import { countText, type ObjectWord } from '../contribution.messages.ts'

interface Texts {
  worked: string
  /** Of those that failed without a sentence of their own (ERR-02). */
  failed: string
}

interface Named {
  id: string
  name?: string
  title: string
}

/** `onShowOutputs`: where the outputs of an input are shown that cannot be deleted for them. */
export function useBulkResult(word: ObjectWord, onShowOutputs: (inputId: string) => void) {
  const [result, setResult] = useState<BulkResult | null>(null)
  const showOutcome = (outcome: BulkOutcome, objects: readonly Named[], texts: Texts) => {
    const failures = withTitles(outcome.failed, objects).map((title) => ({
      ...title,
      error: plainSentence(title.error) || texts.failed,
    }))
    if (outcome.done.length > 0) {
      showToast('success', texts.worked, countText(outcome.done.length, word))
    }
    const [first] = failures
    if (first === undefined) return
    const isHeld = showHeld(failures, onShowOutputs)
    if (isHeld && failures.length === 1) return
    // Two that are held by as many outputs are still two: each is named.
    const isSameSentence = !isHeld && failures.every(({ error }) => error === first.error)
    if (outcome.done.length === 0 && isSameSentence) {
      const of = failures.length === 1 ? first.title : countText(failures.length, word)
      showToast('failure', first.error, of)
      return
    }
    setResult({ failures, of: objects.length })
  }
  return { result, closeResult: () => setResult(null), showOutcome }
}

/** Q142: the first input with outputs is shown with a link to them. */
function showHeld(
  failures: readonly TitledFailure[],
  onShowOutputs: (inputId: string) => void,
): boolean {
  const held = failures.find(({ error }) => outputsThatHold(error) !== null)
  if (held === undefined) return false
  const outputs = outputsThatHold(held.error) ?? 0
  showHasOutputs(held.title, outputs, () => onShowOutputs(held.id))
  return true
}
