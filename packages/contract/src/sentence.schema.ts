/** What the API and the agents tell people, in English: causes, remedies, reasons for a refusal. */
import { z } from 'zod'

type Reader = (sentence: string) => string

let reader: Reader | null = null

/** Of a console in another language: from then on every sentence of an answer is read by it. */
export function readSentencesBy(read: Reader | null): void {
  reader = read
}

/** A sentence to be shown as it is. Not for what people name, nor for what a program compares. */
export const Sentence = z.string().overwrite((text) => (reader === null ? text : reader(text)))
