/** Asks the operator before something that cannot be taken back. One question at a time. */
import { useSyncExternalStore } from 'react'
import { storage } from './storage.ts'
import { makeWatchers } from './watchers.ts'

export interface Question {
  /** The object and what happens to it, one sentence each. */
  sentences: readonly string[]
  /** The verb of the button that does it: 'Stop encoder'. */
  doLabel: string
  /** The verb of the safe button, which has the focus: 'Keep running'. */
  keepLabel: string
}

interface Asking {
  /** The question asked last; it stays readable while its dialog fades away. */
  question: Question | null
  isOpen: boolean
  /** What it would interrupt is still being checked: it cannot be answered with yes yet. */
  isChecking: boolean
  answer: (isYes: boolean) => void
}

const CLOSED = { isOpen: false, isChecking: false, answer: () => {} }
let asking: Asking = { ...CLOSED, question: null }
const { watch, notify } = makeWatchers()

function become(next: Asking): void {
  asking = next
  notify()
}

/** @returns true only when the operator chose to do it; Escape and a second question mean no */
export async function askFirst(question: Question): Promise<boolean> {
  asking.answer(false)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const answer = (isYes: boolean) => {
    become({ ...CLOSED, question })
    resolve(isYes)
  }
  become({ question, isOpen: true, isChecking: false, answer })
  return promise
}

/**
 * Shows the question while `check` goes on, which answers null where the question is to be asked then;
 * it stays open for `askFirst`.
 * @returns false when the operator has said no meanwhile
 */
export async function showWhile(question: Question, check: Promise<unknown>): Promise<boolean> {
  const answer = askFirst(question)
  const shown = { ...asking, isChecking: true }
  become(shown)
  const isKept = await Promise.race([answer, check.then(() => true)])
  if (isKept && (await check) !== null) shown.answer(false)
  return isKept
}

/** Whether the operator wants to be asked before what interrupts a stream at once and can be undone (decisions.md 40). */
export function wantsToBeAsked(): boolean {
  return storage.user.read()?.asksBeforeInterrupting === true
}

/** Bulk deletes ask in the browser's own dialog, word for word (CON-IN-35, Q209). */
export function askBrowser(sentence: string): boolean {
  // oxlint-disable-next-line no-alert -- the one place where the browser itself asks
  return window.confirm(sentence)
}

/** For the one dialog that shows the question (app/providers.tsx). */
export function useQuestion(): Asking {
  return useSyncExternalStore(watch, () => asking)
}
