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
  /** What is known of that by now, in a line of its own. */
  finding: string
  answer: (isYes: boolean) => void
}

const CHECKING = 'Checking what this would interrupt …'
const STILL_CHECKING = 'Still checking what this would interrupt …'

const CLOSED = { isOpen: false, isChecking: false, finding: '', answer: () => {} }
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
  become({ ...CLOSED, question, isOpen: true, answer })
  return promise
}

/**
 * Shows the question while `check` goes on, which answers null or nothing where the question is to be
 * asked then; it stays open for `askFirst`.
 * @returns false when the operator has said no meanwhile
 */
export async function showWhile(question: Question, check: Promise<unknown>): Promise<boolean> {
  const answer = askFirst(question)
  const shown = { ...asking, isChecking: true, finding: CHECKING }
  become(shown)
  const isKept = await Promise.race([answer, check.then(() => true)])
  if (isKept && ((await check) ?? null) !== null) shown.answer(false)
  return isKept
}

/** As `askFirst` while a check goes on that was too slow to wait for: its finding is shown when it comes. */
export async function askWhileLate(question: Question, finding: Promise<string>): Promise<boolean> {
  const answer = askFirst(question)
  const { answer: open } = asking
  become({ ...asking, finding: STILL_CHECKING })
  void finding.then((found) => {
    if (asking.answer === open) become({ ...asking, finding: found })
  })
  return answer
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
